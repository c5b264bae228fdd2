import { setTimeout } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
import { readEventStream } from '#test/support/clients/readEventStream.ts'

type Change = Readonly<{ seq: number; status: string }>
type Answer = Readonly<{ data?: Readonly<{ requestStatus: Change }> | null }>

const query = `subscription Watch($id: RequestId!, $after: Int!) {
  requestStatus(requestId: $id, after: $after) { seq status }
}`

const isTerminal = (status: string | undefined): boolean =>
  ['success', 'refund', 'failure'].includes(status ?? '')

/** Pause before a subscriber comes again. */
const pauseMs = 200

/** A stream that has been silent for so long is left for another one: its gateway may be frozen. */
const silenceMs = 15_000

/** A status that takes longer is requested again: its gateway may be frozen. */
const statusLimitMs = 15_000

/** The client stops listening to a connection that it terminates, which may fail afterwards. */
class ForgivingSocket extends WebSocket {
  constructor(...args: ConstructorParameters<typeof WebSocket>) {
    super(...args)
    this.on('error', () => {})
  }
}

type Transport = (
  url: string,
  variables: Readonly<{ id: string; after: number }>,
  take: (answer: Answer) => void,
) => Promise<void>

const bySocket: Transport = async (url, variables, take) => {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: ForgivingSocket,
    retryAttempts: 0,
  })
  const watchdog = watch(() => client.terminate())
  try {
    for await (const answer of client.iterate({ query, variables })) {
      watchdog.refresh()
      take(answer as Answer)
    }
  } finally {
    watchdog.end()
    // The connection may be closed, which no longer matters.
    await Promise.resolve(client.dispose()).catch(() => undefined)
  }
}

const byEvents: Transport = async (url, variables, take) => {
  const leaving = new AbortController()
  const watchdog = watch(() => leaving.abort())
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query, variables }),
      signal: leaving.signal,
    })
    for await (const { event, data } of readEventStream(response)) {
      watchdog.refresh()
      if (event === 'complete') return
      take(data as Answer)
    }
  } finally {
    watchdog.end()
  }
}

/** Leaves again and again: a stream that is only about to open cannot be left yet. */
function watch(leave: () => void) {
  const timer = setInterval(leave, silenceMs)
  return {
    refresh: () => void timer.refresh(),
    end: () => clearInterval(timer),
  }
}

/**
 * Follows a request to its end, as a frontend does: comes again, after the last change that it has, whenever its
 * stream ends early. Returns each change in the order in which it came.
 */
async function follow(
  url: string,
  id: string,
  transport: Transport,
  isOver: () => boolean,
): Promise<readonly Change[]> {
  const heard: Change[] = []
  while (!isTerminal(heard.at(-1)?.status) && !isOver()) {
    const after = heard.at(-1)?.seq ?? 0
    // Every failure has one answer: to come again.
    await transport(url, { id, after }, ({ data }) => {
      if (data != null) heard.push(data.requestStatus)
    }).catch(() => undefined)
    await setTimeout(pauseMs)
  }
  return heard
}

/** Two subscribers of a request, one by each transport. */
export const subscribe = (url: string, id: string, isOver: () => boolean) =>
  Promise.all([follow(url, id, bySocket, isOver), follow(url, id, byEvents, isOver)])

/** The status of a request; undefined if no gateway answers. */
export async function statusOf(url: string, id: string): Promise<string | undefined> {
  type Status = Readonly<{ requestStatus: Readonly<{ status: string }> | null }>
  const text = 'query($id: RequestId!) { requestStatus(requestId: $id) { status } }'
  try {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, variables: { id } }),
      signal: AbortSignal.timeout(statusLimitMs),
    })
    const { data } = (await response.json()) as { data?: Status }
    return data?.requestStatus?.status
  } catch {
    return undefined
  }
}
