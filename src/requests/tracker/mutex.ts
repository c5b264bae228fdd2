/** Lets one at a time do its work, in the order in which they came. */
export type Turns = <Value>(run: () => Promise<Value>) => Promise<Value>

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const turn = last.then(run, run)
    last = turn.catch(() => undefined)
    return turn
  }
}
