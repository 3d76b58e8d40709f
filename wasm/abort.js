/** Signals that cancel. */

/**
 * The promise, or a rejection with the signal's reason as soon as it aborts.
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export function abortable(promise, signal) {
  if (signal === undefined) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/**
 * A signal that aborts when one of two does.
 * @param {AbortSignal | undefined} a
 * @param {AbortSignal | undefined} b
 * @returns {AbortSignal | undefined}
 */
export function linkSignals(a, b) {
  if (a === undefined || b === undefined || a === b) return a ?? b
  if (a.aborted || b.aborted) return a.aborted ? a : b
  const controller = new AbortController()
  for (const signal of [a, b]) {
    signal.addEventListener('abort', () => controller.abort(signal.reason), { signal: controller.signal })
  }
  return controller.signal
}
