/** A random generator (mulberry32), so that a seed gives the same faults in the same order. */
export function createRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const pick = <Value>(values: readonly Value[]): Value => {
    const value = values[Math.floor(next() * values.length)]
    if (value === undefined) throw new Error('Nothing to choose from')
    return value
  }
  return {
    pick,
    between: (low: number, high: number): number => low + next() * (high - low),
    shuffle: <Value>(values: readonly Value[]): readonly Value[] =>
      values
        .map((value) => ({ value, at: next() }))
        .sort((one, other) => one.at - other.at)
        .map(({ value }) => value),
  }
}

export type Random = ReturnType<typeof createRandom>
