import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { users } from '#src/devnet/accounts.ts'
import { advance } from '#src/requests/machine.ts'
import { ownSteps } from '#src/requests/progress.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import { actBeforeCall } from '#test/support/nodes/actBeforeCall.ts'
import { createMultiInputRig } from '#test/support/rigs/multiInputRig.ts'
import {
  bnb,
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'

let rig: SolverRig
let multiInput: ReturnType<typeof createMultiInputRig>
beforeAll(async () => {
  rig = await startBridgingRig(
    {},
    { chainIds: [ethereum, rollup, bnb], finalityBlocks: defaultFinalityBlocks },
  )
  multiInput = createMultiInputRig(rig)
  rig.track()
  rig.solve(bnb)
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const to: Place = [rollup, 'ETH']
const amount = 10n ** 17n

const quoteOf = (referrer?: string): Promise<SolverRequest> =>
  multiInput.quote(
    [
      [ethereum, 'ETH', amount],
      [bnb, 'ETH', amount],
    ],
    to,
    referrer === undefined ? {} : { referrer },
  )

const inputOn = ({ inputs }: SolverRequest, chainId: number): number =>
  inputs.findIndex((each) => each.chainId === chainId)

/** Signs the native deposit of the quote's step, so that the same transaction can be sent again after a reorg. */
async function signed(quoted: SolverRequest): Promise<Hex> {
  const { last } = ownSteps(quoted, inputOn(quoted, ethereum))
  const data = quoted.steps[last]?.items[0]?.data
  const user = users.find(({ address }) => address === data?.from)
  if (data === undefined || user === undefined) throw new Error('Nobody deposits')
  return privateKeyToAccount(user.privateKey).signTransaction({
    type: 'eip1559',
    chainId: ethereum,
    gas: 500_000n,
    to: data.to,
    data: data.data,
    value: data.value,
    nonce: await rig.wallet.clientOn(ethereum).getTransactionCount({ address: user.address }),
    maxFeePerGas: 10n ** 12n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
}

/** Makes both deposits. Returns functions that remove the Ethereum deposit with a reorg and send it again. */
async function depositBoth(quoted: SolverRequest) {
  const raw = await signed(quoted)
  const redeposit = () => sendUntilMined(rig.wallet.clientOn(ethereum), [raw])
  const [receipt] = await redeposit()
  if (receipt?.status !== 'success') throw new Error('The deposit reverted')
  await multiInput.deposit(quoted, inputOn(quoted, bnb))
  return { redeposit, removeDeposit: () => rig.reorg(ethereum, receipt.blockNumber) }
}

const depositOn = async ({ requestId }: SolverRequest, chainId: number) =>
  (await rig.store.depositsOf(requestId)).find((each) => each.chainId === chainId)

const payments = async ({ requestId }: SolverRequest) =>
  (await rig.store.transactionsOf(requestId)).map(({ purpose, status, chainId }) =>
    [purpose, status, chainId].join(' '),
  )

const received = ({ recipient }: SolverRequest) => rig.balanceOf(rig.currencyOf(to), recipient)

it('fills once if a reorg removes a deposit while the fill is in flight, and the deposit is mined again', async () => {
  const quoted = await quoteOf()
  const { redeposit, removeDeposit } = await depositBoth(quoted)
  const client = actBeforeCall(rig.clientOn(rollup), async () => {
    await removeDeposit()
    await vi.waitFor(async () => {
      expect(await depositOn(quoted, ethereum)).toMatchObject({ status: 'credited' })
      expect((await depositOn(quoted, ethereum))?.block).toBeUndefined()
    }, patience)
  })
  solve(rollup, { client })
  const { state } = await rig.outcome(quoted.requestId)
  expect(state.status).toBe('success')
  expect(await depositOn(quoted, ethereum)).toMatchObject({ status: 'filled' })
  await redeposit()
  await vi.waitFor(
    async () => expect((await depositOn(quoted, ethereum))?.block).toBeDefined(),
    patience,
  )
  expect(await depositOn(quoted, ethereum)).toMatchObject({ status: 'filled' })
  expect(await payments(quoted)).toEqual([`fill final ${rollup}`])
  expect(await received(quoted)).toBe(quoted.amountOut)
})

/** Runs `act` just before the solver first saves deposits as refundable. */
function beforeRefundDue(
  act: () => Promise<unknown>,
  saved: (outcome: string) => void,
): RequestStore {
  let isFirst = true
  const isDue = ({ deposits = [] }: Batch) => deposits.some(({ status }) => status === 'refundable')
  return {
    ...rig.store,
    save: async (batch) => {
      if (!isFirst || !isDue(batch)) return rig.store.save(batch)
      isFirst = false
      await act()
      const outcome = await rig.store.save(batch)
      saved(outcome)
      return outcome
    },
  }
}

it('refunds nothing if a reorg removes a deposit during the refund decision, and refunds all once it is mined again', async () => {
  const quoted = await quoteOf('debug-force-refund')
  const { redeposit, removeDeposit } = await depositBoth(quoted)
  const outcomes: string[] = []
  const act = async () => {
    await removeDeposit()
    await vi.waitFor(
      async () => expect((await rig.find(quoted.requestId)).state.status).toBe('depositing'),
      patience,
    )
  }
  solve(ethereum)
  solve(rollup, { store: beforeRefundDue(act, (outcome) => outcomes.push(outcome)) })
  await vi.waitFor(() => expect(outcomes).toEqual(['conflict']), patience)
  expect(await depositOn(quoted, bnb)).toMatchObject({ status: 'credited' })
  expect(await payments(quoted)).toEqual([])
  await redeposit()
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'UNKNOWN' })
  expect((await payments(quoted)).toSorted()).toEqual([
    `refund final ${ethereum}`,
    `refund final ${bnb}`,
  ])
})

it('refunds one deposit while a reorg has removed the other, and refunds the other once it is mined again', async () => {
  const quoted = await quoteOf('debug-force-refund')
  const { redeposit, removeDeposit } = await depositBoth(quoted)
  solve(rollup)
  await vi.waitFor(
    async () => expect(await depositOn(quoted, ethereum)).toMatchObject({ status: 'refundable' }),
    patience,
  )
  await removeDeposit()
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'UNKNOWN' })
  expect(state.refunds?.[inputOn(quoted, ethereum)]).toEqual({ status: 'skipped' })
  expect(await depositOn(quoted, ethereum)).toBeUndefined()
  solve(ethereum)
  await redeposit()
  await vi.waitFor(
    async () => expect(await depositOn(quoted, ethereum)).toMatchObject({ status: 'refunded' }),
    patience,
  )
  expect((await payments(quoted)).toSorted()).toEqual([
    `refund final ${ethereum}`,
    `refund final ${bnb}`,
  ])
  const { refundTo } = quoted.inputs[inputOn(quoted, ethereum)] ?? {}
  const paid = await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo ?? '')
  expect(paid).toBeGreaterThan(0n)
  expect(paid).toBeLessThan(amount)
})

