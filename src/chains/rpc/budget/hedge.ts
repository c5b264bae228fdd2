type Outcome = Readonly<{ kind: string }>

/**
 * Returns the outcome of `first`. If it takes longer than `slowAfterMs`, starts `second` as well and returns the first
 * answer of the two, or the outcome of `first` if neither answers. Does not cancel the slower one: its failure still
 * shows that its endpoint is down.
 */
export async function hedge<Result extends Outcome>(
  first: () => Promise<Result>,
  second: () => Promise<Result> | undefined,
  slowAfterMs: number,
): Promise<Result> {
  const running = first()
  const slow = Promise.withResolvers<undefined>()
  const timer = setTimeout(slow.resolve, slowAfterMs, undefined)
  try {
    const outcome = await Promise.race([running, slow.promise])
    if (outcome !== undefined) return outcome
  } finally {
    clearTimeout(timer)
  }
  const other = second()
  if (other === undefined) return running
  const answered = Promise.any([running, other].map(orThrow))
  return answered.catch(() => running)
}

/** Throws an outcome that is not an answer. */
async function orThrow<Result extends Outcome>(asked: Promise<Result>): Promise<Result> {
  const outcome = await asked
  if (outcome.kind !== 'answer') throw outcome
  return outcome
}
