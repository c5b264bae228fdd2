import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { priceFeed } from '#src/devnet/artifacts/priceFeed.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
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

const usdc: readonly [Place, Place] = [
  [ethereum, 'USDC'],
  [rollup, 'USDC'],
]
const amount = 500_000_000n

/** Sets the feed of USDC on a chain, in cents. Waits until the market has the price. */
async function setUsdc(chainId: ChainId, cents: bigint): Promise<void> {
  const { address } = rig.currencyOf([chainId, 'USDC'])
  const feed = rig.chainOf(chainId).priceFeeds.find(({ currency }) => currency === address)
  if (feed === undefined) throw new Error('No feed')
  const args = [cents * 10n ** 6n, 0n] as const
  const data = encodeFunctionData({ abi: priceFeed.abi, functionName: 'set', args })
  await rig.stranger.call(chainId, { to: feed.aggregator, data })
  await vi.waitFor(
    () => expect(rig.market.latest(chainId)?.usdPrices.get(address)).toBe(cents * 10n ** 16n),
    patience,
  )
}

/** What the market says to an order over USDC alone. */
function priced() {
  const [origin, destination] = usdc.map((place) => rig.currencyOf(place))
  if (origin === undefined || destination === undefined) throw new Error('No USDC')
  const snapshot = rig.market.snapshot([ethereum, rollup])
  const assets = snapshot.assets.filter(({ symbol }) => symbol === 'USDC')
  return attempt(
    { ...example(), origin, destination, amount: toAmount(amount) },
    {
      ...snapshot,
      assets,
    },
  )
}

async function paid() {
  const recipient = newAccount()
  const request = await rig.quote(...usdc, { amount, recipient })
  return {
    ...request,
    recipient,
    received: () => rig.balanceOf(rig.currencyOf(usdc[1]), recipient),
  }
}

/** Solvers on both chains that stop an asset after this many seconds of chain time. */
function solveWith(pegStopSeconds: number): void {
  const limits = { ...rig.config.solver, pegStopSeconds }
  for (const chainId of [ethereum, rollup]) solve(chainId, { limits })
}

it('a feed that disagrees for a moment only makes the fill wait', async () => {
  const request = await paid()
  await setUsdc(ethereum, 10n)
  await rig.deposit(request)
  solveWith(86_400)
  await vi.waitUntil(
    async () => (await rig.find(request.requestId)).state.status === 'pending',
    patience,
  )
  await rig.mine(rollup, 4)
  await rig.settled()
  expect(await request.received()).toBe(0n)
  expect(await rig.store.stoppedAssets()).toEqual([])
  await setUsdc(ethereum, 100n)
  expect((await rig.outcome(request.requestId)).state.status).toBe('success')
})

it('a failed asset is stopped until an operator resumes it, and its deposits are refunded', async () => {
  const request = await paid()
  await setUsdc(ethereum, 10n)
  await rig.deposit(request)
  solveWith(2)
  const { state } = await rig.outcome(request.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'NO_QUOTES' })
  expect(await request.received()).toBe(0n)
  await vi.waitFor(async () => {
    const stopped = await rig.store.stoppedAssets()
    expect(stopped.map(({ chainId, asset }) => [chainId, asset])).toEqual([
      [ethereum, 'USDC'],
      [rollup, 'USDC'],
    ])
  }, patience)
  // The feed is back. That alone resumes nothing.
  await setUsdc(ethereum, 100n)
  await vi.waitUntil(() => rig.market.latest(rollup)?.stoppedAssets.has('USDC') === true, patience)
  expect(priced()).toMatchObject({ code: 'SERVICE_UNAVAILABLE', data: { peg: 'stopped' } })
  for (const chainId of [ethereum, rollup]) {
    expect(await rig.store.resumeAsset(chainId, 'USDC')).toBe(true)
    expect(await rig.store.resumeAsset(chainId, 'USDC')).toBe(false)
  }
  await vi.waitUntil(
    () => [ethereum, rollup].every((id) => rig.market.latest(id)?.stoppedAssets.size === 0),
    patience,
  )
  const resumed = await paid()
  await rig.deposit(resumed)
  expect((await rig.outcome(resumed.requestId)).state.status).toBe('success')
})
