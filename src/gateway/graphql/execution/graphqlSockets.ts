import { GraphQLError } from 'graphql'
import { handleProtocols, makeServer, type Context as SocketContext } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { AppError } from '#src/errors.ts'
import { mostBytes, parseBody } from '#src/gateway/http/body.ts'
import { closeSockets } from '#src/gateway/http/closeSockets.ts'
import type { SocketFace } from '#src/gateway/http/webSockets.ts'
import { within } from '#src/gateway/http/withDeadline.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import type { Log } from '#src/log.ts'
import { answeredError } from './errorAnswer.ts'
import { type EncodedEvent, encodeResult, type LiveEvents, tellError } from './liveEvents.ts'
import type { PreparedOperation, SentOperation } from './yogaExecutor.ts'

type Deps = Readonly<{
  prepare: (sent: SentOperation) => Promise<PreparedOperation | readonly GraphQLError[]>
  log: Log
  metrics: Pick<Metrics, 'countRequest' | 'openSubscription'>
}>

type Options = Readonly<{
  deadlineSeconds: number
  /** Between pings; who has answered none by the next one is gone. */
  pulseSeconds?: number
  /** What may wait for a client to read it. */
  mostUnreadBytes?: number
}>

/** Operations under way on one connection. */
const mostOperations = 100

/** By RFC 6455, and its registry; the last by the protocol of graphql-ws. */
const closeCode = { unsupportedData: 1003, badRequest: 4400 }

/** Of the request that asked for the connection, no more than is needed: it lives as long. */
type Extra = Readonly<{ apiKey: string | undefined }>
type Connection = SocketContext<Record<string, unknown>, Extra>

/** GraphQL over WebSocket, by the protocol graphql-transport-ws: judged and answered as over HTTP. */
export function createGraphqlSockets(
  { prepare, log, metrics }: Deps,
  { deadlineSeconds, pulseSeconds = 12, mostUnreadBytes = 1_048_576 }: Options,
): SocketFace {
  const server = new WebSocketServer({ noServer: true, maxPayload: mostBytes, handleProtocols })
  const answering = new WeakSet<WebSocket>()
  const heartbeat = setInterval(() => {
    for (const socket of server.clients) {
      if (!answering.delete(socket)) socket.terminate()
      else socket.ping()
    }
  }, pulseSeconds * 1000).unref()

  /** The text of what is being encoded this instant, to stand where its payload is left empty. */
  let payload: string | undefined
  const asPayload = (text: string) => ({
    toJSON: () => {
      payload = text
      return ''
    },
  })
  const withPayload = (message: string): string => {
    if (payload === undefined) return message
    const whole = `${message.slice(0, -'""}'.length)}${payload}}`
    payload = undefined
    return whole
  }

  const protocol = makeServer<Record<string, unknown>, Extra>({
    onSubscribe: async ({ subscriptions, connectionParams, extra }, _, sent) => {
      try {
        if (Object.keys(subscriptions).length > mostOperations) throw new TooManyError()
        const { query, operationName, variables } = sent
        return await prepare({
          query,
          operationName: operationName ?? undefined,
          variables: variables ?? undefined,
          apiKey: apiKeyOf(connectionParams, extra),
        }).then((prepared) => prepared as PreparedOperation)
      } catch (error) {
        return [toGraphqlError(error)]
      }
    },
    execute: (args) => run(args as PreparedOperation),
    subscribe: (args) => run(args as PreparedOperation),
    onNext: (_, __, ___, ____, result) =>
      asPayload(
        'text' in result ? (result as EncodedEvent).text : encodeResult(result as never, log),
      ) as never,
    onError: (_, __, ___, errors) => {
      const told = errors.map((error) => tellError(error as GraphQLError, log))
      count('none', told[0]?.extensions.code, 0)
      return told as never
    },
  })

  const count = (operation: string, code: string | undefined, started: number): void => {
    const seconds = started === 0 ? 0 : (performance.now() - started) / 1000
    metrics.countRequest({ operation, code: (code ?? 'OK') as 'OK', lane: 'socket' }, seconds)
  }

  const run = async (prepared: PreparedOperation) => {
    const started = performance.now()
    try {
      const result = await within(deadlineSeconds, prepared.run())
      const errors = 'errors' in result ? result.errors : undefined
      count(
        prepared.operation,
        errors?.[0] && answeredError(errors[0], log).extensions.code,
        started,
      )
      return Symbol.asyncIterator in result ? counted(result) : result
    } catch (error) {
      const told = toGraphqlError(error)
      count(prepared.operation, answeredError(told, log).extensions.code, started)
      return { errors: [told] }
    }
  }

  /** Keeps count of who is subscribed. */
  const counted = (events: LiveEvents): never => {
    const closed = metrics.openSubscription('websocket')
    let isOpen = true
    const end = () => {
      if (isOpen) closed()
      isOpen = false
    }
    const watched: LiveEvents = {
      next: async () => {
        const event = await events.next()
        if (event.done === true) end()
        return event
      },
      return: async () => {
        end()
        await events.return?.()
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]: () => watched,
    }
    return watched as never
  }

  const serve = (socket: WebSocket, apiKey: string | undefined): void => {
    const read = async (text: string, take: (text: string) => Promise<void>): Promise<void> => {
      try {
        parseBody(text)
        await take(text)
      } catch (error) {
        if (!(error instanceof AppError)) log.error({ err: error }, 'A message failed')
        socket.close(closeCode.badRequest, 'Invalid message received')
      }
    }
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (message) => {
          const text = withPayload(message)
          if (socket.readyState !== socket.OPEN) return Promise.resolve()
          // It reads nothing any more, a closing message included.
          if (socket.bufferedAmount > mostUnreadBytes) return Promise.resolve(socket.terminate())
          return new Promise((resolve) => socket.send(text, () => resolve()))
        },
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) =>
          socket.on('message', (bytes, isBinary) => {
            if (isBinary) return socket.close(closeCode.unsupportedData, 'Messages are text')
            return void read(bytes.toString(), take)
          }),
      },
      { apiKey },
    )
    socket.on('pong', () => answering.add(socket))
    socket.on('close', (code, reason) => void closed(code, reason.toString()))
    // Such as a frame that is too long: the socket closes itself.
    socket.on('error', (error) => log.debug({ err: error }, 'A WebSocket failed'))
    answering.add(socket)
  }

  let closing = false
  return {
    upgrade: (request, socket, head) => {
      if (closing) socket.destroy()
      else {
        const apiKey = request.headers['x-api-key']?.toString()
        server.handleUpgrade(request, socket, head, (client) => serve(client, apiKey))
      }
    },
    close: async () => {
      closing = true
      clearInterval(heartbeat)
      await closeSockets(server)
    },
  }
}

class TooManyError extends AppError {
  constructor() {
    super('INVALID_REQUEST', `A connection has ${mostOperations} operations at the most`)
  }
}

/** As the header over HTTP: browsers cannot set headers of a WebSocket. */
function apiKeyOf(params: Connection['connectionParams'], extra: Extra): string | undefined {
  const { apiKey } = params ?? {}
  return typeof apiKey === 'string' ? apiKey : extra.apiKey
}

function toGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const originalError = error instanceof Error ? error : new Error(String(error))
  return new GraphQLError(originalError.message, { originalError })
}
