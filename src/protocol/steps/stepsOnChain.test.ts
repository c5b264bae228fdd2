import fc from 'fast-check'
import { parseEventLogs, type TransactionReceipt } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { type Address, evmAddress, toAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { amountForUsdUp, toUsd } from '#src/core/units/usd.ts'
import { users } from '#src/devnet/accounts.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import { feeRecipients, solver } from '#test/support/arbitraries/executionArbitrary.ts'
import type { DeployedTestChain } from '#test/support/chains/deployedChain.ts'
import { startPricedChain } from '#test/support/chains/pricedChain.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { attempt, plain } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { balanceOn, executeSteps, expectEmptyRouter } from '#test/support/wallets/executeSteps.ts'
import { buildSteps } from './buildSteps.ts'

const [plan] = chainPlans
const here = toChainId(plan.id)
/** A copy of the chain’s market as destination. Nothing is executed there. */
const elsewhere = toChainId(990_009)
const user = users[0].address
const recipient = account('2')
const refundTo = account('3')
const requestId = `0x${'a1'.repeat(32)}` as const
const orderId = `0x${'0d'.repeat(32)}` as const

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

const symbols = [
  plan.native,
  `W${plan.native}`,
  'USDC',
  'USDT',
  'WBTC',
  'ACORN',
  'BIRCH',
  'CEDAR',
  'GROVE',
]

type Draw = Readonly<{
  origin: string
  destination: string
  cents: bigint
  tradeType: Order['tradeType']
  shares: readonly bigint[]
  isForOther: boolean
}>

const draws: fc.Arbitrary<Draw> = fc.record({
  origin: fc.constantFrom(...symbols),
  destination: fc.constantFrom(...symbols),
  // The largest amounts split over several paths.
  cents: fc.bigInt(100n, 50_000_000n),
  tradeType: fc.constantFrom('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'),
  shares: fc.array(fc.bigInt(0n, 200n), { maxLength: 3 }),
  isForOther: fc.boolean(),
})

function priceOf(draw: Draw, destinationChain: ChainId): Price | AppError {
  const origin = currencyOf(here, draw.origin)
  const destination = currencyOf(destinationChain, draw.destination)
  const given = draw.tradeType === 'EXACT_INPUT' ? origin : destination
  const usdPrice = market.chains.get(here)?.usdPrices.get(given.address)
  if (usdPrice === undefined) throw new Error(`${given.symbol} has no price`)
  const order: Order = {
    ...plain,
    user,
    recipient: draw.isForOther ? recipient : user,
    refundTo,
    origin,
    destination,
    amount: amountForUsdUp(toUsd(draw.cents * 10_000n), given.decimals, usdPrice),
    tradeType: draw.tradeType,
    appFees: draw.shares.map((fee, at) => ({
      recipient: feeRecipients[at] ?? recipient,
      fee: toBps(fee),
    })),
  }
  return attempt(order, market)
}

const balanceOf = (currency: Address, holder: Address): Promise<bigint> =>
  balanceOn(chain.client, currency, holder)

/** A nearly drained pool can demand more input than the user holds. */
const exceedsUser = async ({ currencyIn }: Price): Promise<boolean> =>
  currencyIn.amount > (await balanceOf(evmAddress(currencyIn.currency.address), user))

/** Executes the steps. Every transaction must succeed. */
async function execute(price: Price): Promise<readonly TransactionReceipt[]> {
  const { client, deployed } = chain
  const steps = buildSteps(price, {
    requestId,
    orderId: price.execution === 'solver' ? orderId : undefined,
    contracts: deployed.contracts,
    wrappedNative: deployed.contracts.wrappedNative,
    deadline: 4_000_000_000,
    unrecordedLimitUsd: toUsd(1_000_000_000n),
    gas: { baseFeePerGas: 100n * 10n ** 9n, priorityFeePerGas: 10n ** 9n },
    solver,
    allowance: 0n,
    resetsAllowance: false,
  })
  return executeSteps(client, steps)
}

const gasPaid = (receipts: readonly TransactionReceipt[]): bigint =>
  receipts.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n)

/** Runs `check` and then reverts the chain to the state that was priced. */
async function withRevert(check: () => Promise<void>): Promise<void> {
  const id = await chain.client.snapshot()
  try {
    await check()
  } finally {
    await chain.client.revert({ id })
  }
}

const maxLeftover = ({ order, currencyIn }: Price): bigint =>
  order.tradeType === 'EXACT_INPUT' ? 0n : 10n + currencyIn.amount / 1_000_000n

