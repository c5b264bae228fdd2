import { concatHex, encodeFunctionData, erc20Abi, type Hex } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { ContractRig, Transaction } from '#test/contracts/contractRig.ts'
import type { MeasureGas } from './measureGas.ts'

/** Selector of WETH’s deposit(). */
export const wethDeposit = '0xd0e30db0'

/** Measures what users send without the router: approvals, transfers, wraps and deposits. */
export async function measureDeposits(
  rig: ContractRig,
  measure: MeasureGas,
  {
    id,
    currencies: [usdc, dai, weth],
  }: Readonly<{ id: Hex; currencies: readonly [usdc: Address, dai: Address, weth: Address] }>,
): Promise<void> {
  const { depository, user } = rig
  const recipient = `0x${'e1'.repeat(20)}` as Address
  const erc20 = (functionName: 'approve' | 'transfer', to: Address) => ({
    to: usdc,
    data: encodeFunctionData({ abi: erc20Abi, functionName, args: [to, 5n] }),
  })
  const withId = (call: Readonly<{ to: Address; data: Hex }>) => ({
    ...call,
    data: concatHex([call.data, id]),
  })
  const explicit = (currency: Address, amount: bigint): Transaction => ({
    to: depository,
    data: encodeFunctionData({
      abi: depositoryArtifact.abi,
      functionName: 'depositErc20',
      args: [user, currency, amount, id],
    }),
  })

  // The depository holds some of the currency already. An equal deposit would cost a search for a free index.
  await rig.send({ to: depository, data: id, value: 7n })
  await measure('approve, from zero', erc20('approve', recipient))
  await measure('send native', { to: recipient, data: '0x', value: 5n })
  await measure('send ERC-20 (transfer ‖ id)', withId(erc20('transfer', recipient)))
  await measure('wrap', { ...withId({ to: weth, data: wethDeposit }), from: rig.other, value: 5n })
  await measure('unwrap', withId({ to: weth, data: `0x2e1a7d4d${'5'.padStart(64, '0')}` }))
  await measure('deposit native, explicit', {
    to: depository,
    data: encodeFunctionData({
      abi: depositoryArtifact.abi,
      functionName: 'depositNative',
      args: [user, id],
    }),
    value: 5n,
  })
  await measure('deposit native, plain', { to: depository, data: id, value: 5n })
  for (const currency of [usdc, dai, weth]) await rig.send(explicit(currency, 1000n))
  await measure('deposit ERC-20, explicit', explicit(usdc, 500n))
  await measure('deposit ERC-20, plain', withId(erc20('transfer', depository)))
}
