/** Finds the number of blocks per `eth_getLogs`. Nodes have different limits, and rarely report them. */
export type RangeLimit = Readonly<{
  /** Number of blocks of the next request. */
  span: () => bigint
  /** The number of blocks with which a restart should begin: the last answered one, if there is one. */
  learnt: () => bigint
  /** Reports an answer for `size` blocks. */
  accept: (size: bigint) => void
  /**
   * Reports a refusal of `size` blocks. Returns false for a single block: the range was not the reason, and the state
   * before the refusals is restored.
   */
  refuse: (size: bigint) => boolean
}>

/** Halving it leads to the usual limits: 16,000, 8,000, 4,000, 2,000, 1,000, 500 … */
const firstSpan = 64_000n

/** Number of consecutive answers before a larger range is tried. Doubles with each refused try. */
const minAnswers = 16
const maxAnswers = 4_096

/**
 * Halves a refused range until one is answered, and remembers that size. Larger ranges are tried ever more rarely, and
 * a refusal returns to the remembered size. If the remembered size itself is refused, for example because the range has
 * more logs, it is halved again.
 * @param learnt result of `learnt` of an earlier run.
 */
export function createRangeLimit(learnt?: bigint): RangeLimit {
  let span = learnt ?? firstSpan
  let answered = learnt
  let answers = 0
  let neededAnswers = minAnswers
  /** The state at the last answer, before the refusals since then. */
  let before: Readonly<{ span: bigint; answered: bigint | undefined }> | undefined

  return {
    span: () => span,
    learnt: () => answered ?? span,
    accept(size) {
      before = undefined
      // The last range of a search is shorter, so its answer contains no information.
      if (size < span) return
      // A larger range than the remembered one was answered.
      if (answered === undefined || span > answered) neededAnswers = minAnswers
      answered = span
      answers += 1
      if (answers < neededAnswers) return
      answers = 0
      span *= 2n
    },
    refuse(size) {
      before ??= { span, answered }
      answers = 0
      if (size === 1n) {
        ;({ span, answered } = before)
        before = undefined
        return false
      }
      if (answered !== undefined && size > answered) {
        span = answered
        neededAnswers = Math.min(2 * neededAnswers, maxAnswers)
      } else {
        while (span >= size) span /= 2n
        answered = undefined
        neededAnswers = minAnswers
      }
      return true
    },
  }
}
