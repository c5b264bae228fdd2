import { AppError } from '#src/errors.ts'

/**
 * What `work` comes to.
 * @throws AppError REQUEST_TIMED_OUT when that takes longer; the work itself goes on unheard.
 */
export async function within<Result>(seconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new AppError('REQUEST_TIMED_OUT', `No answer was found within ${seconds} seconds`))
    }, seconds * 1000)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
