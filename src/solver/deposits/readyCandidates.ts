import {
  type DepositDepth,
  depositDepth,
  exposureLimit,
  neededEndpoints,
  payerLimit,
} from '#src/core/pricing/deposits/depositDepth.ts'
import { depositUsd } from '#src/core/pricing/deposits/timeEstimate.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { MinedDeposit } from '#src/requests/state/deposit.ts'
import type { SolverMarket } from '#src/solver/ports.ts'
import type { DepositChecks } from './depositChecks.ts'

type Ports = Readonly<{
  depositChecks: DepositChecks
  store: RequestStore
  market: SolverMarket
}>

type Funded = Readonly<{ deposits: readonly MinedDeposit[] }>

/** Saved with the fill: the deposits that are not final yet, and the exposure limits of their chains. */
export type Exposed = Pick<Batch, 'deposits' | 'exposureLimits'>

/** A deposit with its value in US dollars; undefined without a price. */
type Valued = Readonly<{ deposit: MinedDeposit; usd: Usd | undefined }>

/** The deposits of one request on one chain, with the depth and the endpoints that they need before the fill. */
type ChainDeposits = Readonly<{
  market: ChainMarket
  deposits: readonly Valued[]
  usd: Usd | undefined
  depth: DepositDepth
  endpoints: number
}>

/** Exposure by chain and payer. */
type Exposures = ReadonlyMap<ChainId, ReadonlyMap<Account, Usd>>

/**
 * Selects the candidates whose deposits have the depth that their value needs, and are confirmed by enough endpoints.
 * The market's block decides first, without an RPC request, which deposits are deep enough. Endpoints are asked only
 * about those. Deposits beyond the exposure limit wait until they are final.
 */
export function createReadyCandidates({
  depositChecks,
  store,
  market: { currencies },
}: Ports): <Given extends Funded>(
  candidates: readonly Given[],
  market: Market,
) => Promise<readonly (Given & Readonly<{ exposed: Exposed }>)[]> {
  function valued(market: ChainMarket, deposit: MinedDeposit): Valued {
    const { chainId, currency, amount } = deposit
    const known = currencies.known({ chainId, address: currency })
    return { deposit, usd: known && depositUsd(market, known, amount) }
  }

  /**
   * Candidates reserve no exposure, so that one that is not filled does not block another. If candidates fit under the
   * exposure limit alone but not together, the store refuses the last ones. The next round sees the exposure of the
   * others.
   */
  function chainDepositsOf(
    { deposits }: Funded,
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
      // An earlier fill of this request has already added its exposure.
      const others = new Map<Account, bigint>(exposures.get(chainId))
      for (const { deposit } of own) {
        const ofPayer = others.get(deposit.depositor) ?? 0n
        others.set(deposit.depositor, ofPayer - (deposit.exposure?.usd ?? 0n))
      }
      const exposed = {
        usd: [...others.values()].reduce((sum, each) => sum + each, 0n),
        // Of several payers of a request the one with the most counts.
        ofPayerUsd: own.reduce((most, { deposit }) => {
          const ofPayer = others.get(deposit.depositor) ?? 0n
          return ofPayer > most ? ofPayer : most
        }, 0n),
      }
      // No record of the depository proves a plain transfer.
      const isRecorded = own.every(({ deposit }) => deposit.record !== undefined)
      const depth = isRecorded ? depositDepth(depositPolicy, usd, exposed) : 'final'
      const endpoints = neededEndpoints(depositPolicy, usd, depth)
      return { market, deposits: own, usd, depth, endpoints }
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

  async function readExposures(candidates: readonly Funded[]): Promise<Exposures> {
    const chainIds = new Set(candidates.flatMap(({ deposits }) => deposits.map((d) => d.chainId)))
    const exposures = [...chainIds].map(
      async (chainId) => [chainId, await store.exposureByPayer(chainId)] as const,
    )
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

/** The changes to save with the fill. Final deposits have no exposure. */
function exposedIn(groups: readonly ChainDeposits[]): Exposed {
  const early = groups.filter(({ depth }) => depth !== 'final')
  return {
    deposits: early.flatMap(({ deposits }) =>
      deposits.flatMap(({ deposit, usd }) =>
        usd === undefined ? [] : [{ ...deposit, exposure: { usd, height: deposit.block.number } }],
      ),
    ),
    exposureLimits: early.map(({ market: { chain }, deposits, usd = toUsd(0n) }) => ({
      chainId: chain.id,
      maxUsd: exposureLimit(chain.depositPolicy, usd),
      payers: {
        addresses: deposits.map(({ deposit }) => deposit.depositor),
        maxUsd: payerLimit(chain.depositPolicy),
      },
    })),
  }
}
