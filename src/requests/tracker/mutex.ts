/** Runs the given functions one at a time, in the order of the calls. */
export type Mutex = <Value>(run: () => Promise<Value>) => Promise<Value>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const current = last.then(run, run)
    last = current.catch(() => undefined)
    return current
  }
}
