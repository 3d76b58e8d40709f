/**
 * The groups of cases, in the order in which they run. A group is a module with `run(case, rounds)`; it is loaded in the
 * process that runs a case and nowhere else, so that no case pays for another group's libraries.
 */

/**
 * @typedef {object} Group
 * @property {string[]} cases
 * @property {() => Promise<{ run: (name: string, rounds: number) => Promise<import('./results.js').Result[]> }>} load
 */

/** @type {Record<string, Group>} */
export const groups = {
  files: {
    cases: ['i64-delta-11bit', 'i32-delta-3bit', 'i32-dict-50', 'i64-plain', 'i64-plain-null20', 'flights-3m'],
    load: () => import('./groups/files.js'),
  },
  bss: {
    cases: ['f32-bss', 'f64-bss', 'f64-bss-null20', 'i32-bss', 'i64-bss'],
    load: () => import('./groups/bss.js'),
  },
  nested: {
    cases: ['list-i32', 'list-i32-null10', 'list-list-i32'],
    load: () => import('./groups/nested.js'),
  },
  strings: {
    cases: ['words-delta-length', 'words-delta', 'urls-delta-length', 'urls-delta'],
    load: () => import('./groups/strings.js'),
  },
  flba: {
    cases: ['2', '16', 'strings'].flatMap((width) =>
      [512, 2048].flatMap((batch) => [10, 90, 99].map((prefixed) => `${width}-${batch}-${prefixed}`))
    ),
    load: () => import('./groups/flba.js'),
  },
  startup: { cases: ['small'], load: () => import('./groups/startup.js') },
  memory: { cases: ['flights-3m'], load: () => import('./groups/memory.js') },
  size: { cases: ['brotli'], load: () => import('./groups/size.js') },
}
