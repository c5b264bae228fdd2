import {
  type DepositDepth,
  depositDepth,
  neededEndpoints,
} from '#src/pricing/deposits/depositDepth.ts'
import { depositUsd } from '#src/pricing/deposits/timeEstimate.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { MinedDeposit } from '#src/requests/state/deposit.ts'
import type { Candidate } from '#src/solver/fills/fillCandidates.ts'
import type { SolverDeps } from '#src/solver/solverDeps.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { toUsd, type Usd } from '#src/units/usd.ts'

type Deps = Pick<SolverDeps, 'depositChecks' | 'store' | 'market'>

/** A deposit with its value; undefined without a price. */
type Valued = Readonly<{ deposit: MinedDeposit; usd: Usd | undefined }>

/** The deposits of one request on one chain, with what they need before the solver fills. */
type ChainDeposits = Readonly<{
  market: ChainMarket
  deposits: readonly Valued[]
  depth: DepositDepth
  endpoints: number
}>

/** The exposure of each chain. */
type Exposures = ReadonlyMap<ChainId, Usd>

/**
 * Selects the candidates whose deposits are as deep as their value needs, and that enough endpoints confirm. The market
 * tells without a request which ones are not: the others are asked about. What exceeds the ceiling of unfinalized
 * exposure waits until it is final.
 */
export function createReadyCandidates({
  depositChecks,
  store,
  market: { currencies },
}: Deps): (candidates: readonly Candidate[], market: Market) => Promise<readonly Candidate[]> {
  function valued(market: ChainMarket, deposit: MinedDeposit): Valued {
    const { chainId, currency, amount } = deposit
    const known = currencies.known({ chainId, address: currency })
    return { deposit, usd: known && depositUsd(market, known, amount) }
  }

  /**
   * Candidates reserve no exposure, so that one that is not filled after all holds up no other. Where several fit alone
   * and not together, the store refuses the last ones, and they find more exposure in the next round.
   */
  function chainDepositsOf(
    { deposits }: Candidate,
    { chains }: Market,
    exposures: Exposures,
  ): readonly ChainDeposits[] {
    const chainIds = new Set<ChainId>(deposits.map(({ chainId }) => chainId))
    return [...chainIds].map((chainId) => {
      const market = chains.get(chainId)
      if (market === undefined) throw new Error(`No market of ${chainId}`)
      const own = deposits
        .filter((each) => each.chainId === chainId)
        .map((each) => valued(market, each))
      const usd = totalOf(own)
      const { depositPolicy } = market.chain
      // A fill that was tried before has its exposure already.
      const known = own.reduce((sum, { deposit }) => sum + (deposit.exposure?.usd ?? 0n), 0n)
      // The depository does not vouch for what it has no record of.
      const isRecorded = own.every(({ deposit }) => deposit.record !== undefined)
      const exposedUsd = (exposures.get(chainId) ?? 0n) - known
      const depth = isRecorded ? depositDepth(depositPolicy, usd, exposedUsd) : 'final'
      const endpoints = neededEndpoints(depositPolicy, usd, depth)
      return { market, deposits: own, depth, endpoints }
    })
  }

  async function isReady(groups: readonly ChainDeposits[]): Promise<boolean> {
    const areDeep = groups.every(({ market, deposits, depth }) =>
      deposits.every(({ deposit }) => isDeep(market, deposit, depth)),
    )
    if (!areDeep) return false
    const verdicts = await Promise.all(
      groups.flatMap(({ deposits, depth, endpoints }) =>
        deposits.map(({ deposit }) => depositChecks.verdict(deposit, depth, endpoints)),
      ),
    )
    return verdicts.every((verdict) => verdict === 'yes')
  }

  async function readExposures(candidates: readonly Candidate[]): Promise<Exposures> {
    const chainIds = new Set(candidates.flatMap(({ deposits }) => deposits.map((d) => d.chainId)))
    const exposures = [...chainIds].map(async (chainId): Promise<[ChainId, Usd]> => {
      return [chainId, await store.exposureUsd(chainId)]
    })
    return new Map(await Promise.all(exposures))
  }

  return async (candidates, market) => {
    if (candidates.length === 0) return []
    const exposures = await readExposures(candidates)
    const grouped = candidates.map((candidate) => {
      return { candidate, groups: chainDepositsOf(candidate, market, exposures) }
    })
    const ready = await Promise.all(grouped.map(({ groups }) => isReady(groups)))
    return grouped
      .filter((_, at) => ready[at])
      .map(({ candidate, groups }) => ({ ...candidate, exposed: exposedIn(groups) }))
  }
}

const totalOf = (deposits: readonly Valued[]): Usd | undefined =>
  deposits.reduce<Usd | undefined>(
    (sum, { usd }) => (sum === undefined || usd === undefined ? undefined : toUsd(sum + usd)),
    toUsd(0n),
  )

function isDeep(
  { block: head, finality }: ChainMarket,
  { block }: MinedDeposit,
  depth: DepositDepth,
): boolean {
  if (depth === 'final') return finality.height !== undefined && finality.height >= block.number
  return head.number >= block.number + BigInt(depth)
}

/** What is saved with the fill. Deposits that enough endpoints call final expose nothing. */
function exposedIn(groups: readonly ChainDeposits[]): NonNullable<Candidate['exposed']> {
  const early = groups.filter(({ depth }) => depth !== 'final')
  return {
    deposits: early.flatMap(({ deposits }) =>
      deposits.flatMap(({ deposit, usd }) =>
        usd === undefined ? [] : [{ ...deposit, exposure: { usd, height: deposit.block.number } }],
      ),
    ),
    exposureLimits: early.map(({ market: { chain } }) => {
      return { chainId: chain.id, maxUsd: chain.depositPolicy.maxUnfinalizedUsd }
    }),
  }
}
