import { subscribeByEvents, subscribeBySocket } from '#test/support/clients/rawSubscriber.ts'
import { idOf } from '#test/support/store/storeModel.ts'

/**
 * Starts the given number of subscribers, half by server-sent events and half by WebSocket. Subscriber n gets
 * the topic `from` + n modulo `topics`.
 */
export type Join = Readonly<{
  kind: 'crossquote' | 'raw'
  port: number
  subscribers: number
  topics: number
  from: number
}>

/** When each subscriber received the event with a given `seq`, in milliseconds since 1970. */
export type Received = Readonly<{ seq: number; times: readonly number[]; faults: number }>

const document =
  'subscription W($id: RequestId!) { requestStatus(requestId: $id) { seq status inTxHashes txHashes steps { name items { status } } } }'

const received: number[][] = []
const seqs: number[] = []
let faults = 0
let subscribers = 0

let counts: number[] = []

/** Counts a fault unless each event arrives exactly once and in order. */
function noteAll(subscriber: number, text: string): void {
  for (const [, seq] of text.matchAll(/"seq":(\d+)/g)) {
    const at = Number(seq)
    if (at !== (seqs[subscriber] ?? -1) + 1) faults += 1
    seqs[subscriber] = at
    const times = received[at] ?? []
    received[at] = times
    times[subscriber] = performance.timeOrigin + performance.now()
    counts[at] = (counts[at] ?? 0) + 1
    if (counts[at] === subscribers) process.send?.({ seq: at, times, faults } satisfies Received)
  }
}

/** Functions that close the connections. */
const ends: (() => void)[] = []

function joinByEvents(join: Join, topic: number, subscriber: number, isStalled = false) {
  return new Promise<void>((resolve, reject) => {
    const socket = subscribeByEvents(subscriptionTo(join, topic), (text) => {
      if (isStalled) socket.pause()
      else noteAll(subscriber, text)
      if (text.includes('"seq":0')) resolve()
    })
    ends.push(() => socket.destroy())
    socket.on('error', reject)
  })
}

function joinBySocket(join: Join, topic: number, subscriber: number) {
  return new Promise<void>((resolve, reject) => {
    const socket = subscribeBySocket(subscriptionTo(join, topic), (text) => {
      noteAll(subscriber, text)
      if (text.includes('"seq":0')) resolve()
    })
    ends.push(() => socket.terminate())
    socket.on('error', reject)
  })
}

const subscriptionTo = ({ kind, port }: Join, topic: number) => ({
  port,
  ...(kind === 'raw' && { path: `/?topic=${topic}` }),
  query: document,
  variables: { id: idOf(topic) },
})

/** Limits concurrent connection attempts, because a server accepts only a limited number at once. */
const atOnce = 50

process.on('message', async (join: Join | 'leave') => {
  if (join === 'leave') {
    for (const end of ends.splice(0)) end()
    return
  }
  received.length = 0
  seqs.length = 0
  counts = []
  faults = 0
  subscribers = join.subscribers
  for (let first = 0; first < join.subscribers; first += atOnce)
    await Promise.all(
      Array.from({ length: Math.min(atOnce, join.subscribers - first) }, (_, at) => {
        const subscriber = first + at
        const topic = join.from + (subscriber % join.topics)
        const by = subscriber % 2 === 0 ? joinByEvents : joinBySocket
        return by(join, topic, subscriber)
      }),
    )
  await joinByEvents(join, join.from, -1, true)
  process.send?.('joined')
})
