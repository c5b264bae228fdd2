import { concatHex, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Market } from '#src/pricing/market.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { makeFinal } from '#test/support/rigs/makeFinal.ts'
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
  rig = await startBridgingRig({ blockSeconds: 0.5 })
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

/** Quotes this amount of USDC, and pays it by a plain transfer, even if the quote asks for another deposit. */
async function pay(amount: bigint) {
  const accounts = { recipient: newAccount(), refundTo: newAccount() }
  const quoted = await rig.quote([ethereum, 'USDC'], [rollup, 'USDC'], {
    ...{ amount, ...accounts, disableOriginSwaps: true },
  })
  const args = [rig.contractsOn(ethereum).depository, amount] as const
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const { transactionHash } = await rig.wallet.call(ethereum, {
    to: rig.currencyOf([ethereum, 'USDC']).address,
    data: concatHex([transfer, quoted.orderId]),
  })
  await makeFinal(rig, ethereum, async () => [transactionHash])
  return { ...quoted, ...accounts }
}

const usdcOf = (chainId: ChainId, holder: string) =>
  rig.balanceOf(rig.currencyOf([chainId, 'USDC']), holder)

const limit = 1_000_000_000n

it('fills plain transfers up to the limit, and refunds larger ones, because no record covers them', async () => {
  solve(ethereum)
  solve(rollup)
  const within = await pay(limit)
  expect((await rig.outcome(within.requestId)).state.status).toBe('success')
  expect(await usdcOf(rollup, within.recipient)).toBeGreaterThan((limit * 99n) / 100n)
  const above = await pay(limit + 1n)
  const { state } = await rig.outcome(above.requestId)
  expect(await usdcOf(rollup, above.recipient), 'the solver fills what it may never get').toBe(0n)
  expect(state).toMatchObject({ status: 'refund', failReason: 'SOLVER_CAPACITY_EXCEEDED' })
  expect(await usdcOf(ethereum, above.refundTo)).toBeGreaterThan((limit * 9n) / 10n)
})

it('neither fills nor refunds a plain transfer without a price', async () => {
  let isPriced = false
  const withoutPrices = (market: Market): Market => ({
    ...market,
    chains: new Map(
      [...market.chains].map(([id, chain]) => [
        id,
        isPriced || id === rollup ? chain : { ...chain, usdPrices: new Map() },
      ]),
    ),
  })
  let snapshots = 0
  const market: SolverRig['market'] = {
    ...rig.market,
    snapshot: (chainIds) => {
      if (chainIds.includes(ethereum)) snapshots += 1
      return withoutPrices(rig.market.snapshot(chainIds))
    },
  }
  solve(ethereum)
  solve(rollup, { market })
  const { requestId } = await pay(limit + 1n)
  await vi.waitUntil(async () => (await rig.find(requestId)).state.status === 'pending', patience)
  const before = snapshots
  await rig.mine(rollup, 2)
  await vi.waitUntil(() => snapshots > before + 12, patience)
  expect(await rig.store.transactionsOf(requestId)).toEqual([])
  expect(await rig.store.depositsOf(requestId)).toMatchObject([{ status: 'credited' }])
  isPriced = true
  expect((await rig.outcome(requestId)).state.status).toBe('refund')
})
