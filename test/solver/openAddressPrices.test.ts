import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmAddress } from '#src/core/units/address.ts'
import { createMarketHistory } from '#src/market/marketHistory.ts'
import { createRequote } from '#src/service/quote/requote.ts'
import { type AddressPayments, createAddressPayments } from '#test/support/rigs/addressPayments.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startSolverRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

/** Chain time between two markets of the history. */
const gap = 12

let rig: SolverRig
let pays: AddressPayments
/** Codes of the errors with which payments were not priced, one for each try. */
const refusals: string[] = []
beforeAll(async () => {
  rig = await startSolverRig(
    {},
    {
      chainIds: [ethereum, rollup],
      pools: [{ version: 2, pair: ['WBTC', 'USDC'], depthUsd: 200_000n, state: 'live' }],
    },
  )
  pays = createAddressPayments(rig)
  const requote = createRequote({ ...rig, history: createMarketHistory(rig.market, 5 * gap) })
  rig.track()
  rig.solve(ethereum, {
    requote: async (...args) => {
      try {
        return await requote(...args)
      } catch (error) {
        if (error instanceof AppError) refusals.push(error.code)
        throw error
      }
    },
  })
  rig.solve(rollup)
})
afterAll(() => rig.stop())

const usdc: Place = [ethereum, 'USDC']
const [paid, bought]: [Place, Place] = [
  [rollup, 'USDC'],
  [rollup, 'WBTC'],
]
const payment = 2_000_000_000n

/** An open address whose payments are swapped on the rollup. */
async function openAddress() {
  const terms = { amount: payment, useDepositAddress: true, isOpen: true } as const
  const accounts = { recipient: newAccount(), refundTo: newAccount() }
  const request = await rig.quote(usdc, bought, { ...terms, ...accounts })
  const { depositAddress, depositor } = request
  if (depositAddress === undefined || depositor === undefined) throw new Error('No deposit address')
  const address = evmAddress(depositAddress)
  return { ...request, address, depositor: evmAddress(depositor), place: bought }
}

/** Lets chain time pass on the rollup, until the history has that many more markets. */
async function passMarkets(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await rig.pass(rollup, gap + 1)
    await rig.settled()
  }
}

/** Mines on the first chain until payments were refused with this code a few times more. */
async function isRefused(code: string): Promise<void> {
  refusals.length = 0
  await vi.waitFor(async () => {
    await rig.mine(ethereum, 1)
    expect(refusals.filter((each) => each === code).length).toBeGreaterThan(1)
  }, patience)
}

it('a payment waits for a history, then while a pool is skewed, and is filled at the fair price', async () => {
  const fair = await openAddress()
  await pays.pay(usdc, evmAddress(fair.address), payment)
  await isRefused('SERVICE_UNAVAILABLE')
  await passMarkets(7)
  const [first] = await pays.payments(fair, 1)
  expect((await rig.outcome(first?.requestId ?? '')).state.status).toBe('success')
  expect(await pays.paidOut(fair)).toBeGreaterThanOrEqual(first?.minimumAmountOut ?? 0n)

  const skewed = await openAddress()
  await passMarkets(7)
  const wbtc = await rig.balanceOf(rig.currencyOf(bought), rig.wallet.address)
  // Within the impact limit: the pool gives about a tenth less.
  await rig.swap(paid, bought, { amount: 6_000_000_000n })
  const held = (await rig.balanceOf(rig.currencyOf(bought), rig.wallet.address)) - wbtc
  await rig.settled()
  await pays.pay(usdc, skewed.address, payment)
  await isRefused('SWAP_IMPACT_TOO_HIGH')
  expect(await pays.payments(skewed, 0)).toEqual([])
  await rig.swap(bought, paid, { amount: held })
  await rig.settled()
  await rig.mine(ethereum, 1)
  const [second] = await pays.payments(skewed, 1)
  expect((await rig.outcome(second?.requestId ?? '')).state.status).toBe('success')
  const share = (1_000n * (await pays.paidOut(skewed))) / skewed.amountOut
  expect(share).toBeGreaterThanOrEqual(985n)
})
