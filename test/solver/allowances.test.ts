import {
  decodeFunctionData,
  encodeFunctionData,
  erc20Abi,
  maxUint256,
  parseTransaction,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { evmAddress, toAddress } from '#src/core/units/address.ts'
import { solver } from '#src/devnet/accounts.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import {
  ethereum,
  type Place,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())

const place: Place = [rollup, 'USDT']

/** Gives the approval proxy a nonzero allowance that the solver did not record, and accepts its nonce. */
async function leaveAllowance(amount: bigint): Promise<void> {
  const { approvalProxy } = rig.contractsOn(rollup)
  const args = [approvalProxy, amount] as const
  const raw = await privateKeyToAccount(solver.privateKey).signTransaction({
    type: 'eip1559',
    chainId: rollup,
    nonce: 0,
    gas: 100_000n,
    maxFeePerGas: 10n ** 9n,
    maxPriorityFeePerGas: 10n ** 6n,
    to: evmAddress(rig.currencyOf(place).address),
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
  })
  const [receipt] = await sendUntilMined(rig.wallet.clientOn(rollup), [raw])
  expect(receipt?.status).toBe('success')
  const account = rig.solverAddress
  await rig.store.acceptNonce({ chainId: rollup, account, nonce: 1, acceptedAt: 0 })
}

/** Allowances that the solver has set for the approval proxy, in order. */
async function approvals(): Promise<readonly bigint[]> {
  const sent = await rig.store.openTransactions(rollup, 0n)
  return sent
    .filter(({ purpose }) => purpose === 'approval')
    .map(({ attempts: [first] }) => {
      const { to, data = '0x' } = parseTransaction(first?.raw ?? '0x')
      expect(to).toBe(rig.currencyOf(place).address)
      const { args } = decodeFunctionData({ abi: erc20Abi, data })
      return args?.[1] as bigint
    })
}

it('resets a leftover allowance to zero before a new approval of USDT', async () => {
  await leaveAllowance(5n)
  rig.solve(rollup)
  const recipient = toAddress(privateKeyToAddress(generatePrivateKey()).toLowerCase())
  const change = { amount: 50_000_000n, recipient, disableOriginSwaps: true }
  const quoted = await rig.quote([ethereum, 'USDT'], place, change)
  await rig.deposit(quoted)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await rig.balanceOf(rig.currencyOf(place), recipient)).toBe(quoted.amountOut)
  expect(await approvals()).toEqual([0n, maxUint256])
})
