import type { ChildProcess } from 'node:child_process'
import { ask, startChild } from './children.ts'
import type { Join, Read } from './livePrices/client.ts'
import { askPrices } from './livePrices/queries.ts'
import type { Ran, Ready, Run } from './livePrices/server.ts'

const subscribers = 2_000
const inputs = 200
const blockMs = 250
const seconds = 15
const queriesPerSecond = 40

type Measured = Readonly<{ ran: Ran; queries: readonly number[] }>

/** Blocks and queries at once. */
async function run(server: ChildProcess, { port, asked }: Ready): Promise<Measured> {
  const running = ask<Ran>(server, { seconds, blockMs } satisfies Run)
  const pace = { seconds: seconds - 1, perSecond: queriesPerSecond }
  const queries = await askPrices(port, asked, pace)
  return { ran: await running, queries }
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN

const print = (name: string, value: string) =>
  process.stdout.write(`${name.padEnd(60)}${value.padStart(14)}\n`)

/** Milliseconds between two events of the same subscriber, sorted. */
function gapsOf(read: Read): readonly number[] {
  const last: number[] = []
  const gaps = read.times.map((at, index) => {
    const subscriber = read.subscribers[index] ?? 0
    const gap = at - (last[subscriber] ?? Number.NaN)
    last[subscriber] = at
    return gap
  })
  return gaps.filter(Number.isFinite).sort((one, other) => one - other)
}

async function measure(kind: 'devnet' | 'generated') {
  const server = startChild('livePrices/server.ts', kind, `${inputs}`)
  const client = startChild('livePrices/client.ts')
  try {
    const ready = await ask<Ready>(server)
    const { port, followed } = ready
    // Once before, so that all code is compiled.
    await run(server, ready)
    const idle = await run(server, ready)
    await ask(client, { port, subscribers, inputs: followed } satisfies Join)
    await ask<Read>(client, 'read')
    const busy = await run(server, ready)
    const read = await ask<Read>(client, 'read')
    const { published } = busy.ran
    const delays = read.times
      .map((at, index) => at - (published[read.blocks[index] ?? 0] ?? Number.NaN))
      .filter(Number.isFinite)
      .sort((one, other) => one - other)
    return { idle, busy, read, delays, gaps: gapsOf(read) }
  } finally {
    server.kill()
    client.kill()
  }
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MB`
const ms = (value: number): string => `${value.toFixed(1)} ms`

/** Prints what 2,000 live prices cost, on the devnet's market and over 1,000 pools. Returns the targets. */
export async function measureLivePrices(): Promise<[what: string, met: boolean][]> {
  const targets: [what: string, met: boolean][] = []
  for (const kind of ['devnet', 'generated'] as const) {
    const { idle, busy, read, delays, gaps } = await measure(kind)
    const market = kind === 'devnet' ? 'the devnet’s market' : '1,000 pools'
    print(`${subscribers} live prices of ${inputs} inputs, ${market}`, '')
    print(`  events per second`, (read.times.length / seconds).toFixed(0))
    print(
      '  prices computed per second, queries included',
      (busy.ran.searches / seconds).toFixed(0),
    )
    for (const share of [0.5, 0.99, 0.999])
      print(`  from the told block to its event, p${share * 100}`, ms(quantile(delays, share)))
    for (const share of [0.5, 0.99])
      print(`  between two events of a subscriber, p${share * 100}`, ms(quantile(gaps, share)))
    for (const share of [0.5, 0.99])
      print(
        `  a query of its own, p${share * 100}: idle, with subscribers`,
        `${ms(quantile(idle.queries, share))}, ${ms(quantile(busy.queries, share))}`,
      )
    print(
      '  CPU of the gateway: idle, with subscribers',
      `${(idle.ran.cpu * 100).toFixed(0)} %, ${(busy.ran.cpu * 100).toFixed(0)} %`,
    )
    print(
      '  memory: live before, live after, RSS',
      `${megabytes(idle.ran.live)}, ${megabytes(busy.ran.live)}, ${megabytes(busy.ran.rss)}`,
    )
    targets.push(
      [`live prices, ${market}: none equal to its predecessor`, read.faults === 0],
      [
        `live prices, ${market}: queries’ p99 at most twice that without`,
        quantile(busy.queries, 0.99) <= 2 * quantile(idle.queries, 0.99),
      ],
    )
    const most = kind === 'devnet' ? 100 : 300
    targets.push([
      `live prices, ${market}: p99 from block to event at most ${most} ms`,
      quantile(delays, 0.99) <= most,
    ])
  }
  return targets
}
