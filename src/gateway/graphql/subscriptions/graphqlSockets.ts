import type { Duplex } from 'node:stream'
import { type ExecutionArgs, GraphQLError } from 'graphql'
import {
  handleProtocols,
  type Message,
  MessageType,
  makeServer,
  type Context as SocketContext,
  type SubscribePayload,
  validateMessage,
} from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { Log } from '#src/config/log.ts'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { errorAnswer } from '#src/gateway/graphql/execution/errorAnswer.ts'
import type {
  PreparedOperation,
  SentOperation,
} from '#src/gateway/graphql/execution/yogaExecutor.ts'
import { maxBodyBytes, parseBody } from '#src/gateway/http/body.ts'
import {
  closeCode,
  createSocketEndpoint,
  type SocketEndpoint,
} from '#src/gateway/http/webSockets.ts'
import { createDeadline } from '#src/gateway/http/withDeadline.ts'
import { createMessageLimits, type MessageLimits } from '#src/gateway/limits/messageLimits.ts'
import type { MeterOf } from '#src/gateway/limits/meter.ts'
import type { Metrics, SocketMetrics } from '#src/gateway/monitoring/metrics.ts'
import type { Client } from '#src/service/callers.ts'
import { OverloadedError } from '#src/service/limits/overloadedError.ts'
import { encodeError, encodeResult } from './liveEvents.ts'
import { createEventWriters, type EventWriter, streamEvents } from './socketEvents.ts'

type Deps = Readonly<{
  prepare: (sent: SentOperation) => Promise<PreparedOperation | readonly GraphQLError[]>
  log: Log
  metrics: SocketMetrics & Readonly<{ countRequest: Metrics['countRequest'] }>
}>

/** Limits of each operation. */
type OperationLimits = Readonly<{
  deadlineSeconds: number
  meterOf: MeterOf
  /** Whether the gateway has time for one more operation. */
  admits: () => boolean
}>

type Options = OperationLimits &
  Readonly<{
    /** Reverse proxies in front of the gateway. */
    proxies: number
    /** Time between pings. */
    heartbeatSeconds?: number
    /** A client with more unread bytes than this is disconnected. */
    maxUnreadBytes?: number
  }>

/** Maximum number of concurrent operations on one connection. */
const maxOperations = 100

/** Held as long as the connection. It has only those parts of the opening request that operations need. */
type Extra = Readonly<{
  client: Client
  limits: MessageLimits
  ids: OperationIds
  /** Operations that graphql-ws is about to begin, by their ids for it. */
  begun: Map<string, SentMessage>
  /** The writer of the events of the subscription with this client's id. */
  writerOf: (id: string) => EventWriter
}>
type Connection = SocketContext<Record<string, unknown>, Extra>

type SentMessage = Readonly<{ payload: SubscribePayload; bytes: number }>

