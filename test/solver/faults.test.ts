import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmAddress } from '#src/core/units/address.ts'
import { isTerminal } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverMarket } from '#src/solver/ports.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { actBeforeCall } from '#test/support/nodes/actBeforeCall.ts'
import { inputOf } from '#test/support/orders/fillCase.ts'
import { type Kill, killableProcess } from '#test/support/processes/killableProcess.ts'
import { makeFinal } from '#test/support/rigs/makeFinal.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { times } from '#test/support/runs.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  // A mined fill needs two confirmations, so tests can observe it while it is unconfirmed.
  rig = await startBridgingRig({ fillConfirmations: 2 }, { finalityBlocks: defaultFinalityBlocks })
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const eth = (thousandths: bigint): bigint => thousandths * 10n ** 15n

/** Bridges ether without a swap, to a new recipient and a new refund address. */
const quoteOf = (referrer?: string): Promise<SolverRequest> =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: eth(100n),
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
    ...(referrer !== undefined && { referrer }),
  })

const paid = async ({ recipient, refundTo }: SolverRequest) => ({
  filled: await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient),
  refunded: await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo),
})

/** Kills the chain's solver at each of these points, one after the other, and starts a new solver each time. */
async function solveThroughKills(
  chainId: typeof rollup,
  kills: readonly Kill[],
  isOver: Promise<unknown>,
): Promise<number> {
  let deaths = 0
  for (const kill of kills) {
    const { killed, ...deps } = killableProcess(
      { store: rig.store, client: rig.clientOn(chainId) },
      kill,
    )
    const solver = solve(chainId, deps)
    const end = await Promise.race([killed.then(() => 'killed'), isOver.then(() => 'over')])
    await solver.stop()
    if (end === 'over') return deaths
    deaths += 1
  }
  const solver = solve(chainId)
  await isOver
  await solver.stop()
  return deaths
}

/** Enough that the solver is killed at each of its first six operations. */
const depositCount = times(100, 40)

it('fills or refunds each deposit exactly once, at any point at which the solver is killed', async () => {
  const quotes: SolverRequest[] = []
  for (let at = 0; at < depositCount; at++)
    quotes.push(await quoteOf(at % 2 === 1 ? 'debug-force-refund' : undefined))
  await rig.depositAll(quotes)
  // Operations are saves and sends. The kills cover the first six operations, before and after each.
  const kills = Array.from({ length: 24 }, (_, at): Kill => {
    return { operations: Math.floor(at / 2) % 6, when: at % 2 === 0 ? 'before' : 'after' }
  })
  const ids = quotes.map(({ requestId }) => requestId)
  const isOver = vi.waitFor(
    async () => {
      const found = await rig.store.findAll(ids)
      expect(found.filter(({ state }) => !isTerminal(state.status))).toEqual([])
    },
    { ...patience, interval: 300 },
  )
  const deaths = await Promise.all([
    solveThroughKills(ethereum, kills, isOver),
    solveThroughKills(rollup, kills, isOver),
  ])
  expect(Math.min(...deaths)).toBeGreaterThan(8)
  for (const [at, quoted] of quotes.entries()) {
    const { status } = (await rig.find(quoted.requestId)).state
    const { filled, refunded } = await paid(quoted)
    const isRefund = at % 2 === 1
    expect(status).toBe(isRefund ? 'refund' : 'success')
    expect(filled).toBe(isRefund ? 0n : quoted.amountOut)
    if (!isRefund) expect(refunded).toBe(0n)
    else expect(refunded > 0n && refunded < inputOf(quoted).depositAmount).toBe(true)
  }
})

it('resends a fill that a reorg removes before it is confirmed, and pays once', async () => {
  solve(rollup)
  const quoted = await quoteOf()
  await rig.minePendingOnly(rollup, async () => {
    await rig.deposit(quoted)
    await vi.waitFor(
      async () => expect((await rig.find(quoted.requestId)).state.fill?.status).toBe('seen'),
      patience,
    )
    const { fill } = (await rig.find(quoted.requestId)).state
    if (fill?.status !== 'seen') throw new Error('It is not in a block')
    await rig.reorg(rollup, fill.transaction.block?.number ?? 0n)
  })
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  await vi.waitFor(async () => expect((await paid(quoted)).filled).toBe(quoted.amountOut), patience)
  const transactions = await rig.store.transactionsOf(quoted.requestId)
  expect(transactions.map(({ transactionId }) => transactionId)).toEqual([
    `fill:${quoted.requestId}:0`,
  ])
})

