import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { createLog } from '#src/config/log.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import type { QuoteInput } from '#test/generated/graphql.ts'
import { startStack } from '#test/support/gateways/stack.ts'
import type { Measured as Driven, Load } from './http/load.ts'

/** Adds the CPU time of the gateway’s thread. */
type Measured = Driven & Readonly<{ cpuMilliseconds: number }>

/**
 * Measures quotes per second over HTTP, stored in PGlite and in Postgres, beside prices of the same orders in
 * the same run. It creates a temporary database on the Postgres server BENCH_DATABASE_URL. CPU time is that of
 * the gateway’s thread, so unlike the latencies, it does not include other work on the machine.
 */
const clients = 16
const rounds = 7
const roundSeconds = 1.5

const priced = `
  fees { gas { amount } relayer { amount amountUsd } app { amount } }
  details {
    operation rate timeEstimate
    currencyIn { amount amountUsd currency { symbol } } currencyOut { amount amountUsd minimumAmount }
    totalImpact { usd percent } slippageTolerance { destination { value percent } }
  }
  blocks { chainId number }
`
const executable = `
  requestId
  steps { name action description kind requestId items { status
    data { from to data value chainId maxFeePerGas maxPriorityFeePerGas } check { endpoint method } } }
  protocol { v2 { orderId orderData paymentDetails { chainId depository currency amount } } }
`
const price = `query Price($input: PriceInput!) { price(input: $input) { ${priced} } }`
const quotedOnly = `query Quoted($input: QuoteInput!) { quote(input: $input) { ${priced} } }`
const quote = `query Quote($input: QuoteInput!) { quote(input: $input) { ${priced} ${executable} } }`
const simulated = quote.replace('maxFeePerGas', 'gas maxFeePerGas')

const stack = await startStack({ maxOpenQuotes: 1_000_000_000 })
const [home, away] = stack.devnet.description.chains
if (home === undefined || away === undefined) throw new Error('The devnet has no two chains')

const pairs: [from: string, to: string, least: number][] = [
  ['ETH', 'USDC', 3e16],
  ['ETH', 'ACORN', 3e16],
  ['USDC', 'ETH', 1e8],
  ['WBTC', 'DAI', 2e5],
]

/** Cross-chain inputs. All users and all amounts differ. */
const inputs = Array.from({ length: 256 }, (_, at): QuoteInput => {
  const [from, to, least] = pairs[at % pairs.length] ?? ['ETH', 'USDC', 3e16]
  return {
    user: privateKeyToAddress(generatePrivateKey()),
    originChainId: home.id,
    originCurrency: stack.currencyOn(home.id, from),
    destinationChainId: away.id,
    destinationCurrency: stack.currencyOn(away.id, to),
    amount: BigInt(Math.floor(least * 100 ** Math.random())).toString(),
    tradeType: 'EXACT_INPUT',
  }
})
const bodiesOf = (query: string) =>
  inputs.map((input) => JSON.stringify({ query, variables: { input } }))

// biome-ignore lint/style/noProcessEnv: benchmarks are configured by environment variables, as main is.
const serverUrl = process.env['BENCH_DATABASE_URL']
const database = serverUrl === undefined ? undefined : await createDatabase(serverUrl)
const deps = { log: createLog('silent'), bus: createLocalBus() }
const postgres = database && (await openRequestStore(deps, database))
const onPostgres = postgres && (await stack.serve(postgres))

const at = (url: string, query: string) => ({
  port: Number(new URL(url).port),
  path: '/graphql',
  bodies: bodiesOf(query),
})
const runs = {
  price: at(stack.url, price),
  'quote, no steps selected': at(stack.url, quotedOnly),
  'quote, stored in PGlite': at(stack.url, quote),
  ...(onPostgres && { 'quote, stored in Postgres': at(onPostgres.url, quote) }),
  'quote in PGlite, gas simulated': at(stack.url, simulated),
}
const names = Object.keys(runs) as (keyof typeof runs)[]

const worker = new Worker(new URL('./http/load.ts', import.meta.url))
async function measure(name: keyof typeof runs): Promise<Measured> {
  const run = runs[name]
  if (run === undefined) throw new Error(`No run ${name}`)
  const before = process.threadCpuUsage()
  worker.postMessage({ ...run, clients, seconds: roundSeconds } satisfies Load)
  const [measured] = (await once(worker, 'message')) as [Driven]
  if (measured.failed > 0) throw new Error(`${name}: ${measured.failed} answers had no data`)
  const { user, system } = process.threadCpuUsage(before)
  return { ...measured, cpuMilliseconds: (user + system) / 1000 }
}

const results = new Map(names.map((name) => [name, [] as Measured[]]))
for (const name of names) await measure(name)
for (let round = 0; round < rounds; round += 1)
  for (const name of names) results.get(name)?.push(await measure(name))

await worker.terminate()
await onPostgres?.close()
await postgres?.close()
await database?.drop()
await stack.stop()
report()
process.exit()

function report(): void {
  const print = (...cells: string[]) =>
    process.stdout.write(
      `${cells.map((cell, place) => (place === 0 ? cell.padEnd(34) : cell.padStart(12))).join('')}\n`,
    )
  print(
    `${clients} clients`,
    'per second',
    'p50 ms',
    'p99 ms',
    'CPU ms',
    'p50 × price',
    'CPU × price',
  )
  for (const name of names)
    print(
      name,
      Math.round(
        median(inRounds(name, ({ milliseconds, seconds }) => milliseconds.length / seconds)),
      ).toString(),
      median(inRounds(name, quantile(0.5))).toFixed(2),
      median(inRounds(name, quantile(0.99))).toFixed(2),
      median(inRounds(name, cpuEach)).toFixed(3),
      ratio(name, quantile(0.5)).toFixed(2),
      ratio(name, cpuEach).toFixed(2),
    )
  for (const name of names.filter((each) => each.includes('stored')))
    print(`${name}: at most twice a price`, ratio(name, quantile(0.5)) <= 2 ? 'met' : 'NOT MET')
}

/** The median ratio to the same figure of a price in the same round. */
function ratio(name: keyof typeof runs, of: (measured: Measured) => number): number {
  const base = inRounds('price', of)
  return median(inRounds(name, of).map((each, round) => each / (base[round] ?? 1)))
}

function inRounds(name: keyof typeof runs, of: (measured: Measured) => number): number[] {
  return (results.get(name) ?? []).map(of)
}

function cpuEach({ cpuMilliseconds, milliseconds }: Measured): number {
  return cpuMilliseconds / milliseconds.length
}

function quantile(share: number) {
  return ({ milliseconds }: Measured) => milliseconds[Math.floor(milliseconds.length * share)] ?? 0
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}

/** Creates a temporary database, so that nothing remains on the server. */
async function createDatabase(url: string) {
  const name = `crossquote_bench_${process.pid}`
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text)
    await client.end()
  }
  await ask(`create database ${name}`)
  const own = new URL(url)
  own.pathname = name
  return {
    databaseUrl: own.href,
    directory: '/nowhere',
    drop: () => ask(`drop database ${name} with (force)`),
  }
}