/** GraphQL over WebSocket, protocol graphql-transport-ws. Operations are validated and answered as over HTTP. */
export function createGraphqlSockets(
  deps: Deps,
  {
    deadlineSeconds,
    proxies,
    meterOf,
    admits,
    heartbeatSeconds = 12,
    maxUnreadBytes = 1_048_576,
  }: Options,
): SocketEndpoint {
  const { log, metrics } = deps
  const payloads = createPayloads()
  const writers = createEventWriters({ maxUnreadBytes })
  const protocol = createProtocol(deps, { deadlineSeconds, meterOf, admits }, payloads.insertLater)

  const receive = async (
    socket: WebSocket,
    { client, limits, ids, begun }: Extra,
    text: string,
    take: Take,
  ): Promise<void> => {
    if (!limits.isOpen()) return
    const message = knownMessage(parseBody(text))
    if (message?.type === MessageType.Subscribe) {
      // An operation is charged later, once its API key is known, and gets its own refusal.
      const id = ids.open(message.id)
      if (id === undefined) return socket.close(closeCode.idInUse, 'The id is in use')
      begun.set(id, { payload: message.payload, bytes: text.length })
      return begin(take, id, ids)
    }
    if (message?.type === MessageType.Complete) {
      // Processed before the following messages, because one of them may reuse the id.
      const id = ids.complete(message.id)
      if (id !== undefined) await take(JSON.stringify({ ...message, id }))
      return limits.count(meterOf(client), text.length)
    }
    await limits.count(meterOf(client), text.length)
    if (limits.isOpen()) await take(text)
  }
  const fail = (socket: WebSocket, error: unknown): void => {
    if (!(error instanceof AppError)) log.error({ err: error }, 'A WebSocket message failed')
    socket.close(closeCode.badRequest, 'Invalid message received')
  }
  const send = (socket: WebSocket, message: string): Promise<void> => {
    const text = withClientId(payloads.inserted(message))
    if (socket.readyState !== socket.OPEN) return Promise.resolve()
    // The client has stopped reading: it would not read a closing message either.
    if (socket.bufferedAmount > maxUnreadBytes) return Promise.resolve(socket.terminate())
    return new Promise((resolve) => socket.send(text, () => resolve()))
  }

  const serve = (socket: WebSocket, client: Client, connection: Duplex): void => {
    const extra: Extra = {
      client,
      limits: createMessageLimits(socket, { log, ...metrics.limits }),
      ids: createOperationIds(),
      begun: new Map(),
      writerOf: (id) => writers.writerOf(id, { socket, connection }),
    }
    socket.on('ping', () => void extra.limits.count(meterOf(client), 0))
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (message) => send(socket, message),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) =>
          socket.on('message', (bytes, isBinary) => {
            if (isBinary) return socket.close(closeCode.unsupportedData, 'Messages must be text')
            return void receive(socket, extra, bytes.toString(), take).catch((error) =>
              fail(socket, error),
            )
          }),
      },
      extra,
    )
    socket.on('close', (code, reason) => void closed(code, reason.toString()))
  }
  const options = { maxMessageBytes: maxBodyBytes, heartbeatSeconds, proxies, handleProtocols }
  return createSocketEndpoint({ log }, options, serve)
}

/** An operation, and the writer of its events if it is a subscription. */
type Operation = PreparedOperation & Readonly<{ writer: EventWriter }>

/** The graphql-ws server: prepares, runs and counts the operations of all connections. */
function createProtocol(
  { prepare, log, metrics }: Deps,
  { deadlineSeconds, meterOf, admits }: OperationLimits,
  insertLater: (text: string) => object,
) {
  const count = (operation: string, code: ErrorCode | undefined, started: number | undefined) => {
    const seconds = started === undefined ? 0 : (performance.now() - started) / 1000
    metrics.countRequest({ operation, code: code ?? 'OK', executor: 'socket' }, seconds)
  }
  const codeOf = (error: GraphQLError | undefined) =>
    error && errorAnswer(error, log).extensions.code

  const withDeadline = createDeadline(deadlineSeconds)

  const run = async (prepared: Operation) => {
    const started = performance.now()
    try {
      const result = await withDeadline(prepared.run())
      const errors = 'errors' in result ? result.errors : undefined
      count(prepared.operation, codeOf(errors?.[0]), started)
      return 'flow' in result ? streamEvents(result, prepared.writer, metrics) : result
    } catch (error) {
      const graphqlError = toGraphqlError(error)
      count(prepared.operation, codeOf(graphqlError), started)
      return { errors: [graphqlError] }
    }
  }

  return makeServer<Record<string, unknown>, Extra>({
    onSubscribe: async ({ subscriptions, connectionParams, extra }, id) => {
      // Further operations arrive while this one is charged.
      const open = Object.keys(subscriptions).length
      const sent = extra.begun.get(id)
      if (sent === undefined) throw new Error(`Nothing was sent as ${id}`)
      extra.begun.delete(id)
      try {
        const { query, operationName, variables, extensions } = sent.payload
        const client = clientIn(connectionParams, extra)
        const meter = meterOf(client)
        await extra.limits.charge(meter, sent.bytes)
        if (open > maxOperations) throw new TooManyOperationsError()
        if (!admits()) throw new OverloadedError()
        const prepared = await prepare({
          query,
          extensions,
          documentId: 'documentId' in sent.payload ? sent.payload.documentId : undefined,
          operationName: operationName ?? undefined,
          variables: variables ?? undefined,
          client,
          meter,
        })
        if (!('run' in prepared)) return prepared
        return { ...prepared, writer: extra.writerOf(clientIdOf(id)) } satisfies Operation
      } catch (error) {
        return [toGraphqlError(error)]
      }
    },
    execute: (args) => run(args as ExecutionArgs & Operation),
    subscribe: (args) => run(args as ExecutionArgs & Operation),
    onNext: (_, __, ___, ____, result) => insertLater(encodeResult(result as never, log)) as never,
    onError: (_, __, ___, errors) => {
      const encoded = errors.map((error) => encodeError(error as GraphQLError, log))
      count('none', encoded[0]?.extensions.code, undefined)
      return encoded as never
    },
  })
}

