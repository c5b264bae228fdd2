import { hexToBigInt, numberToHex } from 'viem'
import { z } from 'zod'
import { isOutcome } from '#src/chains/callContracts.ts'
import type { ChainClient } from '#src/chains/chainClient.ts'
import { DeadlineError, withDeadline } from '#src/chains/deadline.ts'
import { AppError } from '#src/errors.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** What an account might send. */
type Trial = Readonly<{
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
  /**
   * What becomes of transactions sent one after the other, each on what those before left; `undefined`
   * where no node tells: `eth_simulateV1` is young.
   */
  simulate: (
    chainId: ChainId,
    trials: readonly Omit<Trial, 'chainId'>[],
  ) => Promise<readonly Outcome[] | undefined>
}>

/** Gas is what the transaction used, its base included. */
type Outcome = Readonly<{ succeeds: boolean; gas: bigint; reason: string | undefined }>

/** A limit above the estimate, in percent: other trades may come first and make a swap cross more ticks. */
const spareGas = 20n

/** An answer that can be done without is not worth the whole time that a request has. */
const patience = { patienceSeconds: 2 }

export function createTrials(
  clients: ReadonlyMap<ChainId, ChainClient>,
  { patienceSeconds } = patience,
): Trials {
  async function inTime<Result>(
    chainId: ChainId,
    work: (client: ChainClient) => Promise<Result>,
  ): Promise<Result> {
    const client = clients.get(chainId)
    if (client === undefined) throw new Error(`Chain ${chainId} has no client`)
    try {
      return await withDeadline(patienceSeconds, [], () => work(client))
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error
      throw new AppError('RPC_HTTP_ERROR', `No RPC of chain ${chainId} answers in time.`, {
        chainId,
      })
    }
  }

  async function estimate({ chainId, value, ...rest }: Trial): Promise<bigint> {
    const transaction = { ...rest, value: numberToHex(value) }
    return hexToBigInt(
      await inTime(chainId, (client) =>
        client.request({ method: 'eth_estimateGas', params: [transaction] }),
      ),
    )
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
    simulate: async (chainId, trials) => {
      const calls = trials.map(({ value, ...rest }) => ({ ...rest, value: numberToHex(value) }))
      const request = {
        method: 'eth_simulateV1',
        params: [{ blockStateCalls: [{ calls }] }, 'latest'],
      }
      try {
        return await inTime(chainId, (client) => client.ask(request, parseOutcomes))
      } catch (error) {
        if (isOutcome(error) || error instanceof AppError) return undefined
        throw error
      }
    },
  }
}

const simulated = z
  .array(
    z.object({
      calls: z.array(
        z.object({
          status: z.enum(['0x0', '0x1']),
          gasUsed: z
            .string()
            .regex(/^0x[0-9a-f]{1,16}$/i)
            .transform(BigInt),
          error: z.object({ message: z.string().max(10_000) }).nullish(),
        }),
      ),
    }),
  )
  .length(1)
  .transform(([block]) =>
    (block?.calls ?? []).map(
      ({ status, gasUsed, error }): Outcome => ({
        succeeds: status === '0x1',
        gas: gasUsed,
        reason: error?.message,
      }),
    ),
  )

/** `undefined` for an answer that makes no sense: a simulation that nobody can do is done without. */
const parseOutcomes = (answer: unknown): readonly Outcome[] | undefined =>
  simulated.safeParse(answer).data
