import { encodeFunctionData, erc20Abi, parseEventLogs, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import { evmHash, type TxId } from '#src/core/units/txId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { deployers, users } from '#src/devnet/accounts.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { transactionOf } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { createFindExecutedRefund } from '#src/solver/payouts/findExecutedRefund.ts'
import { retryRefund } from '#src/solver/payouts/refundChanges.ts'
import type { SolverChain } from '#src/solver/ports.ts'
import { defaultFinalityBlocks } from '#test/support/chains/pace.ts'
import {
  bnb,
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startSolverRig,
} from '#test/support/rigs/solverRig.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { depositIdOf } from '#test/support/wallets/depositId.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
let refunding: ReturnType<SolverRig['solve']>
beforeAll(async () => {
  rig = await startSolverRig({ blockSeconds: 0.5 }, { finalityBlocks: defaultFinalityBlocks })
  rig.track()
  // Without retries, a refund that fails is given up at once.
  refunding = rig.solve(ethereum, { limits: { ...rig.config.solver, refundRetryDays: 0 } })
  rig.solve(bnb)
  rig.solve(rollup, { limits: { ...rig.config.solver, mostPayoutUsd: toUsd(50_000_000_000n) } })
})
afterAll(() => rig.stop())

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)
const { abi } = depositoryArtifact

/** Deposits with a direct depository call, for the given depositor. Returns the transaction hash. */
async function depositBy(
  [chainId, symbol]: Place,
  amount: bigint,
  orderId: `0x${string}`,
  depositor: Address = nativeAddress,
): Promise<`0x${string}`> {
  const { depository } = rig.contractsOn(chainId)
  const { address } = rig.currencyOf([chainId, symbol])
  const isNative = address === nativeAddress
  const approval = { abi: erc20Abi, functionName: 'approve', args: [depository, amount] } as const
  if (!isNative) await rig.wallet.call(chainId, { to: address, data: encodeFunctionData(approval) })
  const { status, transactionHash: hash } = await rig.wallet.call(chainId, {
    to: depository,
    data: isNative
      ? encodeFunctionData({ abi, functionName: 'depositNative', args: [depositor, orderId] })
      : encodeFunctionData({
          abi,
          functionName: 'depositErc20',
          args: [depositor, evmAddress(address), amount, orderId],
        }),
    value: isNative ? amount : 0n,
  })
  expect(status).toBe('success')
  return hash
}

const depositsOf = (request: SolverRequest): Promise<readonly Deposit[]> =>
  rig.store.depositsOf(request.requestId)

/** The depository's event about a refund. */
async function paidBack(chainId: Place[0], hash: TxId | undefined) {
  if (hash === undefined) throw new Error('No refund')
  const { logs } = await rig.clientOn(chainId).getTransactionReceipt({ hash: evmHash(hash) })
  const [refund] = parseEventLogs({ abi, logs, eventName: 'DepositRefunded' })
  if (refund === undefined) throw new Error('Nothing was paid')
  return refund.args
}

it.each<[string, Place, bigint]>([
  ['native', [ethereum, 'ETH'], units(1n, 17)],
  ['ERC-20', [ethereum, 'USDC'], units(100n, 6)],
])('forced refund returns the deposit minus gas, exact to the wei: %s', async (_, from, amount) => {
  const refundTo = newAccount()
  const change = { amount, refundTo, referrer: 'debug-force-refund', disableOriginSwaps: true }
  const quoted = await rig.quote(from, [rollup, from[1]], change)
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'UNKNOWN' })
  const [deposit] = await depositsOf(quoted)
  expect(deposit).toMatchObject({ status: 'refunded', reason: 'UNKNOWN' })
  const got = await rig.balanceOf(rig.currencyOf(from), refundTo)
  const { depositId, amount: paid, cost } = await paidBack(from[0], state.txHashes[0])
  expect(deposit?.depositId).toBe(`${from[0]}:${depositId}`)
  expect(got).toBe(paid)
  expect(got + cost).toBe(deposit?.amount)
  // The request and the deposit show what arrived.
  const { address: currency } = rig.currencyOf(from)
  expect(transactionOf(state.refunds?.[0])?.paid).toEqual({
    recipient: refundTo,
    currency,
    amount: got,
  })
  expect(deposit?.paid).toEqual([{ recipient: refundTo, amount: got }])
  expect(cost).toBeGreaterThan(0n)
  // About 200,000 gas at 8 gwei and $3,000 per ether cost a few dollars at most.
  const dollars = from[1] === 'ETH' ? cost / units(1n, 14) / 3n : cost / units(1n, 6)
  expect(dollars).toBeLessThan(10n)
  const { depository } = rig.contractsOn(from[0])
  // The solver can claim the cost.
  const args = [evmAddress(currency), rig.solverAddress] as const
  const claimed = { address: depository, abi, functionName: 'claimable', args } as const
  expect(await rig.clientOn(from[0]).readContract(claimed)).toBeGreaterThanOrEqual(cost)
  // The depository rejects a replay of the same payout.
  const { input } = await rig.clientOn(from[0]).getTransaction({ hash: state.txHashes[0] as never })
  await expect(
    rig.clientOn(from[0]).call({ account: users[1].address, to: depository, data: input }),
  ).rejects.toThrow(toFunctionSelector('NotOwed(bytes32)'))
})

