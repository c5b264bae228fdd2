import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Pool, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import type { Hop, Path } from '#src/core/router/route.ts'
import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { swapCall, sweepCalls } from '#src/protocol/calls/routerCalls.ts'
import { readChainPools, readLivePools } from '#test/support/chains/readChainPools.ts'
import { runs } from '#test/support/runs.ts'
import { type ContractRig, startContractRig } from './contractRig.ts'

let rig: ContractRig
/** Pool states as computed by src/core/pools, swap after swap. Only the first states are read from the chain. */
let pools: Map<Address, Pool>

beforeAll(async () => {
  rig = await startContractRig()
  const live = await readLivePools(rig.client, rig.deployed)
  pools = new Map(live.map((pool) => [pool.address, pool]))
  for (const { address } of rig.deployed.currencies)
    await rig.allow(address, rig.approvalProxy, 2n ** 255n)
})
afterAll(() => rig?.stop())

type Limit = 'none' | 'within' | 'beyond'

const pathPlan = fc.record({
  // A share of the user’s balance, which is worth a million dollars.
  shareOfBalance: fc.integer({ min: 1, max: 3_000 }),
  choices: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 3 }),
  limit: fc.constantFrom<Limit>('none', 'within', 'beyond'),
  percent: fc.integer({ min: 1, max: 100 }),
})
type PathPlan = typeof pathPlan extends fc.Arbitrary<infer Plan> ? Plan : never

const plan = fc.record({
  start: fc.nat(1_000),
  paths: fc.array(pathPlan, { minLength: 1, maxLength: 4 }),
})

const directions = () =>
  [...pools.values()].flatMap((pool) => [
    { address: pool.address, input: pool.currency0, output: pool.currency1, zeroForOne: true },
    { address: pool.address, input: pool.currency1, output: pool.currency0, zeroForOne: false },
  ])

/** Draws a path from `currency` and computes its outputs. Updates `states` and `held`. */
function walk(
  states: Map<Address, Pool>,
  held: Map<Address, bigint>,
  input: Address,
  { shareOfBalance, choices, limit, percent }: PathPlan,
  balance: bigint,
): Path | undefined {
  const amountIn = (balance * BigInt(shareOfBalance)) / 1_000_000n
  const give = (currency: Address, amount: bigint) =>
    held.set(currency, (held.get(currency) ?? 0n) + amount)
  const hops: Hop[] = []
  let maxOut = 0n
  let [currency, atHand] = [input, amountIn]
  for (const [place, choice] of choices.entries()) {
    const ways = directions().filter((way) => way.input === currency)
    const way = ways[choice % ways.length]
    const pool = way && states.get(way.address)
    if (way === undefined || pool === undefined) return undefined
    const { zeroForOne } = way
    const whole = swapExactInput(pool, zeroForOne, toAmount(atHand))
    if (whole === undefined) return undefined
    let swapped = whole
    if (place === choices.length - 1 && limit !== 'none') {
      maxOut =
        limit === 'beyond'
          ? whole.amountOut + BigInt(percent)
          : (whole.amountOut * BigInt(percent)) / 100n || 1n
      const exact = swapExactOutput(pool, zeroForOne, toAmount(maxOut))
      if (exact !== undefined && exact.amountIn <= atHand) swapped = exact
    }
    give(currency, -swapped.amountIn)
    give(way.output, swapped.amountOut)
    states.set(pool.address, swapped.next)
    hops.push({ pool, ...swapped, zeroForOne })
    currency = way.output
    atHand = swapped.amountOut
  }
  return { amountIn: toAmount(amountIn), amountOut: toAmount(maxOut), hops }
}

const run = async ({ start, paths }: typeof plan extends fc.Arbitrary<infer P> ? P : never) => {
  const { user, router, approvalProxy } = rig
  const inputs = [...new Set(directions().map(({ input }) => input))]
  const input = inputs[start % inputs.length] ?? user
  const balance = await rig.balance(input, user)
  const states = new Map(pools)
  const held = new Map<Address, bigint>([[input, 0n]])
  const walked = paths.map((path) => walk(states, held, input, path, balance))
  const taken = walked.filter((path) => path !== undefined)
  // A failed path may have updated some of its pools before it failed.
  fc.pre(taken.length === walked.length)
  const total = taken.reduce((sum, { amountIn }) => sum + amountIn, 0n)
  fc.pre(total > 0n)

  const currencies = [...held.keys()]
  const balances = (account: Address) =>
    Promise.all(currencies.map((each) => rig.balance(each, account)))
  const before = await balances(user)
  const route = { input, output: input, amountIn: toAmount(total), amountOut: toAmount(0n) }
  const calls = [
    swapCall(router, { ...route, paths: taken }, { limitsOutput: true }),
    ...sweepCalls(router, currencies, user),
  ]
  await rig.send(rig.pullAndMulticall([{ currency: input, amount: total }], calls))

  const after = await balances(user)
  expect(currencies.map((each, at) => [each, (after[at] ?? 0n) - (before[at] ?? 0n)])).toEqual(
    currencies.map((each) => [each, held.get(each)]),
  )
  expect(await balances(router)).toEqual(currencies.map(() => 0n))
  expect(await balances(approvalProxy)).toEqual(currencies.map(() => 0n))
  pools = states
}

test('random routes change balances exactly as the pool maths computes', async () => {
  await fc.assert(fc.asyncProperty(plan, run), { numRuns: runs(120, 50) })
  // The chain’s pools must equal the computed ones.
  const onChain = await readChainPools(rig.client, rig.deployed)
  const states = onChain.filter(({ address }) => pools.has(address))
  const price = (pool: Pool) =>
    'sqrtPriceX96' in pool
      ? [pool.sqrtPriceX96, pool.liquidity, pool.tick]
      : [pool.reserve0, pool.reserve1]
  expect(states.map(price)).toEqual(
    states.map(({ address }) => price(pools.get(address) ?? fail(address))),
  )
})

const fail = (address: Address): never => {
  throw new Error(`No pool ${address}`)
}
