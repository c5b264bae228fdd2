import { AppError } from '#src/errors.ts'

/**
 * The result of `work`, if it arrives within `seconds`.
 * @throws AppError REQUEST_TIMED_OUT otherwise. The work is not cancelled: its result is dropped.
 */
export async function withDeadline<Result>(
  seconds: number,
  work: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('REQUEST_TIMED_OUT', `The request took longer than ${seconds} seconds`))
    }, seconds * 1000)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