it('refunds each kind of wrong deposit alone, with its reason, and the request waits on', async () => {
  const amount = units(100n, 6)
  const place: Place = [ethereum, 'USDC']
  const outcome = async (from: Place, deposited: bigint) => {
    const quoted = await rig.quote(place, [rollup, 'USDC'], { amount, disableOriginSwaps: true })
    await depositBy(from, deposited, quoted.orderId)
    const ended = await vi.waitUntil(async () => {
      const [deposit] = await depositsOf(quoted)
      return (deposit?.status === 'refunded' || deposit?.status === 'kept') && deposit
    }, patience)
    const { state } = await rig.find(quoted.requestId)
    return [ended.status, ended.reason, ended.refundFailReason, state.status, state.refusedDeposit]
  }
  const wrong = 'INCORRECT_DEPOSIT_CURRENCY'
  const tooLow = 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
  expect(await outcome([ethereum, 'ETH'], units(1n, 17))).toEqual([
    ...['refunded', wrong, undefined],
    ...['waiting', wrong],
  ])
  expect(await outcome(place, units(60n, 6))).toEqual([
    ...['refunded', tooLow, undefined],
    ...['waiting', tooLow],
  ])
  expect(await outcome(place, 10n)).toEqual([
    ...['kept', tooLow, 'AMOUNT_TOO_LOW_TO_REFUND'],
    ...['waiting', tooLow],
  ])
})

it('refunds a deposit that exceeds the capacity', async () => {
  const change = { amount: units(60_000n, 6), disableOriginSwaps: true }
  const quoted = await rig.quote([ethereum, 'USDC'], [rollup, 'USDC'], change)
  await depositBy([ethereum, 'USDC'], units(60_000n, 6), quoted.orderId)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'SOLVER_CAPACITY_EXCEEDED' })
})

it('pays out the surplus of a deposit, and refunds a second deposit for the same order', async () => {
  const recipient = newAccount()
  const refundTo = newAccount()
  const place: Place = [ethereum, 'USDC']
  const amount = units(100n, 6)
  const change = { amount, recipient, refundTo, disableOriginSwaps: true }
  const quoted = await rig.quote(place, [rollup, 'USDC'], change)
  await depositBy(place, amount + 7n, quoted.orderId)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await rig.balanceOf(rig.currencyOf([rollup, 'USDC']), recipient)).toBe(
    quoted.amountOut + 7n,
  )
  await depositBy(place, amount, quoted.orderId)
  await vi.waitFor(async () => {
    const deposits = await depositsOf(quoted)
    expect(deposits.map(({ status, reason }) => [status, reason]).sort()).toEqual([
      ['filled', undefined],
      ['refunded', 'DOUBLE_SPEND'],
    ])
  }, patience)
  expect(await rig.balanceOf(rig.currencyOf(place), refundTo)).toBeGreaterThan(
    amount - units(5n, 6),
  )
  expect((await rig.find(quoted.requestId)).state.status).toBe('success')
})

it('refunds with SLIPPAGE if the price has moved beyond the slippage tolerance', async () => {
  const to: Place = [bnb, 'BIRCH']
  const change = { amount: units(500n, 6), slippageTolerance: toBps(10n) }
  const quoted = await rig.quote([rollup, 'USDC'], to, change)
  // A competing trade moves the price before the deposit arrives.
  await rig.swap([bnb, 'USDC'], to, { amount: units(50_000n, 6) })
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'SLIPPAGE' })
})

