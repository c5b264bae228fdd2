import { encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { hostile } from '#src/devnet/artifacts/hostile.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import type { ContractRig } from './contractRig.ts'

type Attempt = Readonly<{ target: Address; data: Hex; value?: bigint }>

/** Deploys a contract that makes its prepared calls as soon as it gets control. */
export async function deployHostile({ client, send, user }: ContractRig) {
  const address = await deployCode({ client, user }, encodeDeployData(hostile))
  const { abi } = hostile
  return {
    address,
    /** @param patience How many times it does nothing when it gets control. */
    prepare: (attempts: readonly Attempt[], patience = 0n) => {
      const args = [attempts.map((each) => ({ value: 0n, ...each })), patience] as const
      return send({
        to: address,
        data: encodeFunctionData({ abi, functionName: 'prepare', args }),
      })
    },
    /** Whether each attempt succeeded, for all attempts made so far. */
    outcomes: async () => (await client.readContract({ address, abi, functionName: 'results' }))[0],
  }
}

export async function deployCode(
  { client, user }: Pick<ContractRig, 'client' | 'user'>,
  data: Hex,
): Promise<Address> {
  const hash = await client.sendTransaction({ account: user, chain: null, data, gas: 15_000_000n })
  await client.mine({ blocks: 1 })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  return toAddress(contractAddress ?? '')
}
