import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { createLog } from '#src/config/log.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { subscribeByEvents, subscribeBySocket } from '#test/support/clients/rawSubscriber.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

/**
 * Measures the time from a block’s announcement to the subscriber’s event. This process receives announcements
 * over its own WebSocket to the chain. Crossquote runs as a second process. BENCH_DATABASE_URL and
 * BENCH_REDIS_URL replace its embedded Postgres and its local bus.
 */
const requests = 100

/** Confirmations that the devnet requires for a deposit and for a fill. */
const confirmations = 1

type Seen = Readonly<{ blockNumber: number | null }> | null
type StatusEvent = Readonly<{
  status: string
  steps: readonly Readonly<{ items: readonly Readonly<{ transaction: Seen }>[] }>[]
  fill: Readonly<{ transaction: Seen }> | null
}>

const query = `subscription Watch($id: RequestId!) { requestStatus(requestId: $id) {
  seq status steps { items { transaction { blockNumber } } } fill { transaction { blockNumber } } } }`

const quoteQuery = `query Quote($input: QuoteInput!) { quote(input: $input) {
  requestId steps { items { data { to data value chainId gas maxFeePerGas maxPriorityFeePerGas } } } } }`

type Quoted = Readonly<{
  quote: Readonly<{ requestId: string; steps: Parameters<Wallet['execute']>[0] }>
}>

const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
const log = createLog('silent')
const devnet = await startDevnet({ log, directory, firstPort: 0 })
const [origin, destination] = devnet.description.chains
if (origin === undefined || destination === undefined)
  throw new Error('The devnet has no two chains')

const closes: (() => void)[] = []

/** Records when each block of a chain was announced, by block number. */
async function watchBlocks(
  wsUrl: string,
  listener: (number: string, at: number) => void = () => undefined,
): Promise<ReadonlyMap<number, number>> {
  const announced = new Map<number, number>()
  const socket = new WebSocket(wsUrl)
  closes.push(() => socket.terminate())
  await once(socket, 'open')
  socket.on('message', (bytes) => {
    const at = performance.now()
    const head = JSON.parse(bytes.toString()).params?.result?.number
    if (head === undefined) return
    announced.set(Number(head), at)
    listener(head, at)
  })
  socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
  return announced
}
/** Milliseconds from a block to the event, by the kind of change. */
const latencies = new Map<string, number[]>()
const note = (what: string, ms: number): void => {
  latencies.set(what, [...(latencies.get(what) ?? []), ms])
}

/** Baseline: reads a block and its logs without Crossquote. It includes the delays of a busy machine. */
async function readLogs(number: string, at: number): Promise<void> {
  await askOrigin('eth_getBlockByNumber', [number, false])
  await askOrigin('eth_getLogs', [{ fromBlock: number, toBlock: number }])
  note('a block and its logs read, bare', performance.now() - at)
}
const askOrigin = async (method: string, params: readonly unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(origin.rpcUrl, { method: 'POST', headers, body })).json()
}
const originBlocks = await watchBlocks(origin.wsUrl, (number, at) => {
  // A read that fails because the chain stops is not measured.
  readLogs(number, at).catch(() => undefined)
})
const destinationBlocks = await watchBlocks(destination.wsUrl)

// A long block time makes polling visible in the measurements: polls would be at least 3 s apart.
const configPath = join(directory, 'slowConfig.json')
const chains = devnet.config.chains.map((chain) => ({ ...chain, blockSeconds: 12 }))
writeFileSync(configPath, JSON.stringify({ ...devnet.config, chains }))

// biome-ignore lint/style/noProcessEnv: benchmarks are configured by environment variables, as main is.
const { BENCH_DATABASE_URL, BENCH_REDIS_URL } = process.env
const crossquote = spawn(process.execPath, ['src/main.ts'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    PATH: '/usr/bin:/bin',
    PORT: '0',
    CONFIG: configPath,
    DATA_DIRECTORY: directory,
    ...devnetKeys,
    ...(BENCH_DATABASE_URL && { DATABASE_URL: BENCH_DATABASE_URL }),
    ...(BENCH_REDIS_URL && { REDIS_URL: BENCH_REDIS_URL }),
  },
})
const url = await new Promise<string>((resolve, reject) => {
  crossquote.once('close', () => reject(new Error('Crossquote ended')))
  createInterface(crossquote.stdout).on('line', (line) => {
    const [found] = /http:\/\/localhost:\d+/.exec(line) ?? []
    if (found !== undefined) resolve(found)
  })
})
while (!(await fetch(`${url}/ready`)).ok) await pause(50)
const client = createGraphqlClient(url)
const wallet = createWallet(devnet.description, users[0])

