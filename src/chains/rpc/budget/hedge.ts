type Outcome = Readonly<{ kind: string }>

/**
 * The outcome of `first`. If it takes longer than `slowAfterMs`, `second` is started as well, and the first answer
 * of the two counts; without an answer, the outcome of `first`. The slower of the two is not ended: its failure still
 * tells that its endpoint is down.
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

/** Throws the outcome that is no answer. */
async function orThrow<Result extends Outcome>(asked: Promise<Result>): Promise<Result> {
  const outcome = await asked
  if (outcome.kind !== 'answer') throw outcome
  return outcome
}
