import { encodeFunctionData, erc20Abi, maxUint256, type TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { RouterCall } from '#src/protocol/calls/routerCalls.ts'
import { permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import type { AllowancePermit, PayingPermit, Permit } from '#src/protocol/permit.ts'
import { permitCall } from '#src/protocol/permits/permitCall.ts'
import { typedDataOf } from '#src/protocol/permits/typedData.ts'
import type { ContractRig } from '#test/contracts/contractRig.ts'
import type { MeasureGas } from './measureGas.ts'

const amount = 1_000n
const end = 4_000_000_000
const id = `0x${'1d'.repeat(32)}` as const

/**
 * Measures payments by signature that end in a deposit of a plain ERC-20, which `deposit` makes. The payer holds more
 * than it pays, and has signed nothing before.
 */
export async function measurePermits(
  rig: ContractRig,
  measure: MeasureGas,
  { currency, deposit }: Readonly<{ currency: string; deposit: readonly RouterCall[] }>,
): Promise<void> {
  const payer = privateKeyToAccount(generatePrivateKey())
  const owner = toAddress(payer.address.toLowerCase())
  const { address, name } = rig.currency(currency)
  const payment = {
    chainId: toChainId(rig.deployed.plan.id),
    currency: address,
    payer: owner,
    amount,
    run: {
      relayer: rig.user,
      approvalProxy: rig.approvalProxy,
      calls: deposit,
      refundTo: owner,
      nftRecipient: owner,
      metadata: id,
    },
  }
  const erc20 = (functionName: 'approve' | 'transfer', to: Address, value: bigint) => ({
    to: address,
    data: encodeFunctionData({ abi: erc20Abi, functionName, args: [to, value] }),
  })
  await rig.send(erc20('transfer', owner, 10n * amount))
  const sign = (permit: Permit) => {
    const { value: message, ...data } = typedDataOf(permit)
    return payer.signTypedData({ ...data, message } as TypedDataDefinition)
  }
  const sent = async (paying: PayingPermit, permit?: AllowancePermit) => {
    const allowance = permit && { permit, signature: await sign(permit) }
    const call = permitCall(paying, await sign(paying), allowance)
    if (call === undefined) throw new Error('The signature has a wrong length')
    return call
  }

  const domain = { name, version: '2' }
  await measure(
    'permit: EIP-3009, deposit of ERC-20',
    await sent({ ...payment, kind: 'eip3009', domain, validBefore: end }),
  )
  const byPermit2 = { ...payment, kind: 'permit2', nonce: maxUint256 - 1n, deadline: end } as const
  const allowance = { ...payment, kind: 'eip2612', domain, nonce: 0n, deadline: end } as const
  await measure('permit: EIP-2612 and Permit2, deposit of ERC-20', await sent(byPermit2, allowance))
  await rig.client.setBalance({ address: owner, value: 10n ** 18n })
  const approval = erc20('approve', permit2Address, maxUint256)
  await rig.client.impersonateAccount({ address: owner })
  await rig.send({ ...approval, from: owner })
  await measure('permit: Permit2, deposit of ERC-20', await sent(byPermit2))
}
