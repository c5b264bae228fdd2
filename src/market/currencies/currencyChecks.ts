import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import type { Log } from '#src/log.ts'
import { depthOf } from '#src/market/pools/poolDepth.ts'
import type { Pool } from '#src/pools/pool.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import type { Currencies } from './currencies.ts'
import { probeTransfers, supportsProbes, type TransferKind, type Trial } from './transferProbe.ts'

/** Which of a chain's currencies may be routed: whose metadata can be read and whose transfers are exact. */
export type CurrencyChecks = Readonly<{
  /** Passed the last check of it. */
  isAccepted: (currency: Address) => boolean
  /** Why a currency did not pass its last check, in words for the user. */
  refusals: () => ReadonlyMap<Address, string>
  /**
   * Checks `currencies` at one block, each in the pool that can best spare some of it. One that no
   * pool can pay out is left as it is.
   * @returns whether any is accepted that was not before, or the other way round.
   * @throws RpcUnavailableError or RpcRefusedError when the node fails.
   */
  check: (
    currencies: readonly Address[],
    pools: ReadonlyMap<Address, Pool>,
    blockHash: Hash,
  ) => Promise<boolean>
}>

type Deps = Readonly<{ client: ChainClient; log: Log; currencies: Currencies }>

/** So many eth_calls at once. */
const probesAtOnce = 16

export function createCurrencyChecks(
  { client, log, currencies }: Deps,
  chainId: ChainId,
): CurrencyChecks {
  const accepted = new Set<Address>()
  let refusals: ReadonlyMap<Address, string> = new Map()
  let canProbe: boolean | undefined

  /** @returns undefined when it cannot be told. */
  async function judge(
    address: Address,
    trial: Trial | undefined,
    blockHash: Hash,
  ): Promise<Judgement | undefined> {
    const currency = currencies.known({ chainId, address })
    if (currency === undefined) return { refusal: `The decimals of ${address} cannot be read` }
    if (trial === undefined) return undefined
    if (canProbe) {
      const kind = await probeTransfers(client, trial, blockHash)
      return kind && { refusal: refusalOf(kind, currency) }
    }
    const { symbol, metadata } = currency
    return metadata.verified
      ? { refusal: undefined }
      : { refusal: `${symbol} is on no token list, and its transfers cannot be tried out here` }
  }

  function conclude(currency: Address, { refusal }: Judgement): boolean {
    if (refusals.get(currency) !== refusal) {
      const next = new Map(refusals)
      if (refusal === undefined) next.delete(currency)
      else next.set(currency, refusal)
      refusals = next
      const change = refusal === undefined ? 'is accepted again' : 'is refused'
      log.info({ chainId, currency, refusal }, `A currency ${change}`)
    }
    const before = accepted.has(currency)
    if (refusal === undefined) accepted.add(currency)
    else accepted.delete(currency)
    return before !== accepted.has(currency)
  }

  return {
    isAccepted: (currency) => accepted.has(currency),
    refusals: () => refusals,
    async check(wanted, pools, blockHash) {
      if (wanted.length === 0) return false
      await currencies.learn(chainId, wanted, blockHash)
      const trials = trialsOf(new Set(wanted), pools)
      if (!canProbe && trials.size > 0) {
        const before = canProbe
        canProbe = await supportsProbes(client, blockHash)
        if (!canProbe && before === undefined)
          log.warn({ chainId }, 'No state overrides: only listed currencies are routed')
      }
      let changed = false
      for (let at = 0; at < wanted.length; at += probesAtOnce) {
        const some = wanted.slice(at, at + probesAtOnce)
        const judgements = await Promise.all(
          some.map((currency) => judge(currency, trials.get(currency), blockHash)),
        )
        some.forEach((currency, place) => {
          const judgement = judgements[place]
          if (judgement !== undefined) changed = conclude(currency, judgement) || changed
        })
      }
      return changed
    },
  }
}

/** Without a refusal the currency is accepted. */
type Judgement = Readonly<{ refusal: string | undefined }>

function refusalOf(kind: TransferKind, { symbol }: Currency): string | undefined {
  switch (kind) {
    case 'exact':
      return undefined
    case 'fee':
      return `${symbol} takes a fee on transfers, or otherwise moves another amount than it is told to`
    case 'fails':
      return `${symbol} cannot be taken out of its pools at present: its transfers fail`
    case 'one-way':
      return `${symbol} can be bought but not sold at present: transfers back to its pools fail`
  }
}

/** Where to try each currency: in the pool with the most of it near its price. */
function trialsOf(
  wanted: ReadonlySet<Address>,
  pools: ReadonlyMap<Address, Pool>,
): ReadonlyMap<Address, Trial> {
  const trials = new Map<Address, Trial>()
  const offer = (currency: Address, pool: Address, depth: bigint) => {
    // A hundredth shows any fee of a basis point or more, and does not look like an attack on the pool.
    const amount = depth < 100n ? depth : depth / 100n
    if (amount > (trials.get(currency)?.amount ?? 0n))
      trials.set(currency, { currency, pool, amount })
  }
  for (const pool of pools.values()) {
    const { address, currency0, currency1 } = pool
    if (!wanted.has(currency0) && !wanted.has(currency1)) continue
    const { amount0, amount1 } = depthOf(pool)
    if (wanted.has(currency0)) offer(currency0, address, amount0)
    if (wanted.has(currency1)) offer(currency1, address, amount1)
  }
  return trials
}
