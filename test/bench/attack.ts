/**
 * Latency of honest prices while attackers send the most expensive orders that the public API accepts:
 * `npm run bench:overload -- --attack`. All limits are as in production.
 */
import { parseArgs } from 'node:util'
import { ask, startChild } from './children.ts'
import { aliasesBody, multiInputBody, priceBody, pricesBody } from './http/attackBodies.ts'
import type { ServerReport } from './http/attackedServer.ts'
import { followHeads } from './http/headFollowers.ts'
import { print, printTargets, quantile, runLoads } from './http/overloadRuns.ts'
import { generateTwoChains } from './size/twoChains.ts'

const { values } = parseArgs({
  options: {
    attack: { type: 'boolean' },
    seed: { type: 'string', default: `${Math.floor(Math.random() * 1e6)}` },
    /** Of each attack. */
    seconds: { type: 'string', default: '5' },
    /** Of the attackers. Honest clients have one each. */
    addresses: { type: 'string', default: '1' },
    /** Only attacks whose name contains this. */
    only: { type: 'string', default: '' },
  },
})
const seconds = Number(values.seconds)
/** The pools of each chain. */
const pools = 1_000
/** Honest ones, and as many attackers. */
const clients = 16
/** Most aliases of a document, and most orders of `prices`. */
const maxOrders = 50
const followedHeads = 1_000
const heads = `${followedHeads} chain heads, each with a document of its own`
const maxP99Ms = 50
const maxTurnMs = 10

const addressesIn = (network: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${network}.${at}`)
/** Each attack has addresses of its own, so that no earlier one has used up their units. */
const attackersOf = (attack: number) => addressesIn(`203.0.${attack}`, Number(values.addresses))
let measured = 0

const { drawTrade } = generateTwoChains(Number(values.seed), pools)
const draw = (count: number, usd: readonly [low: number, high: number]) =>
  Array.from({ length: count }, () => drawTrade(usd))
const large = draw(256, [1e6, 1e8])
const documents = Array.from({ length: 32 }, () =>
  draw(maxOrders, [1e6, 1e8]).map(({ exactInput }) => exactInput),
)
const attacks = {
  'exact inputs': large.map(({ exactInput }) => priceBody(exactInput)),
  'exact outputs': large.map(({ exactOutput }) => priceBody(exactOutput)),
  'expected outputs': large.map(({ expectedOutput }) => priceBody(expectedOutput)),
  'exact outputs that no pools can give': large.map(({ hopeless }) => priceBody(hopeless)),
  'multi-input quotes with 16 origins': large.map(({ multiInput }) =>
    multiInputBody(multiInput(16)),
  ),
  [`${maxOrders} aliases of price`]: documents.map(aliasesBody),
  [`prices with ${maxOrders} orders`]: documents.map(pricesBody),
}

const server = startChild('http/attackedServer.ts', values.seed, `${pools}`)
const honestChild = startChild('http/overloadLoad.ts')
const attackChild = startChild('http/overloadLoad.ts')
const port = await ask<number>(server)
const load = { port, clients, seconds }
/** So many that none repeats within a block: a repeated order finds its route computed. */
const candidates = draw(1_024, [100, 50_000]).map(({ exactInput }) => priceBody(exactInput))
const honest = {
  ...load,
  bodies: await pricedOf(candidates),
  waitsAsTold: true,
  addresses: addressesIn('198.51.100', clients),
}

// Once before, so that all code is compiled.
await runLoads([honestChild, honest])
const [busy] = await runLoads([honestChild, honest])
const capacity = busy.milliseconds.length / busy.seconds
/** Honest clients ask for a quarter of the capacity. */
const pauseMs = (4 * clients * 1_000) / capacity

print(
  ...[`seed ${values.seed}, capacity ${capacity.toFixed(0)}/s`, 'honest/s', 'refused', 'failed'],
  ...['p50 ms', 'p95 ms', 'p99 ms', 'attacks/s', 'turn ms', 'CPU'],
)
await measure('no attack')
const targets: [what: string, met: boolean][] = []
for (const [name, bodies] of Object.entries(attacks)) {
  if (!name.includes(values.only)) continue
  check(name, await measure(name, bodies))
}
if ('300 live prices'.includes(values.only)) {
  await ask<ServerReport>(server, 'follow')
  check('300 live prices', await measure('300 live prices'))
  await ask<ServerReport>(server, 'unfollow')
}
if (heads.includes(values.only)) {
  const [attacker = ''] = attackersOf(measured + 1)
  const followers = await followHeads(port, attacker, followedHeads)
  check(heads, await measure(heads))
  followers.close()
}
printTargets(targets)
for (const child of [server, honestChild, attackChild]) child.kill()

function check(name: string, { prices, turnMs }: Awaited<ReturnType<typeof measure>>): void {
  const isFast = quantile(prices, 0.99) <= maxP99Ms && prices.failed === 0
  targets.push([`${name}: honest p99 at most ${maxP99Ms} ms`, isFast])
  targets.push([`${name}: longest turn at most ${maxTurnMs} ms`, turnMs <= maxTurnMs])
}

async function measure(name: string, bodies: readonly string[] = []) {
  await ask<ServerReport>(server, 'report')
  measured += 1
  const attack = {
    ...load,
    bodies,
    waitsAsTold: false,
    countsErrors: true,
    addresses: attackersOf(measured),
  }
  const [prices, attacked] = await runLoads(
    [honestChild, { ...honest, pauseMs }],
    ...(bodies.length > 0 ? [[attackChild, attack] as const] : []),
  )
  const { longestTurnMs: turnMs, cpu } = await ask<ServerReport>(server, 'report')
  if (attacked && attacked.failed > 0) throw new Error(`${name}: attackers lost connections`)
  print(
    name,
    (prices.milliseconds.length / prices.seconds).toFixed(0),
    `${prices.refused}`,
    `${prices.failed}`,
    ...[0.5, 0.95, 0.99].map((share) => quantile(prices, share).toFixed(1)),
    attacked ? (attacked.milliseconds.length / attacked.seconds).toFixed(1) : '',
    turnMs.toFixed(1),
    `${(100 * cpu).toFixed(0)} %`,
  )
  return { prices, turnMs }
}

/** The bodies that get a price. */
async function pricedOf(bodies: readonly string[]): Promise<readonly string[]> {
  const priced: string[] = []
  const url = `http://127.0.0.1:${port}/graphql`
  const headers = { 'content-type': 'application/json' }
  for (const body of bodies) {
    const answer = await fetch(url, { method: 'POST', headers, body })
    if ((await answer.json()).errors === undefined) priced.push(body)
  }
  return priced
}