/** Stores a credited or refundable deposit that is in no block, the state that a reorg during a payment leaves. */
async function storeOrphanedDeposit(status: 'credited' | 'refundable') {
  const quoted = await multiInput.quote([[ethereum, 'ETH', amount]], to)
  const raw = await signed(quoted)
  const txHash = keccak256(raw)
  const depositor = users[0].address
  const record = { index: 0, exitTime: Math.floor(quoted.createdAt / 1000) + 14 * 86_400 }
  // The preimage in the depository: the order, its depositor, the currency, the amount and the index.
  const contents = encodeAbiParameters(
    parseAbiParameters('bytes32, address, address, uint256, uint256'),
    [quoted.orderId, depositor, nativeAddress, amount, 0n],
  )
  const depositId = `${ethereum}:${keccak256(contents)}`
  const transaction = { chainId: ethereum, hash: txHash }
  const event = { type: 'depositCredited', input: 0, depositId, transaction } as const
  const credited = { ...quoted, state: advance(quoted, event, Date.now()) }
  const isDue = status === 'refundable'
  const due = { type: 'refundDue', reason: 'UNKNOWN' } as const
  const deposit = {
    depositId,
    chainId: ethereum,
    txHash,
    timestamp: Math.floor(quoted.createdAt / 1000),
    version: 0,
    orderId: quoted.orderId,
    requestId: quoted.requestId,
    amount: toAmount(amount),
    status,
    depositor,
    currency: nativeAddress,
    record,
    ...(isDue && { reason: due.reason }),
  }
  const requests = isDue
    ? [credited, { ...credited, state: advance(credited, due, Date.now()) }]
    : [credited]
  expect(await rig.store.save({ requests, deposits: [deposit] })).toBe('saved')
  return { quoted, redeposit: () => sendUntilMined(rig.wallet.clientOn(ethereum), [raw]) }
}

it.each([
  ['credited', rollup, 'success'],
  ['refundable', ethereum, 'refund'],
] as const)(
  'pays nothing for a %s deposit while it is in no block',
  async (status, chainId, end) => {
    const { quoted, redeposit } = await storeOrphanedDeposit(status)
    const solver = solve(chainId)
    const inspectNewBlock = async () => {
      const { block } = solver.status()
      await vi.waitUntil(() => (solver.status().block ?? 0n) > (block ?? 0n), patience)
    }
    await inspectNewBlock()
    await inspectNewBlock()
    expect(await payments(quoted)).toEqual([])
    expect(solver.status().failures).toBe(0)
    await redeposit()
    expect((await rig.outcome(quoted.requestId)).state.status).toBe(end)
    expect(await payments(quoted)).toHaveLength(1)
  },
)
