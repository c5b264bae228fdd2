import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { users } from '#src/devnet/accounts.ts'
import { depositAddressOf, sweepCall } from '#src/protocol/calls/depositAddress.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
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

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)
const ether: Place = [ethereum, 'ETH']
const usdc: Place = [ethereum, 'USDC']
const hundred = units(100n, 6)

it.each<[string, Place, bigint]>([
  ['native', ether, units(1n, 17)],
  ['ERC-20', usdc, hundred],
])('%s: an exact payment is swept and filled, to the unit', async (_, from, amount) => {
  solve(ethereum)
  solve(rollup)
  const quoted = await pays.quote(from, amount)
  expect(quoted.steps.map(({ depositAddress }) => depositAddress)).toEqual([quoted.address])
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
  expect(await pays.left(quoted, from)).toBe(0n)
  const [deposit] = await rig.store.depositsOf(quoted.requestId)
  const [hash] = state.inTxHashes
  expect(deposit).toMatchObject({ amount, depositor: quoted.user, txHash: hash })
  // The sweep's gas was charged: the estimate is close to what it has used.
  const { gasUsed } = await rig.clientOn(ethereum).getTransactionReceipt({ hash: hash as never })
  expect(gasUsed).toBeLessThan(from === ether ? 133_200n : 165_200n)
})

it('a contract pays by an internal transaction, which leaves no log', async () => {
  solve(ethereum)
  solve(rollup)
  const amount = units(1n, 17)
  const quoted = await pays.quote(ether, amount)
  await pays.internally(quoted.address, amount)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
})

it('fills a large payment with its surplus, and refunds a second payment less the gas of its sweep and refund', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await pays.quote(usdc, hundred)
  await pays.pay(usdc, quoted.address, hundred + 7n)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut + 7n)
  await pays.pay(usdc, quoted.address, hundred)
  await pays.ends(quoted, [
    ['filled', undefined],
    ['refunded', 'DOUBLE_SPEND'],
  ])
  const back = await pays.refunded(quoted, usdc)
  // The refund alone costs $3 at least, and the sweep $2, as its receipt has it.
  expect(back).toBeLessThan(hundred - units(5n, 6))
  expect(back).toBeGreaterThan(hundred - units(12n, 6))
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut + 7n)
  expect((await rig.find(quoted.requestId)).state.status).toBe('success')
})

