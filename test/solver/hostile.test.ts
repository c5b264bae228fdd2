import { encodeFunctionData, erc20Abi, maxUint256, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { users } from '#src/devnet/accounts.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import {
  bnb,
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { depositIdOf } from '#test/support/wallets/depositId.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig({}, { chainIds: [ethereum, rollup, bnb] })
  rig.track()
  for (const { id } of rig.config.chains) rig.solve(id)
})
afterAll(() => rig.stop())

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)

/** Bytecode that loops 200,000 times at 26 gas each. */
const burnsGas = '0x62030d405b600190038060045700'
const burnsAllGas = '0x5b600056'
/** Bytecode that calls its caller back with no value. */
const callsBack = '0x5f5f5f5f5f335af15f5f5f5f5f335af100'

const ether = (change: Parameters<SolverRig['quote']>[2]) =>
  rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], { disableOriginSwaps: true, ...change })

const fillsOf = async ({ requestId }: SolverRequest) =>
  (await rig.store.transactionsOf(requestId)).filter(({ purpose }) => purpose === 'fill')

it.each([
  ['burns gas', burnsGas],
  ['consumes all gas', burnsAllGas],
  ['reverts', '0x5f5ffd'],
] as const)('refunds without sending a fill if the recipient %s', async (_, bytecode) => {
  const [recipient, refundTo] = [newAccount(), newAccount()]
  const quoted = await ether({ amount: units(1n, 17), recipient, refundTo })
  await rig.wallet.clientOn(rollup).setCode({ address: recipient, bytecode })
  await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect([state.status, state.failReason]).toEqual(['refund', 'EXECUTION_REVERTED'])
  expect(await fillsOf(quoted)).toEqual([])
  expect(await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo)).toBeGreaterThan(0n)
})

it('pays a recipient that calls its caller back the quoted output and no more', async () => {
  const recipient = newAccount()
  const quoted = await ether({ amount: units(1n, 17), recipient })
  await rig.wallet.clientOn(rollup).setCode({ address: recipient, bytecode: callsBack })
  await rig.deposit(quoted)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)).toBe(quoted.amountOut)
})

it('settles the solver’s share even if an app fee recipient burns gas', async () => {
  const collector = newAccount()
  const appFees = [{ recipient: collector, fee: toBps(30n) }]
  const quoted = await ether({ amount: units(1n, 17), appFees })
  await rig.deposit(quoted)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  const anvil = rig.wallet.clientOn(ethereum)
  await anvil.setCode({ address: collector, bytecode: burnsGas })
  await rig.passSettlement(ethereum)
  await vi.waitFor(
    async () =>
      expect(await rig.store.depositsOf(quoted.requestId)).toMatchObject([{ status: 'settled' }]),
    patience,
  )
  expect(await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), collector)).toBe(0n)
})

it('leaves no router allowance after the order’s calls, and protects the solver’s allowance to the approval proxy', async () => {
  const { router, approvalProxy } = rig.contractsOn(bnb)
  const usdc = rig.currencyOf([bnb, 'USDC'])
  const [thief] = users
  const solverHolds = () => rig.balanceOf(usdc, rig.solverAddress)
  const steal = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [rig.solverAddress, thief.address, 1n],
  })
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [thief.address, maxUint256],
  })
  const order = { amount: units(20n, 6), recipient: newAccount() }
  const quoteWith = (data: `0x${string}`) =>
    rig.quote([ethereum, 'USDC'], [bnb, 'USDC'], {
      ...order,
      txs: [{ to: evmAddress(usdc.address), data, value: toAmount(0n) }],
    })
  await expect(quoteWith(steal)).rejects.toThrow('txs.0: the call would fail')
  const before = await solverHolds()
  const approving = await quoteWith(approve)
  await rig.deposit(approving)
  expect((await rig.outcome(approving.requestId)).state.status).toBe('success')
  const allowance = await rig.clientOn(bnb).readContract({
    address: evmAddress(usdc.address),
    abi: erc20Abi,
    functionName: 'allowance',
    args: [router, thief.address],
  })
  expect(allowance).toBe(0n)
  expect(before - (await solverHolds())).toBe(approving.amountOut)
  expect(await rig.balanceOf(usdc, router)).toBe(0n)
  expect(await rig.balanceOf(usdc, approvalProxy)).toBe(0n)
})

it('fills the user’s deposit if a stranger deposited for the order first, and refunds the stranger’s deposit', async () => {
  const [recipient, refundTo] = [newAccount(), newAccount()]
  const quoted = await ether({ amount: units(1n, 17), recipient, refundTo })
  const { transactionHash: hash } = await rig.stranger.call(ethereum, {
    to: rig.contractsOn(ethereum).depository,
    data: encodeFunctionData({
      abi: depositoryArtifact.abi,
      functionName: 'depositNative',
      args: [zeroAddress, quoted.orderId],
    }),
    value: units(1n, 16),
  })
  await rig.mine(ethereum, 4)
  const { transactionHash } = await rig.deposit(quoted)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'success', inTxHashes: [hash, transactionHash] })
  const depositId = await depositIdOf(rig.clientOn(ethereum), ethereum, transactionHash)
  expect(fundingDepositIds({ state })).toEqual([depositId])
  expect(await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)).toBe(quoted.amountOut)
  await vi.waitFor(async () => {
    const deposits = await rig.store.depositsOf(quoted.requestId)
    expect(deposits).toMatchObject([
      { txHash: hash, status: 'refunded', reason: 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL' },
      { txHash: transactionHash, status: 'filled' },
    ])
  }, patience)
  const repaid = await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refundTo)
  expect(repaid > 0n && repaid < units(1n, 16)).toBe(true)
})

it('does not accept a router call that only quotes an order id as a fill', async () => {
  const recipient = newAccount()
  const quoted = await ether({ amount: units(1n, 17), recipient })
  for (const name of [quoted.orderId, quoted.requestId])
    await rig.wallet.call(rollup, {
      to: rig.contractsOn(rollup).router,
      data: encodeFunctionData({
        abi: routerArtifact.abi,
        functionName: 'multicall',
        args: [[], recipient, recipient, name],
      }),
    })
  await rig.settled()
  expect((await rig.find(quoted.requestId)).state).toMatchObject({ status: 'waiting', seq: 0 })
  await rig.deposit(quoted)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), recipient)).toBe(quoted.amountOut)
})
