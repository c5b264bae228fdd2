import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { SolverMarket } from '#src/solver/ports.ts'
import { plain } from '#test/support/orders/orders.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const amount = toAmount(5_000_000n)
const seconds = 3_600

/** The market as long as the solver holds no USDC on the rollup. */
function withoutStock(seen: Market): Market {
  const chain = seen.chains.get(rollup)
  if (chain === undefined) return seen
  const solverBalances = new Map(chain.solverBalances)
  solverBalances.delete(rig.currencyOf([rollup, 'USDC']).address)
  return { ...seen, chains: new Map(seen.chains).set(rollup, { ...chain, solverBalances }) }
}

/** A market whose solver has no USDC until the operator brings some. */
function restockable() {
  let isRestocked = false
  const market: SolverMarket = {
    ...rig.market,
    snapshot: (chainIds) => {
      const seen = rig.market.snapshot(chainIds)
      return isRestocked ? seen : withoutStock(seen)
    },
  }
  return { market, restock: () => (isRestocked = true) }
}

/** Quotes 5 USDC beyond what the solver holds, and deposits it. */
async function depositBeyond() {
  await rig.settled()
  const snapshot = withoutStock(rig.market.snapshot([ethereum, rollup]))
  const user = rig.wallet.address.toLowerCase() as ReturnType<typeof newAccount>
  const order: Order = {
    ...plain,
    user,
    recipient: newAccount(),
    refundTo: newAccount(),
    origin: rig.currencyOf([ethereum, 'USDC']),
    destination: rig.currencyOf([rollup, 'USDC']),
    amount,
    tradeType: 'EXACT_INPUT',
    externalLiquiditySeconds: seconds,
  }
  const price = priceSwap(order, snapshot)
  expect(price.awaitsLiquidity).toBe(true)
  const quoted = await rig.find(await rig.quoting(price, snapshot, { request: {} }))
  await rig.deposit(quoted)
  return quoted
}

const paidTo = (chainId: typeof rollup, account: string) =>
  rig.balanceOf(rig.currencyOf([chainId, 'USDC']), account)

it('waits for currency that the solver lacks, and fills once it has arrived', async () => {
  const { market, restock } = restockable()
  const quoted = await depositBeyond()
  const { status } = solve(rollup, { market })
  solve(ethereum)
  await vi.waitUntil(
    async () => (await rig.find(quoted.requestId)).state.status === 'pending',
    patience,
  )
  const from = (await rig.wallet.clientOn(rollup).getBlockNumber()) + 8n
  // Far more rounds than a refund for lack of balance takes.
  await vi.waitUntil(async () => {
    await rig.mine(rollup, 1)
    return (status().block ?? 0n) > from
  }, patience)
  expect((await rig.find(quoted.requestId)).state.status).toBe('pending')
  restock()
  const { state } = await rig.outcome(quoted.requestId)
  expect([state.status, await paidTo(rollup, quoted.recipient)]).toEqual([
    'success',
    quoted.amountOut,
  ])
})

it('refunds once the solver has waited longer than the quote allowed', async () => {
  const { market } = restockable()
  const quoted = await depositBeyond()
  solve(rollup, { market, now: () => Date.now() + (seconds + 60) * 1000 })
  solve(ethereum)
  await vi.waitUntil(async () => {
    await rig.mine(rollup, 1)
    return (await rig.find(quoted.requestId)).state.status === 'refund'
  }, patience)
  const { state } = await rig.find(quoted.requestId)
  expect(state.failReason).toBe('SOLVER_BALANCE_TOO_LOW')
  expect(await paidTo(rollup, quoted.recipient)).toBe(0n)
  const refunded = await paidTo(ethereum, quoted.refundTo)
  expect(refunded > 0n && refunded < amount).toBe(true)
})

it('fills a deposit that comes after its deadline at the current market price', async () => {
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: 10n ** 17n,
    recipient: newAccount(),
    refundTo: newAccount(),
    latePaymentBps: toBps(10_000n),
  })
  // Last: afterwards the prices of the chain are a week old, so that only final deposits are filled.
  await rig.mineAt(ethereum, BigInt(quoted.deadline + 60), 1)
  solve(rollup)
  solve(ethereum)
  const { blockNumber } = await rig.deposit(quoted)
  const { timestamp } = await rig.wallet.clientOn(ethereum).getBlock({ blockNumber })
  expect(Number(timestamp)).toBeGreaterThan(quoted.deadline)
  await rig.mineUntilFinal(ethereum)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  const paid = await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), quoted.recipient)
  expect(paid).toBeGreaterThanOrEqual((quoted.minimumAmountOut * 99n) / 100n)
})
