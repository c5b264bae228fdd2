import { encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { type AddressPayments, createAddressPayments } from '#test/support/rigs/addressPayments.ts'
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
let pays: AddressPayments
beforeAll(async () => {
  rig = await startBridgingRig({}, { finalityBlocks: defaultFinalityBlocks })
  pays = createAddressPayments(rig)
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

const usdc: Place = [ethereum, 'USDC']
const thousand = 1_000_000_000n
const little = 30_000_000n

/** Deposits USDC with a copied order id, from a stranger's account. */
async function depositAsStranger(orderId: `0x${string}`, amount: bigint): Promise<void> {
  const spender = rig.contractsOn(ethereum).depository
  const address = evmAddress(rig.currencyOf(usdc).address)
  const approval = { abi: erc20Abi, functionName: 'approve', args: [spender, amount] } as const
  await rig.stranger.call(ethereum, { to: address, data: encodeFunctionData(approval) })
  const args = [nativeAddress, address, amount, orderId] as const
  const data = encodeFunctionData({ abi: depository.abi, functionName: 'depositErc20', args })
  const { status } = await rig.stranger.call(ethereum, { to: spender, data })
  expect(status).toBe('success')
}

const passGrace = () => rig.mine(ethereum, 14)

it('a little money sent to a strict address ends no request: the user’s payment is filled', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await pays.quote(usdc, thousand)
  await pays.pay(usdc, quoted.address, little)
  await rig.mine(ethereum, 2)
  await pays.passTopUp()
  await vi.waitUntil(async () => (await pays.left(quoted, usdc)) === 0n, patience)
  await passGrace()
  await pays.pay(usdc, quoted.address, thousand)
  await vi.waitUntil(
    async () => (await rig.store.depositsOf(quoted.requestId)).length > 1,
    patience,
  )
  const { state } = await rig.outcome(quoted.requestId)
  expect(
    state.status,
    'the user’s 1,000 USDC were refunded with DOUBLE_SPEND, because 30 USDC came first',
  ).toBe('success')
  await pays.ends(quoted, [
    ['filled', undefined],
    ['refunded', 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'],
  ])
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
  const back = await pays.refunded(quoted, usdc)
  expect(back > 0n && back < little).toBe(true)
})

it.each<[string, (orderId: `0x${string}`) => Promise<void>, string]>([
  ['a little', (orderId) => depositAsStranger(orderId, little), 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'],
  [
    'another currency',
    (orderId) => pays.depositFor(orderId, 10n ** 17n),
    'INCORRECT_DEPOSIT_CURRENCY',
  ],
])(
  '%s deposited by somebody who copies the order id ends no request',
  async (_, disturb, reason) => {
    solve(ethereum)
    solve(rollup)
    const [recipient, refundTo] = [newAccount(), newAccount()]
    const change = { amount: thousand, recipient, refundTo, disableOriginSwaps: true }
    const quoted = await rig.quote(usdc, [rollup, 'USDC'], change)
    await disturb(quoted.orderId)
    await passGrace()
    await rig.deposit(quoted)
    await vi.waitUntil(
      async () => (await rig.store.depositsOf(quoted.requestId)).length > 1,
      patience,
    )
    const { state } = await rig.outcome(quoted.requestId)
    expect(
      state.status,
      'the user’s 1,000 USDC were refunded with DOUBLE_SPEND, because a stranger’s deposit came first',
    ).toBe('success')
    await pays.ends(quoted, [
      ['filled', undefined],
      ['refunded', reason],
    ])
    expect(await rig.balanceOf(rig.currencyOf([rollup, 'USDC']), recipient)).toBe(quoted.amountOut)
  },
)

it('a second part of a payment joins the first one within ten minutes', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await pays.quote(usdc, thousand)
  await pays.pay(usdc, quoted.address, 400_000_000n)
  await rig.mine(ethereum, 3)
  await pays.pay(usdc, quoted.address, 600_000_000n)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
})
