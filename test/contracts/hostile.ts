import { encodeDeployData, encodeFunctionData, type Hex } from 'viem'
import { hostile } from '#src/devnet/artifacts/hostile.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import type { Ground } from './ground.ts'

type Attempt = Readonly<{ target: Address; data: Hex; value?: bigint }>

/** A contract that tries what it is prepared with as soon as it gets control. */
export async function deployHostile({ client, send, user }: Ground) {
  const address = await deployCode({ client, user }, encodeDeployData(hostile))
  const { abi } = hostile
  return {
    address,
    /** @param patience How often it lets control pass first. */
    prepare: (attempts: readonly Attempt[], patience = 0n) => {
      const args = [attempts.map((each) => ({ value: 0n, ...each })), patience] as const
      return send({
        to: address,
        data: encodeFunctionData({ abi, functionName: 'prepare', args }),
      })
    },
    /** Whether each attempt succeeded, of those that it came to. */
    outcomes: async () => (await client.readContract({ address, abi, functionName: 'results' }))[0],
  }
}

export async function deployCode(
  { client, user }: Pick<Ground, 'client' | 'user'>,
  data: Hex,
): Promise<Address> {
  const hash = await client.sendTransaction({ account: user, chain: null, data, gas: 15_000_000n })
  await client.mine({ blocks: 1 })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  return toAddress(contractAddress ?? '')
}