it('leaves a refund that its address rejects with the depository, where the address can claim it', async () => {
  const refundTo = newAccount()
  const amount = units(1n, 17)
  const change = { amount, refundTo, referrer: 'debug-force-refund', disableOriginSwaps: true }
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], change)
  // A quote rejects an address that reverts, so the code is set after the quote.
  const refusing = { address: refundTo, bytecode: '0x5f5ffd' } as const
  await rig.wallet.clientOn(ethereum).setCode(refusing)
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({
    status: 'refund',
    failReason: 'UNKNOWN',
    refundFailReason: 'RECIPIENT_REFUSED',
  })
  const args = [nativeAddress, refundTo] as const
  const { depository: address } = rig.contractsOn(ethereum)
  const claimable = { address, abi, functionName: 'claimable', args } as const
  const { amount: due } = await paidBack(ethereum, state.txHashes[0])
  expect((await depositsOf(quoted))[0]).toMatchObject({
    status: 'refunded',
    paid: [],
    unpaid: [{ recipient: refundTo, amount: due }],
  })
  expect(transactionOf(state.refunds?.[0])?.paid).toEqual({
    recipient: refundTo,
    currency: nativeAddress,
    amount: 0n,
    claimable: due,
  })
  expect(await rig.clientOn(ethereum).readContract(claimable)).toBe(due)
  // The solver finds the same if somebody else has executed its refund.
  const client = rig.clientOn(ethereum)
  const chain = { ...rig.chainOf(ethereum) }
  const find = createFindExecutedRefund({ client, log: silentLog, now: Date.now }, {
    chain,
    contracts: rig.contractsOn(ethereum),
  } as SolverChain)
  const [refunded] = await depositsOf(quoted)
  const { paid, unpaid, ...before } = refunded as Deposit
  const head = { number: await client.getBlockNumber() }
  expect(
    await find({ ...before, status: 'refundable' }, await rig.find(quoted.requestId), head),
  ).toMatchObject({ kind: 'confirmed', changes: { deposits: [{ paid, unpaid }] } })
  await rig.wallet.clientOn(ethereum).setCode({ address: refundTo, bytecode: '0x' })
  const claim = encodeFunctionData({ abi, functionName: 'claim', args: [...args, refundTo] })
  await rig.wallet.call(ethereum, { to: address, data: claim })
  expect(await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo)).toBe(due)
})

it('gives up refunds that the depository refuses, reports the reason, and retries them on demand', async () => {
  const place: Place = [ethereum, 'ETH']
  const refundTo = newAccount()
  const change = {
    amount: units(1n, 17),
    refundTo,
    referrer: 'debug-force-refund',
    disableOriginSwaps: true,
  }
  const quoted = await rig.quote(place, [rollup, 'ETH'], change)
  const guard = async (functionName: 'pause' | 'unpause') => {
    const { depository: to } = rig.contractsOn(ethereum)
    const data = encodeFunctionData({ abi, functionName })
    const anvil = rig.wallet.clientOn(ethereum)
    const account = deployers.ethereum
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 10n }
    const hash = await anvil.sendTransaction({ account, chain: null, to, data, ...fees })
    await rig.mine(ethereum, 1)
    expect((await anvil.getTransactionReceipt({ hash })).status).toBe('success')
  }
  await guard('pause')
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect([state.status, state.failReason, state.refundFailReason]).toEqual([
    'failure',
    'UNKNOWN',
    'EXECUTION_REVERTED',
  ])
  const [deposit] = await depositsOf(quoted)
  expect(deposit?.status).toBe('kept')
  await guard('unpause')
  await retryRefund(rig.store, deposit?.depositId ?? '')
  await vi.waitUntil(async () => (await depositsOf(quoted))[0]?.status === 'refunded', patience)
  expect(await rig.balanceOf(rig.currencyOf(place), refundTo)).toBeGreaterThan(0n)
  expect((await rig.find(quoted.requestId)).state.status).toBe('failure')
  await expect(retryRefund(rig.store, deposit?.depositId ?? '')).rejects.toThrow('is refunded')
  await expect(retryRefund(rig.store, 'none')).rejects.toThrow('There is no deposit none')
})

it('refunds a deposit for an unknown order to its depositor once the deposit is final', async () => {
  const depositor = newAccount()
  const place: Place = [ethereum, 'ETH']
  const anvil = rig.wallet.clientOn(ethereum)
  const hash = await depositBy(place, units(1n, 17), `0x${'5'.repeat(64)}`, depositor)
  const { blockNumber } = await anvil.getTransactionReceipt({ hash })
  const depositId = await depositIdOf(anvil, ethereum, hash)
  const depositNow = async () => (await rig.store.findDeposits([depositId])).at(0)
  const refund = async () =>
    (await rig.store.openTransactions(ethereum, blockNumber)).find(({ depositIds }) =>
      depositIds.includes(depositId),
    )
  await rig.mine(ethereum, rig.finalityBlocks / 2)
  await vi.waitUntil(async () => /^refund/.test((await depositNow())?.status ?? ''), patience)
  const seen = await anvil.getBlockNumber()
  await vi.waitUntil(() => (refunding.status().block ?? 0n) > seen, patience)
  expect(await refund()).toBeUndefined()
  await rig.mineUntilFinal(ethereum)
  await vi.waitUntil(async () => (await depositNow())?.status === 'refunded', patience)
  expect(await depositNow()).toMatchObject({ depositor, reason: 'UNKNOWN' })
  const { mined, spends } = (await refund()) ?? {}
  expect(Number((mined?.block.number ?? 0n) - blockNumber)).toBeGreaterThan(rig.finalityBlocks)
  expect(await rig.balanceOf(rig.currencyOf(place), depositor)).toBe(spends?.[0]?.amount)
})
