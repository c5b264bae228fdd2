import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type ConnectionLimits = Readonly<{
  /** Open connections of the server. Further ones are closed at once. */
  maxConnections: number
  /** The same for one remote address. Behind reverse proxies the address is theirs: use `Infinity`. */
  maxConnectionsPerAddress: number
  /** Requests of one connection that wait for an earlier answer. A connection with more is cut. */
  maxPipelined: number
  /** A connection is cut if it moves no byte for this time while its answer is being sent. */
  stalledSeconds: number
  /** A connection is cut if its client has not read a whole answer within this time, even if it reads steadily. */
  answerSeconds: number
}>

/** The operator limits the number of connections in the environment. */
export const defaultConnectionLimits: ConnectionLimits = {
  maxConnections: Number.POSITIVE_INFINITY,
  maxConnectionsPerAddress: Number.POSITIVE_INFINITY,
  maxPipelined: 64,
  stalledSeconds: 30,
  answerSeconds: 120,
}

/** Reason why a connection was refused or cut. */
export type CutReason = 'total' | 'address' | 'pipelining' | 'stalled' | 'messages'

type Deps = Readonly<{
  /** Counts a connection as open until the returned function is called. */
  openConnection: () => () => void
  countCut: (reason: CutReason) => void
}>

type Connection = {
  /** The answer in progress, and the time at which it began. */
  response: ServerResponse | undefined
  since: number
  waiting: (() => void)[]
}

/** The connections of a server. */
export type Connections = Readonly<{
  open: () => Iterable<Socket>
  /**
   * Runs `answer` once the earlier answers of the same connection are sent. A client that pipelines requests and reads
   * no answers then holds one answer in memory, not all of them.
   */
  inTurn: (response: ServerResponse, answer: () => void) => void
}>

/** Limits the connections of `server` from now on. */
export function limitConnections(
  server: Server,
  { openConnection, countCut }: Deps,
  limits: ConnectionLimits,
): Connections {
  const known = new Map<Socket, Connection>()
  const countByAddress = new Map<string, number>()
  const cut = (socket: Socket, reason: CutReason): void => {
    countCut(reason)
    socket.destroy()
  }

  server.setTimeout(limits.stalledSeconds * 1000, (socket) => {
    const { response } = known.get(socket) ?? {}
    // An idle connection times out here too. Its client is not at fault.
    if (response === undefined) socket.destroy()
    else cut(socket, 'stalled')
  })

  server.on('connection', (socket: Socket) => {
    const { remoteAddress = 'unknown' } = socket
    const ofAddress = (countByAddress.get(remoteAddress) ?? 0) + 1
    if (known.size >= limits.maxConnections) return cut(socket, 'total')
    if (ofAddress > limits.maxConnectionsPerAddress) return cut(socket, 'address')
    known.set(socket, { response: undefined, since: 0, waiting: [] })
    countByAddress.set(remoteAddress, ofAddress)
    const closed = openConnection()
    socket.once('close', () => {
      closed()
      known.delete(socket)
      const rest = (countByAddress.get(remoteAddress) ?? 1) - 1
      if (rest === 0) countByAddress.delete(remoteAddress)
      else countByAddress.set(remoteAddress, rest)
    })
  })

  setInterval(
    () => {
      const before = performance.now() - limits.answerSeconds * 1000
      // An event stream has not ended (`writableEnded`). Its own heartbeats check whether it is read.
      for (const [socket, { response, since }] of known)
        if (response?.writableEnded === true && since < before) cut(socket, 'stalled')
    },
    (limits.answerSeconds * 1000) / 4,
  ).unref()

  const start = (connection: Connection, response: ServerResponse, answer: () => void): void => {
    connection.response = response
    connection.since = performance.now()
    response.once('close', () => {
      connection.response = undefined
      connection.waiting.shift()?.()
    })
    answer()
  }

  return {
    open: () => known.keys(),
    inTurn: (response, answer) => {
      const { socket } = response.req
      const connection = known.get(socket)
      // Requests of the same packet may follow after the one that cut the connection.
      if (connection === undefined || socket.destroyed) return
      if (connection.response === undefined && connection.waiting.length === 0)
        return start(connection, response, answer)
      if (connection.waiting.length >= limits.maxPipelined) return cut(socket, 'pipelining')
      connection.waiting.push(() => {
        if (!socket.destroyed) start(connection, response, answer)
      })
    },
  }
}