it('resends a confirmed fill that a deep reorg removes', async () => {
  solve(rollup)
  const quoted = await quoteOf()
  await rig.deposit(quoted)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  const [fill] = await rig.store.transactionsOf(quoted.requestId)
  await rig.reorg(rollup, fill?.mined?.block.number ?? 0n)
  expect((await paid(quoted)).filled).toBe(0n)
  await vi.waitFor(async () => expect((await paid(quoted)).filled).toBe(quoted.amountOut), patience)
  expect((await rig.find(quoted.requestId)).state.status).toBe('success')
})

it('raises the fee of a stuck transaction', async () => {
  let isCheap = true
  const cheap: SolverMarket = {
    ...rig.market,
    snapshot: (chainIds) => {
      const seen = rig.market.snapshot(chainIds)
      const chain = seen.chains.get(rollup)
      if (!isCheap || chain === undefined) return seen
      const gas = { ...chain.gas, baseFeePerGas: 1n, priorityFeePerGas: 1n }
      return { ...seen, chains: new Map(seen.chains).set(rollup, { ...chain, gas }) }
    },
  }
  solve(rollup, { market: cheap })
  const quoted = await quoteOf()
  await rig.deposit(quoted)
  await vi.waitFor(
    async () => expect((await rig.find(quoted.requestId)).state.status).toBe('submitted'),
    patience,
  )
  isCheap = false
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect((await paid(quoted)).filled).toBe(quoted.amountOut)
  const [transaction] = await rig.store.transactionsOf(quoted.requestId)
  const [first, second] = transaction?.attempts ?? []
  expect(transaction?.mined?.hash).not.toBe(first?.hash)
  expect(second?.maxFeePerGas ?? 0n).toBeGreaterThan(first?.maxFeePerGas ?? 0n)
})

/** Makes the recipient reject payments after the solver's simulation and before the block. */
const refusedBy = ({ recipient }: SolverRequest) =>
  actBeforeCall(rig.clientOn(rollup), () =>
    rig.wallet.clientOn(rollup).setCode({ address: evmAddress(recipient), bytecode: '0x5f5ffd' }),
  )

it('refunds the deposit after its fill reverts on-chain', async () => {
  const quoted = await quoteOf()
  solve(rollup, { client: refusedBy(quoted) })
  solve(ethereum)
  await rig.deposit(quoted)
  await makeFinal(rig, rollup, async () =>
    (await rig.store.transactionsOf(quoted.requestId)).flatMap(({ attempts }) =>
      attempts.map(({ hash }) => hash),
    ),
  )
  const { state } = await rig.outcome(quoted.requestId)
  expect([state.status, state.failReason]).toEqual(['refund', 'EXECUTION_REVERTED'])
  const fills = await rig.store.transactionsOf(quoted.requestId)
  expect(fills.map(({ purpose, status }) => [purpose, status]).sort()).toEqual([
    ['fill', 'reverted'],
    ['refund', 'final'],
  ])
  const { filled, refunded } = await paid(quoted)
  expect(filled).toBe(0n)
  expect(refunded).toBeGreaterThan(0n)
})

it('spends the funds of a reverted fill on another order before the revert is final', async () => {
  const anvil = rig.wallet.clientOn(rollup)
  const account = { address: rig.solverAddress }
  const held = await anvil.getBalance(account)
  // Covers only one of the two orders.
  await anvil.setBalance({ ...account, value: eth(150n) })
  await rig.mine(rollup, 1)
  const [refused, other] = [await quoteOf(), await quoteOf()]
  solve(rollup, { client: refusedBy(refused) })
  await rig.deposit(refused)
  const isSent = async () => (await rig.find(refused.requestId)).state.status === 'submitted'
  await vi.waitUntil(isSent, patience)
  await rig.deposit(other)
  expect((await rig.outcome(other.requestId)).state.status).toBe('success')
  expect((await rig.find(refused.requestId)).state.status).toBe('submitted')
  expect((await paid(other)).filled).toBe(other.amountOut)
  await anvil.setBalance({ ...account, value: held })
})
