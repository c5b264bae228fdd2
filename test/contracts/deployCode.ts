import type { Hex } from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ContractRig } from './contractRig.ts'

/** Deploys creation code. */
export async function deployCode(
  { client, user }: Pick<ContractRig, 'client' | 'user'>,
  data: Hex,
): Promise<Address> {
  const hash = await client.sendTransaction({ account: user, chain: null, data, gas: 15_000_000n })
  await client.mine({ blocks: 1 })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  return toAddress(contractAddress ?? '')
}
