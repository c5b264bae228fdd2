import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createYoga } from 'graphql-yoga'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import type { PriceInput } from '#test/generated/graphql.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'
import { startStack } from '#test/support/gateways/stack.ts'
import type { Load, Measured } from './http/load.ts'
import { multiInputBodies } from './http/multiInputBodies.ts'

if (process.argv.includes('--size')) {
  await import('./size.ts')
  process.exit()
}

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

/** Currency pairs with their minimum input, worth about a hundred dollars. Inputs go up to a hundred times that. */
const pairs: [from: string, to: string, least: number][] = [
  ['ETH', 'USDC', 3e16],
  ['ETH', 'ACORN', 3e16],
  ['USDC', 'ETH', 1e8],
  ['WBTC', 'DAI', 2e5],
]

/** Cross-chain inputs. All amounts differ. */
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

/** A minimal node:http server: it reads the request and always answers with the same JSON. */
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

const gateway = { port: portOf(stack.url), path: '/graphql' }
const servers = {
  'node:http, the same JSON to all': { port: rawPort, path: '/', bodies },
  'Crossquote, priced anew': { ...gateway, bodies },
  'Crossquote, one canned price': { port: portOf(canned.url), path: '/graphql', bodies },
  'Yoga as it comes, one canned price': { port: yogaPort, path: '/graphql', bodies },
}

const originCounts = [1, 4, 16]
const multiInput = originCounts.map((origins) => {
  const { together, apart } = multiInputBodies(stack, origins, 256)
  const named = (name: string) => `${name}, ${origins} ${origins === 1 ? 'origin' : 'origins'}`
  return {
    origins,
    together,
    apart,
    names: [named('together, one quote'), named('apart, a price each')] as const,
  }
})
const subjects: Record<string, Omit<Load, 'clients' | 'seconds'>> = {
  ...servers,
  ...Object.fromEntries(
    multiInput.flatMap(({ together, apart, names: [one, each] }) => [
      [one, { ...gateway, bodies: together }],
      [each, { ...gateway, bodies: apart }],
    ]),
  ),
}

const worker = new Worker(new URL('./http/load.ts', import.meta.url))
async function measure(name: string, seconds: number): Promise<Measured> {
  const subject = subjects[name]
  if (subject === undefined) throw new Error(`Nothing is called ${name}`)
  worker.postMessage({ ...subject, clients, seconds } satisfies Load)
  const [measured] = (await once(worker, 'message')) as [Measured]
  if (measured.failed > 0) throw new Error(`${name}: ${measured.failed} answers had no price`)
  return measured
}

const results = new Map<string, Measured[]>(Object.keys(subjects).map((name) => [name, []]))
for (const name of results.keys()) await measure(name, roundSeconds)
for (let round = 0; round < rounds; round += 1)
  for (const [name, measured] of results) measured.push(await measure(name, roundSeconds))

// Stop following the chains, so that every counted RPC call is caused by a price.
await stack.market.close()
const before = stack.requests()
const priced = await measure('Crossquote, priced anew', roundSeconds)
const gathered = await measure('together, one quote, 16 origins', roundSeconds)
const rpcCalls = sum(Object.values(stack.requests())) - sum(Object.values(before))

await worker.terminate()
await canned.close()
await stack.stop()

report()
process.exit()

function print(...cells: string[]): void {
  const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(38) : cell.padStart(12)))
  process.stdout.write(`${padded.join('')}\n`)
}

function report(): void {
  const raw = rates('node:http, the same JSON to all')
  print(`${clients} clients`, 'per second', 'of raw', 'p50 ms', 'p99 ms')
  for (const name of Object.keys(servers)) {
    const ratios = rates(name).map((rate, round) => rate / (raw[round] ?? 1))
    print(
      name,
      Math.round(median(rates(name))).toString(),
      median(ratios).toFixed(3),
      latency(name, 0.5).toFixed(2),
      latency(name, 0.99).toFixed(2),
    )
  }
  const costs = reportMultiInput()
  const name = 'Crossquote, priced anew'
  const share = median(rates(name).map((rate, round) => rate / (raw[round] ?? 1)))
  const targets: [what: string, met: boolean][] = [
    ['throughput at least 0.25 of raw', share >= 0.25],
    ['throughput at least 0.43 of raw: the dream', share >= 0.43],
    ['p50 under 5 ms', latency(name, 0.5) < 5],
    ['p99 under 25 ms', latency(name, 0.99) < 25],
    [
      `no RPC calls in ${priced.milliseconds.length} prices and ${gathered.milliseconds.length} quotes`,
      rpcCalls === 0,
    ],
    [
      'an origin costs less the more there are',
      costs.every((cost, at) => cost <= (costs[at - 1] ?? cost)),
    ],
  ]
  for (const [what, met] of targets) print(what, met ? 'met' : 'NOT MET')
}

/**
 * Prints the cost of quotes with several origins beside the cost of a price per origin. Returns the milliseconds
 * per origin.
 */
function reportMultiInput(): number[] {
  print('', 'per second', 'of apart', 'p50 ms', 'p99 ms', 'ms/origin')
  return multiInput.map(({ origins, names }) => {
    const [together] = names
    const apart = rates(names[1])
    const ratios = rates(together).map((rate, round) => rate / (apart[round] ?? 1))
    const costs = names.map((name) => 1000 / median(rates(name)) / origins)
    names.forEach((name, at) => {
      print(
        name,
        Math.round(median(rates(name))).toString(),
        (at === 0 ? median(ratios) : 1).toFixed(2),
        latency(name, 0.5).toFixed(2),
        latency(name, 0.99).toFixed(2),
        (costs[at] ?? 0).toFixed(3),
      )
    })
    return costs[0] ?? 0
  })
}

/** Answers per second, by round. */
function rates(name: string): number[] {
  return (results.get(name) ?? []).map(({ milliseconds, seconds }) => milliseconds.length / seconds)
}

/** The median over all rounds of a latency quantile. */
function latency(name: string, quantile: number): number {
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