async function checkSwap(price: Price): Promise<void> {
  const { currencyIn, currencyOut, order } = price
  const [input, output] = [currencyIn.currency.address, currencyOut.currency.address]
  const before = await Promise.all([
    balanceOf(evmAddress(output), evmAddress(order.recipient)),
    balanceOf(evmAddress(input), user),
  ])
  const receipts = await execute(price)
  const after = await Promise.all([
    balanceOf(evmAddress(output), evmAddress(order.recipient)),
    balanceOf(evmAddress(input), user),
  ])
  const gas = gasPaid(receipts)
  const gasOf = (currency: Address, holder: Address) =>
    isNative(currency) && holder === user ? gas : 0n
  const isSelfPaid = input === output && order.recipient === user
  if (!isSelfPaid) {
    expect(after[0] - before[0] + gasOf(evmAddress(output), evmAddress(order.recipient))).toBe(
      currencyOut.amount,
    )
    const leftover = currencyIn.amount - (before[1] - after[1] - gasOf(evmAddress(input), user))
    // An output limit may leave a little of the input, which returns to the user.
    expect(leftover).toBeGreaterThanOrEqual(0n)
    expect(leftover).toBeLessThanOrEqual(maxLeftover(price))
  }
  const fees = await Promise.all(
    feeRecipients.map((holder) => balanceOf(evmAddress(input), holder)),
  )
  expect(fees.reduce((sum, fee) => sum + fee)).toBe(price.fees.app.amount)
  expect(await balanceOf(evmAddress(input), refundTo)).toBeLessThanOrEqual(maxLeftover(price))
  await expectEmptyRouter(chain)
}

/** Cases that random draws rarely produce. */
const rare: readonly Draw[] = [
  [plan.native, `W${plan.native}`],
  [`W${plan.native}`, plan.native],
  ['USDC', 'USDC'],
].map(([origin = '', destination = '']) => ({
  origin,
  destination,
  cents: 12_345n,
  tradeType: 'EXACT_INPUT',
  shares: [10n],
  isForOther: true,
}))

/** Counts prices by kind. */
const count = (met: Map<string, number>, kind: string) => met.set(kind, (met.get(kind) ?? 0) + 1)

test('swaps on one chain pay the recipient exactly and leave the router empty', async () => {
  const met = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(draws, async (draw) => {
      const price = priceOf(draw, here)
      if (price instanceof AppError || (await exceedsUser(price))) return
      const paths = price.origin.route?.paths ?? []
      count(met, price.operation)
      if (paths.length > 1) count(met, 'split')
      if (paths.some(({ hops }) => hops.length > 1)) count(met, 'multi-hop')
      await withRevert(() => checkSwap(price))
    }),
    { numRuns: runs(120, 40), examples: rare.map((draw): [Draw] => [draw]) },
  )
  expect([...met.keys()].sort()).toEqual(
    expect.arrayContaining(['multi-hop', 'send', 'split', 'swap', 'unwrap', 'wrap']),
  )
})

test('deposits reach the depository exactly, with the order id', async () => {
  const met = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(draws, async (draw) => {
      const price = priceOf(draw, elsewhere)
      if (price instanceof AppError || (await exceedsUser(price))) return
      count(met, price.origin.route === undefined ? 'plain' : 'swapped')
      await withRevert(async () => {
        const { currency, amount } = price.refundCurrency
        const { depository } = chain.deployed.contracts
        const receipts = await execute(price)
        expect(await balanceOf(evmAddress(currency.address), depository)).toBe(amount)
        const { abi } = depositoryArtifact
        const all = receipts.flatMap(({ logs }) => logs)
        const logs = parseEventLogs({
          abi,
          logs: all,
          eventName: ['RelayNativeDeposit', 'RelayErc20Deposit'],
        })
        const expected = { from: user, amount, id: orderId }
        expect(logs.map(({ args }) => ({ ...args, from: toAddress(args.from) }))).toEqual([
          isNative(currency.address)
            ? expected
            : { ...expected, token: expect.stringMatching(new RegExp(currency.address, 'i')) },
        ])
        await expectEmptyRouter(chain)
      })
    }),
    { numRuns: runs(80, 20) },
  )
  expect([...met.keys()].sort()).toEqual(['plain', 'swapped'])
})

test('router transactions emit the request id', async () => {
  const price = priceOf(
    { ...swapOfEther, tradeType: 'EXACT_OUTPUT', shares: [], isForOther: true },
    here,
  )
  if (price instanceof AppError) throw price
  await withRevert(async () => {
    const logs = (await execute(price)).flatMap((receipt) => receipt.logs)
    const runs = parseEventLogs({ abi: routerArtifact.abi, logs, eventName: 'RouterMulticall' })
    expect(runs.map(({ args }) => args.metadata)).toEqual([requestId])
  })
})

const swapOfEther = { origin: plan.native, destination: 'USDC', cents: 100_000n } as const
