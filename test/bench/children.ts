import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Starts a file of this folder as a process of its own that can collect its garbage. */
export const startChild = (file: string, ...args: string[]): ChildProcess =>
  fork(new URL(file, import.meta.url), args, { execArgv: ['--expose-gc'] })

/** Sends a message, if there is one, and waits for the next answer. */
export async function ask<Answer>(child: ChildProcess, message?: object | string): Promise<Answer> {
  const answered = once(child, 'message')
  if (message !== undefined) child.send(message)
  const [answer] = await answered
  return answer as Answer
}