/**
 * graphql-ws encodes each message with JSON.stringify. Our payloads are JSON text already: an empty string is encoded
 * instead, and the text is inserted into the finished message.
 */
function createPayloads() {
  /** Set between the encoding and the sending of a message, which happen synchronously. */
  let payload: string | undefined
  return {
    insertLater: (text: string) => ({
      toJSON: () => {
        payload = text
        return ''
      },
    }),
    inserted: (message: string): string => {
      if (payload === undefined) return message
      const whole = `${message.slice(0, -'""}'.length)}${payload}}`
      payload = undefined
      return whole
    },
  }
}

type Take = (text: string) => Promise<void>

/**
 * Begins an operation in graphql-ws, which keeps its message as long as it runs. So it gets one without the payload.
 */
function begin(take: Take, id: string, ids: OperationIds): Promise<void> {
  const message = { type: MessageType.Subscribe, id, payload: { query: '' } }
  return take(JSON.stringify(message)).finally(() => ids.end(id))
}

/** A message of the protocol. `undefined` for any other, which is left to graphql-ws: it refuses it. */
function knownMessage(message: unknown): Message | undefined {
  try {
    return validateMessage(message)
  } catch {
    return undefined
  }
}

class TooManyOperationsError extends AppError {
  constructor() {
    super('INVALID_REQUEST', `A connection can have at most ${maxOperations} operations at a time`)
  }
}

/**
 * The client, with the API key of `connection_init`, else of the header: browsers cannot set headers of a WebSocket.
 */
function clientIn(params: Connection['connectionParams'], { client }: Extra): Client {
  const { apiKey } = params ?? {}
  return typeof apiKey === 'string' ? { ...client, apiKey } : client
}

function toGraphqlError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error
  const originalError = error instanceof Error ? error : new Error(String(error))
  return new GraphQLError(originalError.message, { originalError })
}

/**
 * Gives each operation of a connection an id for graphql-ws that is never reused. A client may reuse its own id as soon
 * as it has sent `complete`, while the old operation still runs. With the client's ids, graphql-ws would confuse the
 * two.
 */
type OperationIds = Readonly<{
  /** The id of a new operation; `undefined` while another operation has the client's id. */
  open: (clientId: string) => string | undefined
  /** Frees the client's id, and returns the id of its operation; `undefined` if it has none. */
  complete: (clientId: string) => string | undefined
  /** The operation has ended: frees the client's id, unless a newer one has it. */
  end: (id: string) => void
}>

function createOperationIds(): OperationIds {
  const open = new Map<string, string>()
  let opened = 0
  return {
    open: (clientId) => {
      if (open.has(clientId)) return undefined
      const id = `${opened}:${clientId}`
      opened += 1
      open.set(clientId, id)
      return id
    },
    complete: (clientId) => {
      const id = open.get(clientId)
      open.delete(clientId)
      return id
    },
    end: (id) => {
      const clientId = clientIdOf(id)
      if (open.get(clientId) === id) open.delete(clientId)
    },
  }
}

const clientIdOf = (id: string): string => id.slice(id.indexOf(':') + 1)

/** A message of graphql-ws, with the id at its start replaced by the client's. */
const withClientId = (message: string): string => message.replace(/^\{"id":"\d+:/, '{"id":"')
