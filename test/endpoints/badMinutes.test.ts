import { randomInt } from 'node:crypto'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { between, choose, createRandom, type Random } from '#test/bench/route/generate/random.ts'
import { patience } from '#test/support/patience.ts'
import { isLong } from '#test/support/runs.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import { startSimulatedMarket } from '#test/support/simulatedNode/simulatedMarket.ts'
import type { SimulatedPool } from '#test/support/simulatedNode/simulatedState.ts'
import {
  type NodeFaults,
  startSimulatedNode,
} from '#test/support/simulatedNode/startSimulatedNode.ts'
import { tradeSome } from '#test/support/simulatedNode/trades.ts'
import { createCheckedPrices } from './badMinutes/checkedPrices.ts'

/** FAST_CHECK_SEED repeats the blocks and faults of an earlier run, which printed its seed. */
const seed = inject('seed') ?? randomInt(2 ** 31)
/** Ten minutes of blocks in `npm run test:long`. Blocks are `shortestMs` to `longestMs` apart. */
const { parts, blocksPerPart, shortestMs, longestMs, counts } = isLong
  ? {
      parts: 16,
      blocksPerPart: 60,
      shortestMs: 250,
      longestMs: 1_000,
      counts: { pairs: 300, concentrated: 60 },
    }
  : {
      parts: 4,
      blocksPerPart: 15,
      shortestMs: 250,
      longestMs: 250,
      counts: { pairs: 250, concentrated: 10 },
    }
/** Approximate number of pools that are created while the market runs. */
const createdLater = 40
const creationsPerBlock = 1 / 3
const tradesPerBlock = 8
const reorgsPerBlock = 1 / 12
const deepestReorg = 3
/** Turns of the event loop in each block, so that the chain waits as well on a busy machine. */
const turnsPerBlock = 50
const maxMarketAgeSeconds = 15
/** Most blocks in a row without a price. A spell of the second endpoint has half as many. */
const longestGap = 60
const id = toChainId(990_104)

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const each of undo.splice(0).reverse()) await each()
})

/** One request in five is cut. Four nodes answer the others by chance, each a block behind the one before. */
const faultsOfFirst = (random: Random) => (): NodeFaults => ({
  requestsPerSecond: 25,
  isDown: random() < 1 / 5,
  lagBlocks: Math.floor(between(random, 0, 4)),
})

/** Tells for each block whether the second endpoint is down: half of the time, in spells. */
function createSpells(random: Random): () => boolean {
  let isDown = random() < 0.5
  let left = 0
  return () => {
    if (left === 0) {
      isDown = !isDown
      left = Math.round(between(random, 5, longestGap / 2))
    }
    left -= 1
    return isDown
  }
}

async function start() {
  const random = createRandom(seed)
  const full = manyPools(id, counts)
  const everyFew = Math.floor(full.pools.size / createdLater)
  const old = new Map([...full.pools].filter((_, at) => at % everyFew > 0))
  const chain = createSimulatedChain({ id, state: { ...full, pools: old }, finalityBlocks: 8 })
  for (let height = 0; height < deepestReorg; height += 1) chain.mine()
  // A block is a second after its parent, and no other time passes: a busy machine makes no market old.
  const time = () => Number(chain.head().fields.timestamp) * 1_000
  const first = await startSimulatedNode(chain)
  const second = await startSimulatedNode(chain)
  first.behave(faultsOfFirst(createRandom(seed + 1)))
  const { market, close } = startSimulatedMarket(
    chain,
    [first.url, second.url],
    {
      blockSeconds: (shortestMs + longestMs) / 2_000,
      maxMarketAgeSeconds,
      verifyEverySeconds: 10,
      verifyCallsPerSecond: 5,
    },
    { time, followed: full },
  )
  undo.push(first.stop, second.stop, close)
  const prices = createCheckedPrices(
    { chain, market, time, random: createRandom(seed + 2) },
    { chainId: id, maxMarketAgeSeconds },
  )
  market.listen(prices.ask)

  /** The pool that the next block creates: a reorg may have undone an earlier creation. */
  const nextPool = (): readonly SimulatedPool[] => {
    const { pools } = chain.head().state
    const missing = [...full.pools.values()].filter(({ pool }) => !pools.has(pool.address))
    return missing.length > 0 && random() < creationsPerBlock ? [choose(random, missing)] : []
  }

  /** Changes pools in a new block, now and then after a reorg, and asks for a price. */
  function mine(): void {
    if (random() < reorgsPerBlock) chain.reorg(Math.ceil(between(random, 0, deepestReorg)))
    chain.mine([...tradeSome(random, chain.head().state, tradesPerBlock), ...nextPool()])
    prices.askAtBlock()
  }

  async function pause(): Promise<void> {
    await setTimeout(between(random, shortestMs, longestMs))
    for (let turn = 0; turn < turnsPerBlock; turn += 1) await setImmediate()
  }

  return { chain, first, second, market, prices, mine, pause }
}

test('with two bad endpoints, every price is right and fresh, or is refused with a code', async ({
  onTestFailed,
}) => {
  const { chain, first, second, market, prices, mine, pause } = await start()
  const isSecondDown = createSpells(createRandom(seed + 3))
  let downBlocks = 0
  const story = () =>
    `seed ${seed}, second down in ${downBlocks} blocks, ${first.calls.length} and ${second.calls.length} requests, ${first.limited()} refused, ${prices.story()}`
  const printStory = () => void process.stdout.write(`bad minutes: ${story()}\n`)
  // A wait that does not end has no message of its own.
  onTestFailed(printStory)

  for (let part = 1; part <= parts; part += 1) {
    const { answered } = prices.figures()
    const hasAnswered = () => prices.figures().answered > answered
    for (let blocks = 0; blocks < blocksPerPart || !hasAnswered(); blocks += 1) {
      const isDown = isSecondDown()
      second.behave({ isDown })
      if (isDown) downBlocks += 1
      await pause()
      mine()
      expect(prices.figures().wrong, story()).toEqual([])
      expect(prices.figures().longestGap, story()).toBeLessThanOrEqual(longestGap)
    }
  }
  if (isLong) printStory()

  for (const endpoint of [first, second]) endpoint.behave({ isDown: true })
  for (let age = 0; age <= maxMarketAgeSeconds; age += 1) mine()
  expect(() => market.snapshot([id])).toThrow(expect.objectContaining({ code: 'STALE_MARKET' }))

  for (const endpoint of [first, second]) endpoint.behave({})
  const { hash, state } = chain.head()
  const hasCaughtUp = () => {
    const { block, graph } = market.latest(id) ?? {}
    return block?.hash === hash && graph?.pools.length === state.pools.size
  }
  await vi.waitUntil(hasCaughtUp, patience)
  const verified = () => market.status()[0]?.verified ?? 0
  const before = verified()
  await vi.waitUntil(() => verified() > before, patience)
  prices.ask()
  expect(prices.figures().wrong, story()).toEqual([])
  // The state from logs was always right: no comparison with the chain had to repair it.
  expect(market.status(), story()).toMatchObject([{ differences: 0 }])
})
