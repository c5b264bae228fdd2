import { encodeFunctionData, erc20Abi, multicall3Abi } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { depositAddressOf, sweepCall } from '#src/execution/calls/depositAddress.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { topUpSeconds } from '#src/solver/sweeps/decideSweep.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)
const ether: Place = [ethereum, 'ETH']
const usdc: Place = [ethereum, 'USDC']
const hundred = units(100n, 6)

type Quoted = Awaited<ReturnType<typeof quote>>

async function quote(from: Place, amount: bigint) {
  const [recipient, refundTo] = [newAccount(), newAccount()]
  const change = { amount, useDepositAddress: true, recipient, refundTo }
  const request = await rig.quote(from, [rollup, from[1]], change)
  const { depositAddress: address, depositor } = request
  if (address === undefined || depositor === undefined) throw new Error('No deposit address')
  return { ...request, address, depositor, from, place: [rollup, from[1]] as Place }
}

/** A payment as an exchange makes it: by another account than the user's. */
async function pay([chainId, symbol]: Place, address: Address, amount: bigint) {
  const { address: currency } = rig.currencyOf([chainId, symbol])
  const isNative = currency === nativeAddress
  const args = [address, amount] as const
  const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  const receipt = await rig.stranger.call(
    chainId,
    isNative ? { to: address, data: '0x', value: amount } : { to: currency, data: transfer },
  )
  expect(receipt.status).toBe('success')
  return receipt
}

const paidOut = ({ place, recipient }: Quoted) => rig.balanceOf(rig.currencyOf(place), recipient)
const refunded = ({ refundTo }: Pick<SolverRequest, 'refundTo'>, place: Place) =>
  rig.balanceOf(rig.currencyOf(place), refundTo)
const left = ({ address }: Quoted, place: Place) => rig.balanceOf(rig.currencyOf(place), address)

const sweepsOf = async ({ requestId }: Pick<SolverRequest, 'requestId'>) =>
  (await rig.store.transactionsOf(requestId)).filter(({ purpose }) => purpose === 'sweep')

/** Waits until every deposit of the request has one of these ends, in any order: status and reason. */
async function ends(quoted: Quoted, wanted: readonly (string | undefined)[][]) {
  await vi.waitFor(async () => {
    const deposits = await rig.store.depositsOf(quoted.requestId)
    expect(deposits.map(({ status, reason }) => [status, reason]).sort()).toEqual(wanted)
  }, patience)
}

/** Lets chain time pass on the origin chain, and the looks of its solver that see it. */
async function passTopUp() {
  const { timestamp } = await rig.wallet.clientOn(ethereum).getBlock()
  await rig.mineAt(ethereum, timestamp + BigInt(topUpSeconds) + 1n, 1)
}

it.each<[string, Place, bigint]>([
  ['native', ether, units(1n, 17)],
  ['ERC-20', usdc, hundred],
])('%s: an exact payment is swept and filled, to the unit', async (_, from, amount) => {
  solve(ethereum)
  solve(rollup)
  const quoted = await quote(from, amount)
  expect(quoted.steps.map(({ depositAddress }) => depositAddress)).toEqual([quoted.address])
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  expect(await paidOut(quoted)).toBe(quoted.amountOut)
  expect(await left(quoted, from)).toBe(0n)
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
  const quoted = await quote(ether, amount)
  const call = {
    target: quoted.address,
    allowFailure: false,
    value: amount,
    callData: '0x',
  } as const
  const { status } = await rig.stranger.call(ethereum, {
    to: rig.chainOf(ethereum).multicall3,
    data: encodeFunctionData({
      abi: aggregateAbi,
      functionName: 'aggregate3Value',
      args: [[call]],
    }),
    value: amount,
  })
  expect(status).toBe('success')
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await paidOut(quoted)).toBe(quoted.amountOut)
})

it('too much is filled with the surplus, and a second payment is refunded less the gas of its sweep and refund', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await quote(usdc, hundred)
  await pay(usdc, quoted.address, hundred + 7n)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await paidOut(quoted)).toBe(quoted.amountOut + 7n)
  await pay(usdc, quoted.address, hundred)
  await ends(quoted, [
    ['filled', undefined],
    ['refunded', 'DOUBLE_SPEND'],
  ])
  const back = await refunded(quoted, usdc)
  // 140,000 gas of the refund alone cost $3.4 at least.
  expect(back).toBeLessThan(hundred - units(6n, 6))
  expect(back).toBeGreaterThan(hundred - units(12n, 6))
  expect(await paidOut(quoted)).toBe(quoted.amountOut + 7n)
  expect((await rig.find(quoted.requestId)).state.status).toBe('success')
})

