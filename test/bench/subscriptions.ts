import type { ChildProcess } from 'node:child_process'
import { ask, startChild } from './children.ts'
import { measureLivePrices } from './livePrices.ts'
import type { Join, Received } from './subscriptions/subscriptionsClient.ts'
import type { Publish, Published, ServerState } from './subscriptions/subscriptionsServer.ts'

const subscribers = 5_000
const rounds = 20

type Setting = Readonly<{
  name: string
  topics: number
  rounds: number
  /** Events published per second, over all topics. */
  perSecond: number
}>

const settings: readonly Setting[] = [
  { name: 'all on one topic', topics: 1, rounds, perSecond: 1 },
  { name: 'a topic each', topics: subscribers, rounds: 2, perSecond: 500 },
]

type Kind = Join['kind']

type Measured = Readonly<{
  latencies: readonly number[]
  /** Bytes per subscriber. */
  live: number
  rss: number
  faults: number
}>

/** Subscribers that come and go before the measurement, on their own topic, so that all code is loaded and compiled. */
const warmUpSubscribers = 1_000
const warmUpRounds = 5

async function warmUp(server: ChildProcess, client: ChildProcess, join: Join) {
  await joinAll(client, join)
  for (let round = 0; round < warmUpRounds; round += 1) {
    const receiving = ask<Received>(client)
    await ask<Published>(server, { topics: 1, from: join.from, perSecond: 1 } satisfies Publish)
    await receiving
  }
  client.send('leave')
  while ((await ask<ServerState>(server, 'state')).connections > 0);
  // Read the state twice: the memory of a closed connection is freed with the next one.
  return ask<ServerState>(server, 'state')
}

async function joinAll(client: ChildProcess, join: Join): Promise<void> {
  client.send(join)
  // The client sends `joined` when every subscriber has its first event, which is the current status.
  while ((await ask<Received | 'joined'>(client)) !== 'joined');
}

/** Measures with one further subscriber on the first topic that has stopped reading. */
async function measure(kind: Kind, setting: Setting): Promise<Measured> {
  const server = startChild('subscriptions/subscriptionsServer.ts', kind, `${setting.topics + 1}`)
  const client = startChild('subscriptions/subscriptionsClient.ts')
  try {
    const { port } = await ask<ServerState>(server)
    const { topics } = setting
    const before = await warmUp(server, client, {
      kind,
      port,
      subscribers: warmUpSubscribers,
      topics: 1,
      from: topics,
    })
    await joinAll(client, { kind, port, subscribers, topics, from: 0 })
    const after = await ask<ServerState>(server, 'state')
    const latencies: number[] = []
    let faults = 0
    for (let round = 0; round < setting.rounds; round += 1) {
      const receiving = ask<Received>(client)
      const { perSecond } = setting
      const published = await ask<Published>(server, {
        topics,
        perSecond,
        from: 0,
      } satisfies Publish)
      const received = await receiving
      faults = received.faults
      received.times.forEach((at, subscriber) => {
        latencies.push(at - (published.times[subscriber % topics] ?? 0))
      })
    }
    return {
      latencies: latencies.sort((one, other) => one - other),
      live: (after.live - before.live) / subscribers,
      rss: (after.rss - before.rss) / subscribers,
      faults,
    }
  } finally {
    server.kill()
    client.kill()
  }
}

const quantile = ({ latencies }: Measured, share: number): number =>
  latencies[Math.floor(latencies.length * share)] ?? 0

const print = (...cells: string[]) =>
  process.stdout.write(
    `${cells.map((cell, at) => (at === 0 ? cell.padEnd(44) : cell.padStart(12))).join('')}\n`,
  )

const targets: [what: string, met: boolean][] = []
if (process.argv[2] !== 'prices') targets.push(...(await measureStatuses()))
targets.push(...(await measureLivePrices()))
for (const [what, met] of targets) print(what, met ? 'met' : 'NOT MET')
process.exit()

/**
 * Prints delivery and memory of request statuses. Per subscriber, in a process that is already warm: `live` is the memory
 * after a full collection, `RSS` is what the system has allocated to the process. Another benchmark measures the latency
 * from a deposit’s block.
 */
async function measureStatuses(): Promise<[what: string, met: boolean][]> {
  const targets: [what: string, met: boolean][] = []
  print(
    `${subscribers} subscribers, half SSE, half WS`,
    'p50 ms',
    'p99 ms',
    'live KB',
    'RSS KB',
    'faults',
  )
  for (const setting of settings) {
    const raw = await measure('raw', setting)
    const ours = await measure('crossquote', setting)
    for (const [name, measured] of [
      ['node:http and ws', raw],
      ['Crossquote', ours],
    ] as const)
      print(
        `${setting.name}: ${name}`,
        quantile(measured, 0.5).toFixed(1),
        quantile(measured, 0.99).toFixed(1),
        (measured.live / 1024).toFixed(1),
        (measured.rss / 1024).toFixed(1),
        `${measured.faults}`,
      )
    print(
      `${setting.name}: of raw`,
      ...[0.5, 0.99].map((share) => (quantile(ours, share) / quantile(raw, share)).toFixed(2)),
      (ours.live / raw.live).toFixed(2),
      (ours.rss / raw.rss).toFixed(2),
    )
    targets.push(
      [`${setting.name}: p99 under 250 ms`, quantile(ours, 0.99) < 250],
      [`${setting.name}: under 30 KB live each`, ours.live < 30 * 1024],
      [`${setting.name}: under 30 KB RSS each`, ours.rss < 30 * 1024],
      [`${setting.name}: each event once, in order`, ours.faults === 0],
    )
  }
  return targets
}
