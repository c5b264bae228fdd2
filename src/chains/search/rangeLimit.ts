/** How many blocks to ask a node's logs for at a time. Nodes limit it, each in its own way, and rarely tell. */
export type RangeLimit = Readonly<{
  /** Number of blocks to ask for next. */
  span: () => bigint
  /** The number that a restart begins with: the last one that was answered, if there is one. */
  learnt: () => bigint
  /** `size` blocks were answered. */
  accept: (size: bigint) => void
  /** `size` blocks were refused. False where a single block was: then it is no limit, and what was learnt stands again. */
  refuse: (size: bigint) => boolean
}>

/** Halves to the usual limits: 16,000, 8,000, 4,000, 2,000, 1,000, 500 … */
const firstSpan = 64_000n

/** Answers in a row before a larger range is tried. Doubles with each try that is refused. */
const minAnswers = 16
const maxAnswers = 4_096

/**
 * A refused range is halved until one is answered. That one stands: a larger one is tried ever more rarely, and its
 * refusal leads straight back. Only a range that was answered before and is refused now is halved again, as one with
 * more logs is.
 * @param learnt `learnt` of an earlier run.
 */
export function createRangeLimit(learnt?: bigint): RangeLimit {
  let span = learnt ?? firstSpan
  let answered = learnt
  let answers = 0
  let neededAnswers = minAnswers
  /** What was known before the refusals since the last answer. */
  let before: Readonly<{ span: bigint; answered: bigint | undefined }> | undefined

  return {
    span: () => span,
    learnt: () => answered ?? span,
    accept(size) {
      before = undefined
      // The last range of a search is shorter, and tells nothing.
      if (size < span) return
      // There is room above what was known.
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
