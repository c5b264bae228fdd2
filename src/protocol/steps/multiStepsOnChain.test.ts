import fc from 'fast-check'
import { parseEventLogs, type TransactionReceipt } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { MultiOrder } from '#src/core/pricing/order.ts'
import type { MultiPrice } from '#src/core/pricing/price.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { evmAddress, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { amountForUsdUp, toUsd } from '#src/core/units/usd.ts'
import { users } from '#src/devnet/accounts.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { DeployedTestChain } from '#test/support/chains/deployedChain.ts'
import { startPricedChain } from '#test/support/chains/pricedChain.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { contextOn, orderId } from '#test/support/orders/multiExecution.ts'
import { runs } from '#test/support/runs.ts'
import { balanceOn, executeSteps, expectEmptyRouter } from '#test/support/wallets/executeSteps.ts'
import { buildMultiSteps } from './buildSteps.ts'

const [plan] = chainPlans
const here = toChainId(plan.id)
/** A copy of the chain’s market as destination. Nothing is executed there. */
const elsewhere = toChainId(990_009)
const depositors = users.slice(0, 3).map(({ address }) => address)

let chain: DeployedTestChain
let market: Market
let currencyOf: (chainId: ChainId, symbol: string) => Currency
beforeAll(async () => {
  const priced = await startPricedChain(plan, elsewhere, ['ETH', 'USDC', 'DAI'])
  chain = priced.chain
  // Blocks of anvil’s automine may come late.
  await chain.client.setAutomine(false)
  market = priced.market
  currencyOf = priced.currencyOf
})
afterAll(() => chain.stop())

const symbols = [plan.native, 'USDC', 'USDT', 'WBTC', 'ACORN', 'BIRCH', 'CEDAR', 'GROVE']

/** The inputs of three users, and the output as percent of their value; undefined for an exact-input order. */
const draws = fc.record({
  origins: fc.array(
    // Each user holds a million dollars of each currency.
    fc.record({ symbol: fc.constantFrom(...symbols), cents: fc.bigInt(1_000n, 20_000_000n) }),
    { minLength: 3, maxLength: 3 },
  ),
  destination: fc.constantFrom('ETH', 'USDC', 'DAI', 'USDT'),
  // Exact-input orders make up half of the draws.
  share: fc.option(fc.bigInt(30n, 95n), { nil: undefined, freq: 1 }),
})

type Draw = typeof draws extends fc.Arbitrary<infer Drawn> ? Drawn : never

/** Several swaps in one pool: each must account for the one before. */
const found: readonly Draw[] = [
  {
    origins: [
      { symbol: 'BIRCH', cents: 7_802_510n },
      { symbol: 'BIRCH', cents: 996_698n },
      { symbol: 'ETH', cents: 1_000n },
    ],
    destination: 'USDT',
    share: 30n,
  },
  {
    origins: [
      { symbol: 'GROVE', cents: 9_880_739n },
      { symbol: 'BIRCH', cents: 1_001n },
      { symbol: 'GROVE', cents: 10_390_698n },
    ],
    destination: 'USDC',
    share: 41n,
  },
]

function priceOf({ origins, destination, share }: Draw): MultiPrice | undefined {
  const order: MultiOrder = {
    user: account('1'),
    recipient: account('2'),
    origins: origins.map(({ symbol, cents }, at) => {
      const currency = currencyOf(here, symbol)
      const usdPrice = market.chains.get(here)?.usdPrices.get(currency.address)
      const user = depositors[at]
      if (usdPrice === undefined || user === undefined) throw new Error(`${symbol} has no price`)
      const amount = amountForUsdUp(toUsd(cents * 10_000n), currency.decimals, usdPrice)
      return { user, refundTo: account('3'), currency, amount }
    }),
    destination: currencyOf(elsewhere, destination),
    originGasOverhead: 0n,
    txs: [],
  }
  try {
    const whole = priceMulti(order, market)
    if (share === undefined) return whole
    const output = toAmount((whole.currencyOut.amount * share) / 100n)
    return priceMulti({ ...order, output }, market)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

async function execute({ pricedOrigins, currencyOut }: MultiPrice) {
  const { contracts } = chain.deployed
  const own = { contracts, wrappedNative: contracts.wrappedNative }
  const gas = { baseFeePerGas: 100n * 10n ** 9n, priorityFeePerGas: 10n ** 9n }
  const deposits = pricedOrigins.map((funding) => {
    return { funding, context: contextOn(here, { ...own, gas }) }
  })
  return executeSteps(chain.client, buildMultiSteps(currencyOut.currency, deposits))
}

/** The depository’s deposit events. */
const depositsIn = (receipts: readonly TransactionReceipt[]) =>
  parseEventLogs({
    abi: depositoryArtifact.abi,
    logs: receipts.flatMap(({ logs }) => logs),
    eventName: ['RelayNativeDeposit', 'RelayErc20Deposit'],
  }).map(({ args: { from, amount, id, ...rest } }) => ({
    from: toAddress(from),
    amount,
    id,
    currency: 'token' in rest ? toAddress(rest.token) : nativeAddress,
  }))

test('the exact deposits of three users reach the depository, each with its user as depositor', async () => {
  const met = { all: 0, some: 0, routed: 0, plain: 0, ofThree: 0 }
  await fc.assert(
    fc.asyncProperty(draws, async (draw) => {
      const price = priceOf(draw)
      if (price === undefined) return
      const { client, deployed } = chain
      const id = await client.snapshot()
      try {
        const receipts = await execute(price)
        expect(depositsIn(receipts)).toEqual(
          price.pricedOrigins.map(({ user, leg: { output } }) => ({
            from: user,
            amount: output.amount,
            id: orderId,
            currency: output.currency.address,
          })),
        )
        const [{ leg }] = price.pricedOrigins
        const { address } = leg.output.currency
        const sum = price.pricedOrigins.reduce((total, each) => total + each.leg.output.amount, 0n)
        expect(await balanceOn(client, evmAddress(address), deployed.contracts.depository)).toBe(
          sum,
        )
        await expectEmptyRouter(chain)
      } finally {
        await client.revert({ id })
      }
      met[price.order.output === undefined ? 'all' : 'some'] += 1
      if (price.pricedOrigins.length === 3) met.ofThree += 1
      for (const { leg } of price.pricedOrigins)
        met[leg.route === undefined ? 'plain' : 'routed'] += 1
    }),
    { numRuns: runs(40, 12), examples: found.map((draw): [Draw] => [draw]) },
  )
  expect(Math.min(...Object.values(met))).toBeGreaterThan(0)
})
