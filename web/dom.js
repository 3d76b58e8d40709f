/**
 * Elements by hand. Text from files only ever becomes a text node.
 */

/**
 * @param {string} tag
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}

/**
 * A table that keeps its meaning when a narrow screen lays its cells out as blocks: display other than `table` takes the
 * roles away, so they are written down. It scrolls sideways by keyboard, too.
 * @param {string} label
 * @param {HTMLElement[]} head cells
 * @param {HTMLElement[][]} rows cells
 * @returns {HTMLElement}
 */
export function table(label, head, rows) {
  const body = element(
    'tbody',
    { role: 'rowgroup' },
    ...rows.map((cells) => element('tr', { role: 'row' }, ...cells))
  )
  const top = element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...head))
  const made = element('table', { role: 'table', 'aria-label': label }, top, body)
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `${label}, scrolls` },
    made
  )
}

/**
 * @param {string} text
 * @param {string} [className]
 * @returns {HTMLElement}
 */
export function headCell(text, className = '') {
  return element('th', { scope: 'col', role: 'columnheader', class: className }, text)
}

/**
 * @param {string} label the head's text, shown beside the value where the head is not
 * @param {string} [className]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function cell(label, className = '', ...children) {
  return element('td', { role: 'cell', class: className, 'data-label': label }, ...children)
}
