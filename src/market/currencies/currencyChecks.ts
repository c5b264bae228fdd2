import type { Hash } from 'viem'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import type { PoolId } from '#src/core/pools/poolIdentity.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { depthOf } from '#src/market/kinds/poolDepth.ts'
import { inTurns } from '#src/market/reads/inTurns.ts'
import type { Currencies } from './currencies.ts'
import {
  probeTransfers,
  supportsProbes,
  type TransferKind,
  type TransferProbe,
} from './transferProbe.ts'

/** Decides which currencies of a chain may be routed: those with readable metadata and exact transfers. */
export type CurrencyChecks = Readonly<{
  /** Whether the currency passed its last check. */
  isAccepted: (currency: Address) => boolean
  /** The reason why each refused currency failed its last check, for users. */
  refusals: () => ReadonlyMap<Address, string>
  /** Forgets the last checks of currencies that are in no pool any more. */
  forget: (currencies: readonly Address[]) => void
  /**
   * Checks `currencies` at one block. Each is probed in its deepest pool. If no pool can pay a currency out, its status
   * does not change.
   * @returns whether any currency became accepted or refused.
   * @throws RpcUnavailableError or RpcRefusedError if the node fails.
   */
  check: (
    currencies: readonly Address[],
    pools: ReadonlyMap<PoolId, Pool>,
    blockHash: Hash,
  ) => Promise<boolean>
}>

type Deps = Readonly<{ client: ChainClient; log: Log; currencies: Currencies }>

/** Probes in one eth_call. A probe takes up to 6 million gas; the probe of an ordinary currency takes 200,000. */
const probesPerCall = 25
/** Number of concurrent probe calls. */
const parallelCalls = 8

export function createCurrencyChecks(
  { client, log, currencies }: Deps,
  chainId: ChainId,
): CurrencyChecks {
  const accepted = new Set<Address>()
  let refusals: ReadonlyMap<Address, string> = new Map()
  let canProbe: boolean | undefined

  /** @returns undefined if the check is inconclusive. */
  function judge(address: Address, probed: Probed): CheckResult | undefined {
    const currency = currencies.known({ chainId, address })
    if (currency === undefined) return { refusal: `The decimals of ${address} cannot be read` }
    const conflict = currencies.conflicts(chainId).get(address)
    return conflict === undefined ? judgeTransfers(currency, probed) : { refusal: conflict }
  }

  /** @returns whether the currency became accepted or refused. */
  function record(currency: Address, { refusal }: CheckResult): boolean {
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
    forget: (currencies) => {
      for (const currency of currencies) accepted.delete(currency)
      if (!currencies.some((currency) => refusals.has(currency))) return
      const next = new Map(refusals)
      for (const currency of currencies) next.delete(currency)
      refusals = next
    },
    async check(addresses, pools, blockHash) {
      if (addresses.length === 0) return false
      await currencies.learn(chainId, addresses, blockHash)
      const known = addresses.filter((address) => currencies.known({ chainId, address }))
      const probes = planProbes(new Set(known), pools)
      if (!canProbe && probes.size > 0) {
        const before = canProbe
        canProbe = await supportsProbes(client, blockHash)
        if (!canProbe && before === undefined)
          log.warn(
            { chainId },
            'The RPC does not support state overrides: only currencies of the token list are routed',
          )
      }
      let isChanged = false
      for (const batch of chunksOf(addresses, parallelCalls * probesPerCall)) {
        const payable = batch.flatMap((currency) => probes.get(currency) ?? [])
        const kinds = canProbe && (await probe(client, payable, blockHash))
        for (const currency of batch) {
          const kind = kinds ? kinds.get(currency) : 'unprobed'
          const result = judge(currency, probes.has(currency) ? kind : 'unpayable')
          if (result !== undefined) isChanged = record(currency, result) || isChanged
        }
      }
      return isChanged
    },
  }
}

/** The transfer kind of each probed currency; undefined if the node's answer is invalid. */
async function probe(
  client: ChainClient,
  probes: readonly TransferProbe[],
  blockHash: Hash,
): Promise<ReadonlyMap<Address, TransferKind | undefined>> {
  const chunks = chunksOf(probes, probesPerCall)
  const kinds = await inTurns(chunks, (chunk) => probeTransfers(client, chunk, blockHash))
  const found = kinds.flat()
  return new Map(probes.map(({ currency }, at) => [currency, found[at]]))
}

/**
 * What is known of a currency's transfers. `unpayable`: no pool can pay it out. `unprobed`: the chain's RPC cannot
 * simulate transfers. Undefined: the answer was invalid.
 */
type Probed = TransferKind | 'unpayable' | 'unprobed' | undefined

function judgeTransfers(currency: Currency, probed: Probed): CheckResult | undefined {
  if (probed === undefined || probed === 'unpayable') return undefined
  if (probed !== 'unprobed') return { refusal: refusalOf(probed, currency) }
  const { symbol, metadata } = currency
  const refusal = `${symbol} is not on the token list, and this chain's RPC cannot simulate its transfers`
  return { refusal: metadata.verified ? undefined : refusal }
}

/** The currency is accepted if `refusal` is undefined. */
type CheckResult = Readonly<{ refusal: string | undefined }>

function refusalOf(kind: TransferKind, { symbol }: Currency): string | undefined {
  switch (kind) {
    case 'exact':
      return undefined
    case 'fee':
      return `${symbol} takes a fee on transfers, or transfers another amount than requested`
    case 'fails':
      return `${symbol} cannot be transferred out of its pools at the moment`
    case 'one-way':
      return `${symbol} can be bought but not sold at the moment: transfers to its pools fail`
  }
}

/** The probe of each currency, in its deepest pool. */
function planProbes(
  currencies: ReadonlySet<Address>,
  pools: ReadonlyMap<PoolId, Pool>,
): ReadonlyMap<Address, TransferProbe> {
  const probes = new Map<Address, TransferProbe>()
  const consider = (currency: Address, pool: Address, depth: bigint) => {
    // One percent of the depth shows a fee of one basis point, and is too small to resemble an attack on the pool.
    const amount = depth < 100n ? depth : depth / 100n
    if (amount > (probes.get(currency)?.amount ?? 0n))
      probes.set(currency, { currency, pool, amount })
  }
  for (const pool of pools.values()) {
    const { address, currency0, currency1, hasNative } = pool
    if (!currencies.has(currency0) && !currencies.has(currency1)) continue
    const { amount0, amount1 } = depthOf(pool)
    if (currencies.has(currency0) && !hasNative) consider(currency0, address, amount0)
    if (currencies.has(currency1)) consider(currency1, address, amount1)
  }
  return probes
}
