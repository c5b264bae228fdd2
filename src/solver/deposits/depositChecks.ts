import { createReadFinal } from '#src/chains/follow/finality.ts'
import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import type { EndpointRpcs } from '#src/chains/rpc/endpoints.ts'
import { askForAgreement, type SoleEndpoint, type Vote } from '#src/chains/rpc/failover.ts'
import { parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import type { DepositDepth } from '#src/core/pricing/deposits/depositDepth.ts'
import { evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { evmHash } from '#src/core/units/txId.ts'
import type { Deposit, MinedDeposit } from '#src/requests/state/deposit.ts'
import { readDeposits } from '#src/requests/tracker/read/readEvents.ts'
import type { ObservedDeposit } from '#src/requests/tracker/read/trackedLogs.ts'

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, Rpc & EndpointRpcs>
  log: Log
}>

/** Asks the endpoints of all chains about deposits, right before money is paid for them. */
export type DepositChecks = Readonly<{
  /**
   * `yes` if at least `endpoints` endpoints of its chain have the deposit at this depth; `no` if at least `endpoints`
   * endpoints have the depth without the deposit; else `notYet`. An endpoint that fails has no vote.
   */
  verdict: (deposit: MinedDeposit, depth: DepositDepth, endpoints: number) => Promise<Vote>
}>

type Voter = Pick<SoleEndpoint, 'rpc' | 'isBackingOff'> & Readonly<{ vote: DepositVoter }>
/** `any`: whichever endpoint answers. `each`: one after the other, for deposits that several must have. */
export type ChainVoters = Readonly<{ any: DepositVoter; each: readonly Voter[] }>

/** @param others chains of other virtual machines */
export function createDepositChecks(
  { clients, log }: Deps,
  chains: readonly ChainConfig[],
  others: ReadonlyMap<ChainId, ChainVoters> = new Map(),
): DepositChecks {
  const votersOf = new Map<ChainId, ChainVoters>([
    ...others,
    ...chains.flatMap((chain) => {
      const { contracts } = chain
      const client = clients.get(chain.id)
      return contracts === undefined || client === undefined
        ? []
        : [[chain.id, createVoters(client, { ...chain, contracts })] as const]
    }),
  ])
  /** Deposits whose disagreement was logged. */
  const logged = new Set<string>()

  function logDisagreement({ chainId, depositId }: Deposit, votes: ReadonlyMap<string, Vote>) {
    const said = [...votes.values()]
    if (!said.includes('yes') || !said.includes('no') || logged.has(depositId)) return
    if (logged.size >= maxLogged) logged.clear()
    logged.add(depositId)
    const facts = { chainId, depositId, votes: Object.fromEntries(votes) }
    log.error(facts, 'RPC endpoints disagree about a deposit: it is not filled while they do')
  }

  return {
    verdict: async (deposit, depth, endpoints) => {
      const voters = votersOf.get(deposit.chainId)
      if (voters === undefined) return 'notYet'
      if (endpoints === 1) return voters.any(deposit, depth).catch(orNotYet)
      const { isAgreed, votes } = await askForAgreement(voters.each, endpoints, ({ vote }) =>
        vote(deposit, depth),
      )
      if (isAgreed) return 'yes'
      logDisagreement(deposit, votes)
      return [...votes.values()].filter((vote) => vote === 'no').length >= endpoints
        ? 'no'
        : 'notYet'
    },
  }
}

const maxLogged = 1_000

function createVoters(
  client: Rpc & EndpointRpcs,
  chain: Parameters<typeof createDepositVoter>[1],
): ChainVoters {
  return {
    any: createDepositVoter(client, chain),
    each: client.endpoints.map(({ ask, ...endpoint }) => ({
      ...endpoint,
      vote: createDepositVoter({ ask }, chain),
    })),
  }
}

/** A chain that does not answer delays its deposits. @throws any error that is not expected */
function orNotYet(error: unknown): 'notYet' {
  const isExpected = error instanceof AppError || error instanceof UnusableAnswerError
  if (!isExpected && (error as Error).name !== 'TimeoutError') throw error
  return 'notYet'
}

/**
 * Whether the endpoints have the deposit, unchanged, in the same block, at this depth.
 * @throws what `ask` throws
 */
export type DepositVoter = (deposit: MinedDeposit, depth: DepositDepth) => Promise<Vote>

type VotedChain = Pick<ChainConfig, 'id' | 'wrappedNative' | 'finalityDepth'> &
  Readonly<{ contracts: NonNullable<ChainConfig['contracts']> }>

/** Caches the finality of the endpoints: use one voter for all deposits. */
function createDepositVoter(
  rpc: Rpc,
  { id: chainId, contracts, wrappedNative, finalityDepth }: VotedChain,
): DepositVoter {
  const readFinal = createReadFinal(rpc, { finalityDepth })

  async function isReached(
    height: bigint,
    depth: DepositDepth,
    signal: AbortSignal,
  ): Promise<boolean> {
    const head = await rpc.ask(latest, parseHeader, signal)
    if (head === undefined) return false
    if (depth !== 'final') return head.number >= height + BigInt(depth)
    const final = await readFinal(head.number, signal)
    return final !== undefined && final.number >= height
  }

  return async (deposit, depth) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { block, timestamp } = deposit
    // Reads the depth first: the receipt then reflects every reorg until now.
    if (!(await isReached(block.number, depth, signal))) return 'notYet'
    const receipt = await readReceipt(rpc, evmHash(deposit.txHash), signal)
    if (receipt === undefined || receipt.block.hash !== block.hash) return 'no'
    const depositCurrencies = new Set([evmAddress(deposit.currency)])
    const tracked = { chainId, contracts, wrappedNative, depositCurrencies }
    const logged = { ...receipt.block, timestamp: BigInt(timestamp), logs: receipt.logs }
    const found = await readDeposits(rpc, tracked, logged, signal)
    return found.some((each) => isSame(each, deposit)) ? 'yes' : 'no'
  }
}

const timeoutMs = 10_000

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

const isSame = (one: ObservedDeposit, other: MinedDeposit): boolean =>
  one.depositId === other.depositId &&
  one.orderId === other.orderId &&
  one.depositor === other.depositor &&
  one.currency === other.currency &&
  one.amount === other.amount
