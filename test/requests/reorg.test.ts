import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
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
  rig = await startBridgingRig({ fillConfirmations: 3 }, { finalityBlocks: defaultFinalityBlocks })
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const amount = 10n ** 17n

const quoteOf = (change: { referrer?: string } = {}): Promise<SolverRequest> =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount,
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
    ...change,
  })

const paid = async ({ recipient, refundTo }: SolverRequest) => ({
  filled: await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient),
  refunded: await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo),
})

const shows = ({ requestId }: SolverRequest, expected: object) =>
  vi.waitFor(async () => expect((await rig.find(requestId)).state).toMatchObject(expected), {
    ...patience,
    interval: 10,
  })

const depositsOf = ({ requestId }: SolverRequest) => rig.store.depositsOf(requestId)

/** Makes the deposit. Returns its block height and its raw transaction, which can be sent again. */
async function deposit(quoted: SolverRequest) {
  const { transactionHash, blockNumber } = await rig.deposit(quoted)
  const raw = await rig.wallet.clientOn(ethereum).request<{
    Method: 'eth_getRawTransactionByHash'
    Parameters: [`0x${string}`]
    ReturnType: `0x${string}`
  }>({ method: 'eth_getRawTransactionByHash', params: [transactionHash] })
  return { height: blockNumber, hash: transactionHash, raw }
}

const sendAgain = (raw: `0x${string}`) => sendUntilMined(rig.wallet.clientOn(ethereum), [raw])

it('waits again after a reorg removes the deposit, and fills once when it is mined again', async () => {
  const quoted = await quoteOf()
  const { height, raw, hash } = await deposit(quoted)
  await shows(quoted, { status: 'pending', inTxHashes: [hash] })
  await rig.reorg(ethereum, height)
  await shows(quoted, { status: 'waiting', inTxHashes: [] })
  expect(await depositsOf(quoted)).toEqual([])
  solve(rollup)
  await sendAgain(raw)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'success', inTxHashes: [hash] })
  expect(await paid(quoted)).toEqual({ filled: quoted.amountOut, refunded: 0n })
  expect(await depositsOf(quoted)).toMatchObject([{ status: 'filled' }])
  expect(await rig.store.transactionsOf(quoted.requestId)).toHaveLength(1)
})

it('never fills a request whose deposit a reorg removed for good', async () => {
  const quoted = await quoteOf()
  const { height } = await deposit(quoted)
  await shows(quoted, { status: 'pending' })
  await rig.reorg(ethereum, height)
  await shows(quoted, { status: 'waiting' })
  solve(rollup)
  solve(ethereum)
  const next = await quoteOf()
  await deposit(next)
  expect((await rig.outcome(next.requestId)).state.status).toBe('success')
  await shows(quoted, { status: 'waiting', inTxHashes: [], txHashes: [] })
  expect(await paid(quoted)).toEqual({ filled: 0n, refunded: 0n })
  expect(await rig.store.transactionsOf(quoted.requestId)).toEqual([])
})

it('completes a fill in flight after a reorg removes its deposit, and settles the deposit once it is mined again', async () => {
  solve(rollup)
  solve(ethereum)
  const quoted = await quoteOf()
  const { raw } = await rig.suspendMining(rollup, async () => {
    const deposited = await deposit(quoted)
    await shows(quoted, { status: 'submitted' })
    await rig.reorg(ethereum, deposited.height)
    return deposited
  })
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await paid(quoted)).toEqual({ filled: quoted.amountOut, refunded: 0n })
  const [gone] = await depositsOf(quoted)
  expect(gone).toMatchObject({ status: 'filled' })
  expect(gone?.block).toBeUndefined()
  // The depository holds only other users' deposits, so the missing deposit must not be settled.
  await rig.passSettlement(ethereum)
  await rig.settled()
  await vi.waitFor(
    async () =>
      expect((await rig.store.unsettled(ethereum)).map((each) => each.depositId)).toEqual([
        gone?.depositId,
      ]),
    patience,
  )
  await sendAgain(raw)
  await rig.passSettlement(ethereum)
  await vi.waitFor(
    async () => expect(await depositsOf(quoted)).toMatchObject([{ status: 'settled' }]),
    patience,
  )
})

it('resends a refund that a reorg removes, and refunds once', async () => {
  solve(rollup)
  solve(ethereum)
  const quoted = await quoteOf({ referrer: 'debug-force-refund' })
  await rig.minePendingOnly(ethereum, async () => {
    await deposit(quoted)
    await rig.mine(ethereum, 1)
    await shows(quoted, { refunds: [{ status: 'seen' }] })
    const [refund] = (await rig.find(quoted.requestId)).state.refunds ?? []
    if (refund?.status !== 'seen') throw new Error('It is not in a block')
    await rig.reorg(ethereum, refund.transaction.block?.number ?? 0n)
  })
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('refund')
  const [sent, ...others] = (await rig.store.transactionsOf(quoted.requestId)).filter(
    ({ purpose }) => purpose === 'refund',
  )
  expect(others).toEqual([])
  await vi.waitFor(
    async () =>
      expect(await paid(quoted)).toEqual({ filled: 0n, refunded: sent?.spends[0]?.amount }),
    patience,
  )
})