async function quote(at: number) {
  const input = {
    user: wallet.address,
    originChainId: origin?.id,
    originCurrency: nativeAddress,
    destinationChainId: destination?.id,
    destinationCurrency: nativeAddress,
    amount: `${10n ** 17n + BigInt(at)}`,
    tradeType: 'EXACT_INPUT',
  }
  const { data, errors } = await client.query<Quoted, object>(quoteQuery, { input })
  if (data == null) throw new Error(JSON.stringify(errors))
  return data.quote
}

type Stage = Readonly<{
  what: string
  at: number
  chain: ReadonlyMap<number, number>
  block: number
}>

/** Follows one request over one transport until it ends. */
function follow(kind: 'SSE' | 'WS', requestId: string) {
  const joined = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<void>()
  const over = Promise.withResolvers<void>()
  const stages = new Map<string, Stage>()
  const reach = (what: string, chain: Stage['chain'], block: number) => {
    if (stages.has(what)) return
    stages.set(what, { what: `${what}, ${kind}`, at: performance.now(), chain, block })
  }
  const take = ({ status, steps, fill }: StatusEvent): void => {
    joined.resolve()
    const deposit = steps.at(-1)?.items.at(-1)?.transaction?.blockNumber ?? undefined
    const filled = fill?.transaction?.blockNumber ?? undefined
    if (deposit !== undefined) {
      reach('deposit → seen', originBlocks, deposit)
      seen.resolve()
      if (status === 'pending')
        reach('confirmation → pending', originBlocks, deposit + confirmations)
    }
    if (filled === undefined) return
    if (status === 'submitted') reach('fill → seen', destinationBlocks, filled)
    if (status !== 'success') return
    reach('confirmation → success', destinationBlocks, filled + confirmations)
    over.resolve()
  }
  const takeEvents = (text: string): void => {
    for (const line of text.split('\n'))
      if (line.startsWith('data: '))
        take(JSON.parse(line.slice('data: '.length)).data.requestStatus)
  }
  const takeMessage = (text: string): void => {
    const { type, payload } = JSON.parse(text)
    if (type === 'next') take(payload.data.requestStatus)
  }
  const asked = { port: Number(new URL(url).port), query, variables: { id: requestId } }
  const socket =
    kind === 'SSE' ? subscribeByEvents(asked, takeEvents) : subscribeBySocket(asked, takeMessage)
  socket.on('error', over.reject)
  return {
    joined: joined.promise,
    seen: seen.promise,
    over: over.promise.then(() => {
      if ('terminate' in socket) socket.terminate()
      else socket.destroy()
      for (const { what, at, chain, block } of stages.values()) {
        const announced = chain.get(block)
        if (announced !== undefined) note(what, at - announced)
      }
    }),
  }
}

process.once('exit', () => crossquote.kill())
const ends: Promise<void>[] = []
for (let at = 0; at < requests; at += 1) {
  const { requestId, steps } = await quote(at)
  const followed = (['SSE', 'WS'] as const).map((kind) => follow(kind, requestId))
  await Promise.all(followed.map(({ joined }) => joined))
  await wallet.execute(steps)
  await Promise.all(followed.map(({ seen }) => seen))
  ends.push(...followed.map(({ over }) => over))
}
await Promise.all(ends)

const ended = once(crossquote, 'close')
crossquote.kill()
await ended
for (const close of closes) close()
await devnet.stop()
rmSync(directory, { recursive: true })

const print = (...cells: string[]) =>
  process.stdout.write(
    `${cells.map((cell, at) => (at === 0 ? cell.padEnd(34) : cell.padStart(10))).join('')}\n`,
  )
print(`block → event, ${requests} requests`, 'p50 ms', 'p99 ms', 'max ms', 'of')
for (const [what, unsorted] of latencies) {
  const sorted = unsorted.toSorted((one, other) => one - other)
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  print(what, ...[0.5, 0.99, 1].map((share) => quantile(share).toFixed(1)), `${sorted.length}`)
  if (what.startsWith('deposit'))
    print(`${what}: p50 under 100 ms`, quantile(0.5) < 100 ? 'met' : 'NOT MET')
}
process.exit()
