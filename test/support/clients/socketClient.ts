import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { AppError } from '#src/core/errors.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { answerOf, stateAt } from '#test/support/fixtures/requestAnswer.ts'

export const idOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const

/** An async iterator over the answers that are put into it. It ends on `return()` or `end()`. */
function createWatch() {
  const waiting: RequestAnswer[] = []
  let wake = () => {}
  let failure: Error | undefined
  let ended = false
  const next = async (): Promise<IteratorResult<RequestAnswer>> => {
    while (waiting.length === 0 && !ended && failure === undefined)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    const value = waiting.shift()
    if (value !== undefined) return { value, done: false }
    if (failure !== undefined) throw failure
    return { value: undefined, done: true }
  }
  const change = (act: () => void) => {
    act()
    wake()
  }
  const end = () =>
    change(() => {
      ended = true
    })
  const answers: AsyncIterableIterator<RequestAnswer> = {
    next,
    return: async () => {
      end()
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]: () => answers,
  }
  return {
    answers,
    end,
    put: (answer: RequestAnswer) => change(() => waiting.push(answer)),
    fail: (error: Error) =>
      change(() => {
        failure = error
      }),
    hasEnded: () => ended,
  }
}

/** All watches created so far. */
const watches: { id: string; watch: ReturnType<typeof createWatch> }[] = []
export const watchRequest = (id: `0x${string}`) => {
  const watch = createWatch()
  watches.push({ id, watch })
  if (id === idOf(404)) watch.fail(new AppError('UNKNOWN_REQUEST', `Unknown request ${id}`))
  else watch.put(answerOf(stateAt(0), { requestId: id }))
  return watch.answers
}
export const watchOf = (id: string) => {
  const found = watches.findLast((each) => each.id === id)
  if (found === undefined) throw new Error(`Nobody watches ${id}`)
  return found.watch
}

/** A /ws client that reads messages one at a time. */
export async function openSocket(url: string) {
  const socket = new WebSocket(url.replace('http', 'ws'))
  const unread: unknown[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    unread.push(JSON.parse(data.toString()))
    wake()
  })
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return {
    socket,
    closed,
    unread: unread as readonly unknown[],
    send: (message: unknown) =>
      socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    next: async (): Promise<unknown> => {
      while (unread.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return unread.shift()
    },
  }
}

export const event = 'request.status.updated'
export const subscribe = (id: string) => ({ type: 'subscribe', event, filters: { id } })
export const acknowledged = (id: string) => ({
  type: 'subscribe',
  status: 'success',
  data: { event, filters: { id } },
})
