import { hexToBigInt, numberToHex } from 'viem'
import { isOutcome } from '#src/chains/callContracts.ts'
import type { ChainClient } from '#src/chains/chainClient.ts'
import { AppError } from '#src/errors.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** What an account might send. */
export type Trial = Readonly<{
  chainId: ChainId
  from: Address
  to: Address
  data: `0x${string}`
  /** In wei. */
  value: bigint
}>

/** What nodes say of transactions that nobody has sent, on their newest block. */
export type Trials = Readonly<{
  /**
   * A gas limit with room to spare; `undefined` where the transaction would fail as things stand, or
   * no node answers: a wallet then finds out for itself.
   */
  gasOf: (trial: Trial) => Promise<bigint | undefined>
  /**
   * Whether it would fail.
   * @throws RpcUnavailableError or RpcRefusedError when no node answers.
   */
  fails: (trial: Trial) => Promise<boolean>
}>

/** A limit above the estimate, in percent: other trades may come first and make a swap cross more ticks. */
const spareGas = 20n

export function createTrials(clients: ReadonlyMap<ChainId, ChainClient>): Trials {
  async function estimate({ chainId, value, ...rest }: Trial): Promise<bigint> {
    const client = clients.get(chainId)
    if (client === undefined) throw new Error(`Chain ${chainId} has no client`)
    const transaction = { ...rest, value: numberToHex(value) }
    return hexToBigInt(await client.request({ method: 'eth_estimateGas', params: [transaction] }))
  }

  return {
    gasOf: async (trial) => {
      try {
        const gas = await estimate(trial)
        return gas + (gas * spareGas) / 100n
      } catch (error) {
        if (isOutcome(error) || error instanceof AppError) return undefined
        throw error
      }
    },
    fails: async (trial) => {
      try {
        await estimate(trial)
        return false
      } catch (error) {
        if (isOutcome(error)) return true
        throw error
      }
    },
  }
}