it('too little waits for the rest, so that nobody ends a request with a little money; alone it is refunded', async () => {
  solve(ethereum)
  solve(rollup)
  const [topped, short] = [await quote(usdc, hundred), await quote(usdc, hundred)]
  await pay(usdc, topped.address, units(60n, 6))
  await pay(usdc, short.address, units(60n, 6))
  await rig.mine(ethereum, 15)
  await pay(usdc, topped.address, units(40n, 6))
  expect((await rig.outcome(topped.requestId)).state.status).toBe('success')
  expect(await paidOut(topped)).toBe(topped.amountOut)
  expect(await sweepsOf(short)).toEqual([])
  await passTopUp()
  await vi.waitUntil(async () => (await sweepsOf(short)).length > 0, patience)
  await vi.waitUntil(async () => (await left(short, usdc)) === 0n, patience)
  await rig.mine(ethereum, 11)
  const { state } = await rig.outcome(short.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' })
  expect(await refunded(short, usdc)).toBeGreaterThan(units(48n, 6))
})

it('dust is left alone: its sweep would cost more', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await quote(usdc, hundred)
  await pay(usdc, quoted.address, units(2n, 6))
  await passTopUp()
  await rig.mine(ethereum, 3)
  const other = await quote(usdc, hundred)
  await pay(usdc, other.address, hundred)
  await rig.outcome(other.requestId)
  expect(await sweepsOf(quoted)).toEqual([])
  expect(await left(quoted, usdc)).toBe(units(2n, 6))
  // It goes along with the payment.
  await pay(usdc, quoted.address, hundred)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await paidOut(quoted)).toBe(quoted.amountOut + units(2n, 6))
})

it('another currency of the solver is refunded once somebody asks for it', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await quote(usdc, hundred)
  const amount = units(1n, 17)
  await pay(ether, quoted.address, amount)
  await rig.store.addSweepHint({ chainId: ethereum, requestId: quoted.requestId })
  await rig.mine(ethereum, 3)
  await vi.waitUntil(async () => (await rig.store.takeSweepHints(ethereum)).length === 0, patience)
  expect(await left(quoted, ether)).toBe(amount)
  // The request still takes what it was quoted for, while the wrong payment waits.
  await passTopUp()
  await vi.waitUntil(async () => (await left(quoted, ether)) === 0n, patience)
  await rig.mine(ethereum, 11)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'INCORRECT_DEPOSIT_CURRENCY' })
  const back = await refunded(quoted, ether)
  expect(back).toBeGreaterThan((amount * 9n) / 10n)
  expect(back).toBeLessThan(amount)
})

it('anybody sweeps: a solver that comes second pays nothing, and the deposit counts once', async () => {
  const quoted = await quote(usdc, hundred)
  await pay(usdc, quoted.address, hundred)
  const factory = rig.contractsOn(ethereum).depositAddressFactory ?? nativeAddress
  const call = sweepCall(factory, quoted, [rig.currencyOf(usdc).address])
  expect((await rig.stranger.call(ethereum, call)).status).toBe('success')
  solve(ethereum)
  solve(rollup)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await paidOut(quoted)).toBe(quoted.amountOut)
  expect(await sweepsOf(quoted)).toEqual([])
})

it('a payment that a reorg takes back is filled once it is there again', async () => {
  solve(ethereum)
  const quoted = await quote(usdc, hundred)
  const { blockNumber } = await pay(usdc, quoted.address, hundred)
  await vi.waitUntil(async () => (await left(quoted, usdc)) === 0n, patience)
  await rig.reorg(ethereum, blockNumber)
  expect(await left(quoted, usdc)).toBe(0n)
  solve(rollup)
  await pay(usdc, quoted.address, hundred)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  expect(await paidOut(quoted)).toBe(quoted.amountOut)
  const deposits = await rig.store.depositsOf(quoted.requestId)
  expect(deposits.map(({ status }) => status)).toEqual(['filled'])
})

it('a sweep that was stored and never sent is sent by the next solver', async () => {
  solve(rollup)
  const quoted = await quote(usdc, hundred)
  await pay(usdc, quoted.address, hundred)
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
  await vi.waitUntil(async () => (await sweepsOf(quoted)).length > 0, patience)
  await first.stop()
  expect(await left(quoted, usdc)).toBe(hundred)
  solve(ethereum)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await paidOut(quoted)).toBe(quoted.amountOut)
  expect(await sweepsOf(quoted)).toHaveLength(1)
})

it('what nobody has a request for goes back to the depositor', async () => {
  solve(ethereum)
  const depositor = newAccount()
  const orderId = `0x${'5a'.repeat(32)}` as const
  const factory = rig.contractsOn(ethereum).depositAddressFactory ?? nativeAddress
  const terms = { orderId, depositor }
  await pay(usdc, depositAddressOf(factory, terms), hundred)
  const call = sweepCall(factory, terms, [rig.currencyOf(usdc).address])
  expect((await rig.stranger.call(ethereum, call)).status).toBe('success')
  await rig.mine(ethereum, 66)
  await vi.waitUntil(async () => (await refunded({ refundTo: depositor }, usdc)) > 0n, patience)
  expect(await refunded({ refundTo: depositor }, usdc)).toBeGreaterThan(units(90n, 6))
})

it('a payment after the end is refunded', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await quote(usdc, hundred)
  await rig.mineAt(ethereum, BigInt(quoted.deadline) + 1n, 1)
  await pay(usdc, quoted.address, hundred)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'ORDER_EXPIRED' })
  expect(await refunded(quoted, usdc)).toBeGreaterThan(units(88n, 6))
})

const aggregateAbi = [
  {
    ...multicall3Abi[0],
    name: 'aggregate3Value',
    stateMutability: 'payable',
    inputs: [
      {
        name: 'calls',
        type: 'tuple[]',
        components: [
          { name: 'target', type: 'address' },
          { name: 'allowFailure', type: 'bool' },
          { name: 'value', type: 'uint256' },
          { name: 'callData', type: 'bytes' },
        ],
      },
    ],
  },
] as const
