/** A long computation. At each `yield` it may be paused. */
export type Steps<Result> = Generator<undefined, Result, void>

/** Runs all steps at once. */
export function runSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** A pure function that runs in slices. */
export type Pausable<Result> = Readonly<{
  /**
   * Goes on until the result is known, or the clock has reached `until`. Each call does at least one step.
   * @returns a function that returns the result or throws the error of the computation; `undefined` before the end.
   */
  run: (until: number) => (() => Result) | undefined
}>

/**
 * Makes a pure function pausable. A paused function is left by an exception. To go on, it runs again from its start,
 * and each of its `pausing` parts returns at once what it has returned before. So the function must always have the same
 * parts in the same order. A part may see values of an earlier run: equal ones, but other objects.
 * @param now a monotonic clock.
 */
export function createPausable<Result>(compute: () => Result, now: () => number): Pausable<Result> {
  const ended: (() => unknown)[] = []
  let running: Steps<unknown> | undefined
  return {
    run: (until) => {
      let at = 0
      let hasStepped = false
      const part: RunPart = (start) => {
        while (ended.length === at) {
          if (hasStepped && now() >= until) throw pause
          hasStepped = true
          running ??= start()
          const outcome = nextStep(running)
          if (outcome === undefined) continue
          ended.push(outcome)
          running = undefined
        }
        at += 1
        return ended[at - 1]?.() as never
      }
      try {
        const result = withPart(part, compute)
        return () => result
      } catch (error) {
        if (error === pause) return undefined
        return () => {
          throw error
        }
      }
    },
  }
}

/**
 * A part of a computation. It may be paused between its steps if the computation is pausable, and otherwise runs to its end.
 * Parts within it are not paused.
 */
export const pausing = <Result>(start: () => Steps<Result>): Result =>
  runPart === undefined ? runSteps(start()) : runPart(start)

/** A part with a single step: it may be paused before it. */
export const pausingBefore = <Result>(compute: () => Result): Result =>
  pausing(function* () {
    yield
    return compute()
  })

type RunPart = <Result>(start: () => Steps<Result>) => Result

/** Runs the parts of the pausable computation that is running now. */
let runPart: RunPart | undefined

function withPart<Result>(part: RunPart | undefined, run: () => Result): Result {
  const before = runPart
  runPart = part
  try {
    return run()
  } finally {
    runPart = before
  }
}

/** Does the next step, without pausing parts within it. Returns the outcome if it was the last one. */
function nextStep<Result>(steps: Steps<Result>): (() => Result) | undefined {
  try {
    const { done, value } = withPart(undefined, () => steps.next())
    return done === true ? () => value : undefined
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Leaves a paused computation. */
const pause = new Error('The computation is paused')
