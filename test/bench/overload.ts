import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { readEnvironment } from '#src/config/environment.ts'
import { limitsOf } from '#src/system/gatewayLimits.ts'
import { startStack } from '#test/support/gateways/stack.ts'
import { startChild } from './children.ts'
import type { OverloadMeasured } from './http/overloadLoad.ts'
import { print, printTargets, quantile, runLoads } from './http/overloadRuns.ts'

if (process.argv.includes('--attack')) {
  await import('./attack.ts')
  process.exit()
}

/**
 * Measures what a gateway answers that gets more requests than it can answer. Clients send without a pause. The capacity is the
 * rate at which `capacityClients` of them are answered; ten times as many ask for ten times the capacity. Clients that are
 * refused send again at once, or wait as `retry-after` says. Rate limits are off, all other limits as in production.
 * Figures are medians over rounds that take turns, because others use the machine too.
 */
const capacityClients = 64
const seconds = 4
const rounds = 3

const { values } = parseArgs({ options: { 'max-queue-ms': { type: 'string' } } })
const limits = limitsOf(
  readEnvironment({
    RATE_LIMIT_UNITS: '0',
    RATE_LIMIT_KEY_UNITS: '0',
    ...(values['max-queue-ms'] !== undefined && { MAX_QUEUE_MS: values['max-queue-ms'] }),
  }),
)
const stack = await startStack({ maxOpenQuotes: 1_000_000_000 }, ['gateway'], limits)
const [home, away] = stack.devnet.description.chains
if (home === undefined || away === undefined) throw new Error('The devnet has no two chains')

const inputs = Array.from({ length: 256 }, () => ({
  user: privateKeyToAddress(generatePrivateKey()),
  originChainId: home.id,
  originCurrency: stack.currencyOn(home.id, 'ETH'),
  destinationChainId: away.id,
  destinationCurrency: stack.currencyOn(away.id, 'USDC'),
  amount: BigInt(Math.floor(3e16 * 100 ** Math.random())).toString(),
  tradeType: 'EXACT_INPUT',
}))
const priced = 'details { rate currencyIn { amount } currencyOut { amount amountUsd } }'
const kinds = {
  price: `query ($input: PriceInput!) { price(input: $input) { ${priced} } }`,
  quote: `query ($input: QuoteInput!) { quote(input: $input) { requestId ${priced} steps { items { data { to data value } } } } }`,
}

const child = startChild('./http/overloadLoad.ts')
let largestRss = 0
const watching = setInterval(() => {
  largestRss = Math.max(largestRss, process.memoryUsage.rss())
}, 50)

async function measure(query: string, clients: number, waitsAsTold: boolean, time = seconds) {
  const port = Number(new URL(stack.url).port)
  const bodies = inputs.map((input) => JSON.stringify({ query, variables: { input } }))
  const [measured] = await runLoads([child, { port, bodies, clients, seconds: time, waitsAsTold }])
  return measured
}

print(
  ...[`load of the machine ${loadavg()[0]?.toFixed(1)}`, 'clients', 'asked/s', 'answered/s'],
  ...['refused', 'p50 ms', 'p99 ms', 'RSS MB'],
)
const loads = [
  { name: 'capacity', factor: 1, waitsAsTold: false },
  { name: '2 × capacity', factor: 2, waitsAsTold: false },
  { name: '10 × capacity', factor: 10, waitsAsTold: false },
  { name: '10 × capacity, waiting as told', factor: 10, waitsAsTold: true },
]
const targets: [what: string, met: boolean][] = []
for (const [kind, query] of Object.entries(kinds)) {
  await measure(query, capacityClients, false, 3)
  const rows = loads.map((load) => ({ ...load, measured: [] as OverloadMeasured[], rss: 0 }))
  for (let round = 0; round < rounds; round += 1)
    for (const row of rows) {
      largestRss = 0
      row.measured.push(await measure(query, row.factor * capacityClients, row.waitsAsTold))
      row.rss = Math.max(row.rss, largestRss)
    }
  for (const { name, factor, measured, rss } of rows)
    report(`${kind}, ${name}`, factor, measured, rss)
  const limit = 3 * p99Of(rows[0]?.measured)
  for (const { name, measured } of rows.slice(1))
    targets.push([`${kind}: p99 at ${name} at most 3 × that at capacity`, p99Of(measured) <= limit])
  const failed = rows.flatMap(({ measured }) => measured).some((each) => each.failed > 0)
  targets.push([`${kind}: nothing fails otherwise`, !failed])
}
clearInterval(watching)
printTargets(targets)
child.kill()
await stack.stop()
process.exit()

/** The medians over all rounds. */
function report(
  name: string,
  factor: number,
  measured: readonly OverloadMeasured[],
  rss: number,
): void {
  const all = ({ milliseconds, refused, failed }: OverloadMeasured) =>
    milliseconds.length + refused + failed
  const of = (figure: (each: OverloadMeasured) => number) => median(measured.map(figure))
  print(
    name,
    `${factor * capacityClients}`,
    of((each) => all(each) / each.seconds).toFixed(0),
    of(({ milliseconds, seconds }) => milliseconds.length / seconds).toFixed(0),
    `${of((each) => (100 * each.refused) / all(each)).toFixed(1)} %`,
    of((each) => quantile(each, 0.5)).toFixed(1),
    p99Of(measured).toFixed(1),
    (rss / 1e6).toFixed(0),
  )
}

function p99Of(measured: readonly OverloadMeasured[] = []): number {
  return median(measured.map((each) => quantile(each, 0.99)))
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
}