it('a small payment waits for the rest, so that nobody can end a request with it, and is refunded otherwise', async () => {
  solve(ethereum)
  solve(rollup)
  const [topped, short] = [await pays.quote(usdc, hundred), await pays.quote(usdc, hundred)]
  await pays.pay(usdc, topped.address, units(60n, 6))
  await pays.pay(usdc, short.address, units(60n, 6))
  await rig.mine(ethereum, 15)
  await pays.pay(usdc, topped.address, units(40n, 6))
  expect((await rig.outcome(topped.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(topped)).toBe(topped.amountOut)
  expect(await pays.sweepsOf(short)).toEqual([])
  await pays.passTopUp()
  await vi.waitUntil(async () => (await pays.sweepsOf(short)).length > 0, patience)
  await vi.waitUntil(async () => (await pays.left(short, usdc)) === 0n, patience)
  await pays.ends(short, [['refunded', 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL']])
  expect((await rig.find(short.requestId)).state.status).toBe('waiting')
  expect(await pays.refunded(short, usdc)).toBeGreaterThan(units(48n, 6))
})

it('does not sweep dust, because the sweep would cost more', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await pays.quote(usdc, hundred)
  await pays.pay(usdc, quoted.address, units(2n, 6))
  await pays.passTopUp()
  await rig.mine(ethereum, 3)
  const other = await pays.quote(usdc, hundred)
  await pays.pay(usdc, other.address, hundred)
  await rig.outcome(other.requestId)
  expect(await pays.sweepsOf(quoted)).toEqual([])
  expect(await pays.left(quoted, usdc)).toBe(units(2n, 6))
  // It goes along with the payment.
  await pays.pay(usdc, quoted.address, hundred)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut + units(2n, 6))
})

it('another currency of the solver is refunded on request', async () => {
  let taken = 0
  const takeSweepHints: RequestStore['takeSweepHints'] = async (...args) => {
    const found = await rig.store.takeSweepHints(...args)
    taken += found.length
    return found
  }
  solve(ethereum, { store: { ...rig.store, takeSweepHints } })
  solve(rollup)
  const quoted = await pays.quote(usdc, hundred)
  const amount = units(1n, 17)
  await pays.pay(ether, quoted.address, amount)
  const ask = () => rig.store.addSweepHint({ chainId: ethereum, requestId: quoted.requestId })
  await ask()
  await vi.waitUntil(() => taken === 1, patience)
  // The request still takes what it was quoted for, while the wrong payment waits.
  await rig.mine(ethereum, 3)
  expect(await pays.left(quoted, ether)).toBe(amount)
  await pays.passTopUp()
  // A question is forgotten after a minute, which a slow machine may take until here.
  await vi.waitUntil(async () => {
    await ask()
    return (await pays.left(quoted, ether)) === 0n
  }, patience)
  await pays.ends(quoted, [['refunded', 'INCORRECT_DEPOSIT_CURRENCY']])
  expect((await rig.find(quoted.requestId)).state.status).toBe('waiting')
  const back = await pays.refunded(quoted, ether)
  expect(back).toBeGreaterThan((amount * 9n) / 10n)
  expect(back).toBeLessThan(amount)
})

it('if another account sweeps first, the solver pays nothing, and the deposit counts once', async () => {
  const quoted = await pays.quote(usdc, hundred)
  await pays.pay(usdc, quoted.address, hundred)
  const factory = rig.contractsOn(ethereum).depositAddressFactory ?? nativeAddress
  const call = sweepCall(factory, quoted, [evmAddress(rig.currencyOf(usdc).address)])
  expect((await rig.stranger.call(ethereum, call)).status).toBe('success')
  solve(ethereum)
  solve(rollup)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
  expect(await pays.sweepsOf(quoted)).toEqual([])
})

it('a payment that a reorg removes is filled once it is mined again', async () => {
  solve(ethereum)
  const quoted = await pays.quote(usdc, hundred)
  const { blockNumber } = await pays.pay(usdc, quoted.address, hundred)
  await vi.waitUntil(async () => (await pays.left(quoted, usdc)) === 0n, patience)
  await rig.reorg(ethereum, blockNumber)
  expect(await pays.left(quoted, usdc)).toBe(0n)
  solve(rollup)
  await pays.pay(usdc, quoted.address, hundred)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
  const deposits = await rig.store.depositsOf(quoted.requestId)
  expect(deposits.map(({ status }) => status)).toEqual(['filled'])
})

it('a sweep that a reorg removes is sent again, and the payment is filled once', async () => {
  solve(ethereum)
  const quoted = await pays.quote(usdc, hundred)
  await pays.pay(usdc, quoted.address, hundred)
  await vi.waitUntil(async () => (await pays.left(quoted, usdc)) === 0n, patience)
  const [sweep] = await pays.sweepsOf(quoted)
  const hash = evmHash(sweep?.attempts[0]?.hash ?? '0x')
  const { blockNumber } = await rig.clientOn(ethereum).getTransactionReceipt({ hash })
  await rig.reorg(ethereum, blockNumber)
  solve(rollup)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
  const deposits = await rig.store.depositsOf(quoted.requestId)
  expect(deposits.map(({ status }) => status)).toEqual(['filled'])
})

it('a sweep that was stored and never sent is sent by the next solver', async () => {
  solve(rollup)
  const quoted = await pays.quote(usdc, hundred)
  await pays.pay(usdc, quoted.address, hundred)
  const client = rig.clientOn(ethereum)
  // The process dies between the save and the broadcast.
  const mute = {
    ...client,
    ask: ((request: { method: string }, ...rest: never[]) =>
      request.method === 'eth_sendRawTransaction'
        ? Promise.reject(new Error('killed'))
        : (client.ask as (...all: unknown[]) => unknown)(request, ...rest)) as typeof client.ask,
  }
  const first = solve(ethereum, { client: mute })
  await vi.waitUntil(async () => (await pays.sweepsOf(quoted)).length > 0, patience)
  await first.stop()
  expect(await pays.left(quoted, usdc)).toBe(hundred)
  solve(ethereum)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await pays.paidOut(quoted)).toBe(quoted.amountOut)
  expect(await pays.sweepsOf(quoted)).toHaveLength(1)
})

it('a command sweeps from the preimage alone, and a payment without a request returns to the depositor', async () => {
  solve(ethereum)
  const factory = rig.contractsOn(ethereum).depositAddressFactory ?? nativeAddress
  const terms = { orderId: `0x${'5a'.repeat(32)}`, depositor: newAccount() } as const
  const currency = rig.currencyOf(usdc).address
  expect((await pays.sweepCommand(terms, evmAddress(currency))).problems).toMatch(
    /nothing to sweep/,
  )
  await pays.pay(usdc, depositAddressOf(factory, terms), hundred)
  const { data } = sweepCall(factory, terms, [evmAddress(currency)])
  expect((await pays.sweepCommand(terms, evmAddress(currency))).output).toContain(
    `to   ${factory}\ndata ${data}`,
  )
  const { output, problems } = await pays.sweepCommand(
    terms,
    evmAddress(currency),
    users[1].privateKey,
  )
  expect([output, problems]).toEqual([expect.stringMatching(/Swept by transaction 0x/), ''])
  await rig.mineUntilFinal(ethereum)
  await vi.waitUntil(
    async () => (await pays.refunded({ refundTo: terms.depositor }, usdc)) > 0n,
    patience,
  )
  expect(await pays.refunded({ refundTo: terms.depositor }, usdc)).toBeGreaterThan(units(90n, 6))
})

it('a sweep for an open address on another chain is refunded there, and the address stays open', async () => {
  solve(ethereum)
  solve(rollup)
  const amount = units(1n, 17)
  const quoted = await pays.quote(ether, amount, { isOpen: true })
  // The devnet's chains have their factories at different addresses: the deposit replaces the sweep.
  const { depositor } = quoted
  await pays.depositFor(quoted.orderId, amount, { chainId: rollup, depositor })
  await pays.ends(quoted, [['refunded', 'INCORRECT_DEPOSIT_CURRENCY']])
  const back = await pays.refunded(quoted, [rollup, 'ETH'])
  expect(back).toBeLessThan(amount)
  expect(back).toBeGreaterThan((amount * 9n) / 10n)
  await pays.pay(ether, quoted.address, amount)
  const [payment] = await pays.payments(quoted, 1)
  const { state, amountOut } = await rig.outcome(payment?.requestId ?? '')
  expect([state.status, await pays.paidOut(quoted)]).toEqual(['success', amountOut])
  expect((await rig.find(quoted.requestId)).state).toMatchObject({ status: 'waiting' })
})

it('a payment after the end is refunded', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await pays.quote(usdc, hundred)
  await rig.mineAt(ethereum, BigInt(quoted.deadline) + 1n, 1)
  await pays.pay(usdc, quoted.address, hundred)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'ORDER_EXPIRED' })
  expect(await pays.refunded(quoted, usdc)).toBeGreaterThan(units(88n, 6))
})
