import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createYoga } from 'graphql-yoga'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { cannedOperations } from '#test/cannedOperations.ts'
import type { PriceInput } from '#test/generated/graphql.ts'
import { serveGateway } from '#test/serveGateway.ts'
import { startStack } from '#test/stack.ts'
import type { Load, Measured } from './load.ts'

const clients = 16
const rounds = 7
const roundSeconds = 1.5

const query = `
  query Price($input: PriceInput!) {
    price(input: $input) {
      fees { gas { ...A } relayer { ...A } relayerGas { ...A } relayerService { ...A } app { ...A } subsidized { ...A } }
      details {
        operation sender recipient rate timeEstimate
        currencyIn { ...A } currencyOut { ...A }
        totalImpact { usd percent } swapImpact { usd percent }
        slippageTolerance { origin { usd value percent } destination { usd value percent } }
      }
      blocks { chainId number hash timestamp }
    }
  }
  fragment A on CurrencyAmount {
    currency { chainId address symbol name decimals metadata { logoURI verified isNative } }
    amount amountFormatted amountUsd minimumAmount
  }
`

const stack = await startStack()
const [home, away] = stack.devnet.description.chains
if (home === undefined || away === undefined) throw new Error('The devnet has no two chains')

/** Pairs, and the least that is paid in: a hundred dollars or so, and up to a hundred times that. */
const pairs: [from: string, to: string, least: number][] = [
  ['ETH', 'USDC', 3e16],
  ['ETH', 'ACORN', 3e16],
  ['USDC', 'ETH', 1e8],
  ['WBTC', 'DAI', 2e5],
]

/** From one chain into another, no two amounts alike. */
const inputs = Array.from({ length: 256 }, (_, at): PriceInput => {
  const [from, to, least] = pairs[at % pairs.length] ?? ['ETH', 'USDC', 3e16]
  return {
    user: stack.devnet.description.accounts[0]?.address ?? '',
    originChainId: home.id,
    originCurrency: stack.currencyOn(home.id, from),
    destinationChainId: away.id,
    destinationCurrency: stack.currencyOn(away.id, to),
    amount: BigInt(Math.floor(least * 100 ** Math.random())).toString(),
    tradeType: 'EXACT_INPUT',
  }
})
const bodies = inputs.map((input) => JSON.stringify({ query, variables: { input } }))

const portOf = (url: string): number => Number(new URL(url).port)

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const firstAnswer = JSON.stringify(await stack.query(query, { input: inputs[0] }))

/** node:http at its plainest: reads the request, answers the same JSON to each. */
const rawPort = await listen((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    Buffer.concat(chunks).toString()
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(firstAnswer),
    })
    response.end(firstAnswer)
  })
})

const yogaPort = await listen(
  createYoga({
    schema: createSchema(),
    context: { operations: cannedOperations, loaders: cannedOperations.loaders() },
  }),
)

const canned = await serveGateway()

const servers = {
  'node:http, the same JSON to all': { port: rawPort, path: '/' },
  'Crossquote, priced anew': { port: portOf(stack.url), path: '/graphql' },
  'Crossquote, one canned price': { port: portOf(canned.url), path: '/graphql' },
  'Yoga as it comes, one canned price': { port: yogaPort, path: '/graphql' },
}
type Name = keyof typeof servers

const worker = new Worker(new URL('./load.ts', import.meta.url))
async function measure(name: Name, seconds: number): Promise<Measured> {
  worker.postMessage({ ...servers[name], bodies, clients, seconds } satisfies Load)
  const [measured] = (await once(worker, 'message')) as [Measured]
  if (measured.failed > 0) throw new Error(`${name}: ${measured.failed} answers were no price`)
  return measured
}

const names = Object.keys(servers) as Name[]
const results = new Map<Name, Measured[]>(names.map((name) => [name, []]))
for (const name of names) await measure(name, roundSeconds)
for (let round = 0; round < rounds; round += 1)
  for (const name of names) results.get(name)?.push(await measure(name, roundSeconds))

// With the chains followed no more, every call would be one of the prices'.
await stack.market.close()
const before = stack.requests()
const priced = await measure('Crossquote, priced anew', roundSeconds)
const rpcCalls = sum(Object.values(stack.requests())) - sum(Object.values(before))

await worker.terminate()
await canned.close()
await stack.stop()

report()
process.exit()

function report(): void {
  const print = (...cells: string[]) =>
    process.stdout.write(
      `${cells.map((cell, at) => (at === 0 ? cell.padEnd(38) : cell.padStart(12))).join('')}\n`,
    )
  const raw = rates('node:http, the same JSON to all')
  print(`${clients} clients`, 'per second', 'of raw', 'p50 ms', 'p99 ms')
  for (const name of names) {
    const ratios = rates(name).map((rate, round) => rate / (raw[round] ?? 1))
    print(
      name,
      Math.round(median(rates(name))).toString(),
      median(ratios).toFixed(3),
      latency(name, 0.5).toFixed(2),
      latency(name, 0.99).toFixed(2),
    )
  }
  const name = 'Crossquote, priced anew'
  const share = median(rates(name).map((rate, round) => rate / (raw[round] ?? 1)))
  const targets: [what: string, met: boolean][] = [
    ['throughput at least 0.25 of raw', share >= 0.25],
    ['throughput at least 0.43 of raw: the dream', share >= 0.43],
    ['p50 under 5 ms', latency(name, 0.5) < 5],
    ['p99 under 25 ms', latency(name, 0.99) < 25],
    [`no RPC calls in ${priced.milliseconds.length} prices`, rpcCalls === 0],
  ]
  for (const [what, met] of targets) print(what, met ? 'met' : 'NOT MET')
}

/** Answers a second, by round. */
function rates(name: Name): number[] {
  return (results.get(name) ?? []).map(({ milliseconds, seconds }) => milliseconds.length / seconds)
}

/** The median over rounds of a quantile. */
function latency(name: Name, quantile: number): number {
  return median(
    (results.get(name) ?? []).map(
      ({ milliseconds }) => milliseconds[Math.floor(milliseconds.length * quantile)] ?? 0,
    ),
  )
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
