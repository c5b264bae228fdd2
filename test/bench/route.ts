import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { executeTrade } from './route/executeTrade.ts'
import { benchSize, generateMarket } from './route/generate/generateMarket.ts'
import { withAllKinds } from './route/generate/otherKinds.ts'
import { type BenchMarket, readMarket } from './route/marketFile.ts'
import { createPancake } from './route/pancakeRouter.ts'
import {
  createCrossquote,
  createSharing,
  loadRouter,
  type RouteEngine,
} from './route/routeEngines.ts'
import { formatTable, formatVerdicts, type Measured, quantile } from './route/routeReport.ts'
import { createTines } from './route/tinesRouter.ts'
import { createV3SdkRouter } from './route/v3SdkRouter.ts'

const { values: options } = parseArgs({
  options: {
    /** A file in the format of marketFile.ts. By default, a market is generated. */
    market: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** `all`: with pools of all kinds, which no peer knows. */
    kinds: { type: 'string' },
    /** Omits the peers, which take a minute or two. */
    alone: { type: 'boolean', default: false },
    /** A folder with another checkout, to measure in the same run. */
    against: { type: 'string' },
  },
})

async function measure(engine: RouteEngine, market: BenchMarket): Promise<Measured> {
  const pools = new Map(market.pools.map((pool) => [pool.address, pool]))
  const elapsed: number[][] = market.queries.map(() => [])
  const gaps: number[] = []
  for (let run = -engine.warmUps; run < engine.runs; run++)
    for (const [i, query] of market.queries.entries()) {
      engine.forget?.()
      const begun = performance.now()
      const trade = await engine.findTrade(query)
      if (run >= 0) elapsed[i]?.push(performance.now() - begun)
      if (run === 0)
        gaps.push((1 - Number(executeTrade(pools, query, trade)) / query.bound) * 10_000)
    }
  return { name: engine.name, times: elapsed.map((times) => quantile(times, 0.5)), gaps }
}

if (options.kinds !== undefined && options.kinds !== 'all')
  throw new RangeError('--kinds takes the value all')
const hasAllKinds = options.kinds === 'all'
const plain =
  options.market === undefined
    ? generateMarket(Number(options.seed), benchSize)
    : readMarket(options.market)
const market = hasAllKinds ? withAllKinds(plain, Number(options.seed)) : plain
const source = options.market === undefined ? `generated, seed ${options.seed}` : options.market
const kinds = new Map<string, number>()
for (const { kind } of market.pools) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
process.stdout.write(
  `Market: ${source}; ${market.file.tokens.length} currencies, ${market.pools.length} pools ` +
    `(${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}), ` +
    `${market.queries.length} queries.\n` +
    'p50 and p95 are over the queries. Gaps are how far the output, to the unit and gas left out, is below what\n' +
    'no route can exceed: median and worst, in basis points. An engine that finds no route is 10000 below.\n\n',
)

const engines = [createCrossquote(market), createCrossquote(market, 6)]
if (hasAllKinds) engines.push(createSharing(market))
if (!options.alone && !hasAllKinds)
  engines.push(
    createTines(market, 20),
    createTines(market, 100),
    createPancake(market),
    createV3SdkRouter(market),
  )
if (options.against !== undefined) {
  const other = createCrossquote(market, undefined, await loadRouter(options.against))
  engines.push({ ...other, name: 'Crossquote, the other checkout' })
}
const results: Measured[] = []
for (const engine of engines) {
  process.stderr.write(`${engine.name} …\n`)
  results.push(await measure(engine, market))
}
const rival = results.find(({ name }) => name.endsWith('100 flows'))
const verdicts = results.slice(0, 2).map((result) => formatVerdicts(market, result, rival))
process.stdout.write(`\n${[formatTable(market, results), ...verdicts].join('\n\n')}\n`)
