import { AppError, type ErrorCode, statusByCode } from '#src/errors.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import type { Log } from '#src/log.ts'
import type { Operations, RequestAnswer } from '#src/operations/operations.ts'
import { statusUpdate, tellsMore } from '#src/operations/requests/statusUpdate.ts'
import type { StatusUpdate } from '#src/requests/status/statusUpdate.ts'
import { type ClientMessage, parseClientMessage, statusEvent } from './clientMessage.ts'

type Deps = Readonly<{
  operations: Pick<Operations, 'watchRequest'>
  log: Log
  metrics: Pick<Metrics, 'openSubscription'>
  send: (message: object) => void
  /** Ends the connection of a client that is to fall back on asking. */
  giveUp: () => void
}>

/** Most requests that one connection follows at a time. */
const most = 100

/** What one client has subscribed to. */
export function createSubscriptions({ operations, log, metrics, send, giveUp }: Deps) {
  const open = new Map<string, AsyncIterableIterator<RequestAnswer>>()

  const end = (id: string): void => {
    const answers = open.get(id)
    open.delete(id)
    answers?.return?.().catch((error: unknown) => log.error({ err: error }, 'A watch did not end'))
  }

  const subscribe = async (message: ClientMessage & { type: 'subscribe' }): Promise<void> => {
    const { event, filters } = message
    const { id } = filters
    end(id)
    if (open.size >= most)
      throw new AppError('INVALID_REQUEST', `A connection follows ${most} requests at the most`)
    const answers = operations.watchRequest(id)
    open.set(id, answers)
    const closed = metrics.openSubscription('/ws')
    const isOpen = () => open.get(id) === answers
    try {
      let told: StatusUpdate | undefined
      for await (const { request, state } of answers) {
        if (!isOpen()) return
        if (told === undefined)
          send({ type: 'subscribe', status: 'success', data: { event, filters } })
        const update = statusUpdate(request, state)
        // Nothing has happened yet to a request that is as it was quoted.
        const isNews = told === undefined ? state.seq > 0 : tellsMore(update, told)
        if (isNews) send({ event: statusEvent, timestamp: Date.now(), data: update })
        told = update
      }
    } catch (error) {
      if (isOpen()) throw error
    } finally {
      closed()
      if (isOpen()) open.delete(id)
    }
  }

  const unsubscribe = ({ event, filters }: ClientMessage & { type: 'unsubscribe' }): void => {
    for (const id of filters === undefined ? open.keys() : [filters.id]) end(id)
    send({ type: 'unsubscribe', status: 'success', data: { event, ...(filters && { filters }) } })
  }

  const refuse = (error: unknown, message?: ClientMessage): void => {
    if (!(error instanceof AppError)) log.error({ err: error }, 'A watched request failed')
    const {
      code,
      message: text,
      data,
    } = error instanceof AppError
      ? error
      : new AppError('UNKNOWN_ERROR', 'Something went wrong on our side')
    const { type = 'error', event, filters } = message ?? {}
    const errorData = data?.['issues'] && { issues: data['issues'] }
    send({
      type,
      status: 'error',
      data: {
        event,
        filters,
        message: text,
        errorCode: code,
        statusCode: statusByCode[code],
        errorData,
      },
    })
    if (!mendable.includes(code)) giveUp()
  }

  return {
    /** Never throws: what is wrong with a message is told its sender. */
    take: async (text: string): Promise<void> => {
      let message: ClientMessage | undefined
      try {
        message = parseClientMessage(text)
        if (message.type === 'subscribe') await subscribe(message)
        else unsubscribe(message)
      } catch (error) {
        refuse(error, message)
      }
    },
    endAll: (): void => {
      for (const id of open.keys()) end(id)
    },
  }
}

/** What the client can do better the next time, on the same connection. */
const mendable: readonly ErrorCode[] = ['INVALID_REQUEST', 'REQUEST_TOO_LARGE', 'UNKNOWN_REQUEST']
