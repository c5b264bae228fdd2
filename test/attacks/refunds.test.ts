import { parseTransaction } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import {
  ethereum,
  type Place,
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

type Change = (market: ChainMarket) => Partial<ChainMarket>

/** The rig's market, of which `isOn` decides whether `change` applies to every chain. */
function marketWith(change: Change, isOn: () => boolean) {
  const changed = (chain: ChainMarket) => (isOn() ? { ...chain, ...change(chain) } : chain)
  return {
    ...rig.market,
    latest: (chainId: ChainId) => {
      const chain = rig.market.latest(chainId)
      return chain && changed(chain)
    },
    snapshot: (chainIds: readonly ChainId[]): Market => {
      const market = rig.market.snapshot(chainIds)
      return {
        ...market,
        chains: new Map([...market.chains].map(([id, chain]) => [id, changed(chain)])),
      }
    },
  }
}

const weekMs = 7 * 86_400_000

it.each<[string, Place, bigint, Change]>([
  ['a minute without prices', [ethereum, 'USDC'], 5_000_000_000n, () => ({ usdPrices: new Map() })],
  [
    'a spike of the gas price',
    [ethereum, 'ETH'],
    10n ** 17n,
    ({ gas }) => ({
      gas: { ...evmGas(gas), baseFeePerGas: evmGas(gas).baseFeePerGas * 100_000n },
    }),
  ],
])('a deposit is refunded after %s', async (_, from, amount, change) => {
  let isOn = true
  let aheadMs = 0
  const refundTo = newAccount()
  const order = { amount, refundTo, referrer: 'debug-force-refund', disableOriginSwaps: true }
  const quoted = await rig.quote(from, [rollup, from[1]], order)
  await rig.deposit(quoted)
  solve(rollup)
  const depositNow = async () => (await rig.store.depositsOf(quoted.requestId))[0] as Deposit
  await vi.waitUntil(async () => (await depositNow())?.status === 'refundable', patience)
  const refunding = solve(ethereum, {
    market: marketWith(change, () => isOn),
    now: () => Date.now() + aheadMs,
  })
  await vi.waitUntil(() => refunding.status().block !== undefined, patience)
  const seen = refunding.status().block ?? 0n
  await rig.mine(ethereum, 2)
  await vi.waitUntil(() => (refunding.status().block ?? 0n) >= seen + 2n, patience)
  isOn = false
  aheadMs = weekMs / 2
  await rig.mine(ethereum, 1)
  await vi.waitUntil(async () => (await depositNow()).status !== 'refundable', patience)
  const repaid = await rig.balanceOf(rig.currencyOf(from), refundTo)
  const { status } = await depositNow()
  expect(
    status,
    `the user deposited ${amount} and got back ${repaid}: the depository keeps ${amount - repaid}`,
  ).toBe('refunded')
})

/** Bytecode that loops 200,000 times at 26 gas each. */
const burnsGas = '0x62030d405b600190038060045700'

it('no refund address makes the solver sign millions of gas', async () => {
  const refundTo = newAccount()
  const order = { amount: 10n ** 17n, refundTo, referrer: 'debug-force-refund' }
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], order)
  await rig.wallet.clientOn(ethereum).setCode({ address: refundTo, bytecode: burnsGas })
  await rig.deposit(quoted)
  solve(rollup)
  solve(ethereum, { limits: { ...rig.config.solver, refundRetryDays: 0 } })
  await rig.outcome(quoted.requestId)
  const signed = (await rig.store.transactionsOf(quoted.requestId)).flatMap(({ attempts }) =>
    attempts.map(({ raw }) => parseTransaction(raw).gas ?? 0n),
  )
  const most = signed.reduce((sum, gas) => sum + gas, 0n)
  expect(most, `the solver signed ${most} gas for one refund`).toBeLessThanOrEqual(1_000_000n)
})
