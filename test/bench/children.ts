import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The options that `npm start` gives to Node. */
export const nodeOptions: readonly string[] = scripts.start.split(' ').slice(1, -1)

/** Starts a file of this folder as a process of its own, with the options of a gateway. */
export const startChild = (file: string, ...args: string[]): ChildProcess =>
  fork(new URL(file, import.meta.url), args, { execArgv: [...nodeOptions] })

/** Sends a message, if there is one, and waits for the next answer. */
export async function ask<Answer>(child: ChildProcess, message?: object | string): Promise<Answer> {
  const answered = once(child, 'message')
  if (message !== undefined) child.send(message)
  const [answer] = await answered
  return answer as Answer
}
