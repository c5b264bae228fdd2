import { BaseError, decodeFunctionResult, encodeFunctionData, type Hash, type Hex } from 'viem'
import { chunksOf } from '#src/chains/chunksOf.ts'
import { callContracts, isCallError } from '#src/chains/read/callContracts.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import type { Log } from '#src/config/log.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import type { PoolId } from '#src/core/pools/poolKind.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { depthOf } from '#src/market/kinds/poolDepth.ts'
import { inTurns } from '#src/market/reads/inTurns.ts'
import { transferProbe } from '#src/protocol/contracts/artifacts/transferProbe.ts'
import type { Currencies } from './currencies.ts'

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

/** A simulated transfer of `amount` of a currency out of a pool and back. */
type TransferProbe = Readonly<{ currency: Address; pool: Address; amount: bigint }>

/**
 * The result of a probe: `exact` if both transfers moved the requested amount, `fee` if one moved another amount,
 * `fails` if the transfer out of the pool fails, `one-way` if the transfer back fails.
 */
type TransferKind = 'exact' | 'fee' | 'fails' | 'one-way'

/** Acts as the trader. Nobody has a key to this address, so no currency is likely to treat it specially. */
const standIn = toAddress('0x00000000000000000000000000000000c705540e')

/**
 * Simulates a transfer from the pool to a stand-in trader and back for each probe. See TransferProbe.sol. The first
 * attempt runs all probes in one eth_call, where one currency can make another fail. Each probe that is not exact is
 * therefore repeated alone. The result is undefined if the node's answer is invalid.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function probeTransfers(
  client: ChainClient,
  probes: readonly TransferProbe[],
  blockHash: Hash,
): Promise<readonly (TransferKind | undefined)[]> {
  const together = probes.length > 1 ? await runTogether(client, probes, blockHash) : []
  return Promise.all(
    probes.map(async (probe, at) => {
      if (kindOf(together[at]) === 'exact') return 'exact'
      return kindOf(await runProbe(client, probe, blockHash))
    }),
  )
}

function kindOf(transfers: Transfers | undefined): TransferKind | undefined {
  if (transfers === undefined) return undefined
  const [out, back] = transfers
  if (!out.succeeded) return 'fails'
  if (!isExact(out)) return 'fee'
  if (!back.succeeded) return 'one-way'
  return isExact(back) ? 'exact' : 'fee'
}

/**
 * Whether the node supports state overrides, which `probeTransfers` needs. Probes an address without code: if overrides
 * work, the probe reports a failed transfer.
 * @throws RpcUnavailableError if the node cannot be reached.
 */
async function supportsProbes(client: ChainClient, blockHash: Hash): Promise<boolean> {
  const empty = toAddress('0x00000000000000000000000000000000c705540f')
  try {
    const probe = { currency: empty, pool: empty, amount: 0n }
    return (await runProbe(client, probe, blockHash)) !== undefined
  } catch (error) {
    if (error instanceof RpcRefusedError) return false
    throw error
  }
}

/** @source TransferProbe.sol, Leg */
type Transfer = Readonly<{ succeeded: boolean; sent: bigint; spent: bigint; received: bigint }>

const isExact = ({ sent, spent, received }: Transfer): boolean =>
  spent === sent && received === sent

type Transfers = readonly [out: Transfer, back: Transfer]

const { abi, deployedBytecode: code } = transferProbe
const functionName = 'probe'

const callOf = ({ currency, pool, amount }: TransferProbe) => ({
  to: pool,
  data: encodeFunctionData({ abi, functionName, args: [currency, amount, standIn] }),
})

const overridesOf = (probes: readonly TransferProbe[]) =>
  [...new Set(probes.map(({ pool }) => pool)), standIn].map((address) => ({ address, code }))

/** Undefined for a call that reverted, and for all calls if the node ignores the overrides. */
async function runTogether(
  client: ChainClient,
  probes: readonly TransferProbe[],
  blockHash: Hash,
): Promise<readonly (Transfers | undefined)[]> {
  const answers = await callContracts(client, probes.map(callOf), blockHash, overridesOf(probes))
  return answers.map((data) => data && decodeTransfers(data))
}

function decodeTransfers(data: Hex): Transfers | undefined {
  try {
    return decodeFunctionResult({ abi, functionName, data })
  } catch {
    return undefined
  }
}

const failed: Transfer = { succeeded: false, sent: 0n, spent: 0n, received: 0n }

/** @returns undefined if the answer does not decode: the node ignored the state override. */
async function runProbe(
  client: ChainClient,
  probe: TransferProbe,
  blockHash: Hash,
): Promise<Transfers | undefined> {
  try {
    const stateOverride = overridesOf([probe])
    const answer = await client.call({ ...callOf(probe), stateOverride, blockHash })
    return decodeTransfers(answer.data ?? '0x')
  } catch (error) {
    // The probe never reverts by itself, but a currency may burn all its gas.
    if (isCallError(error)) return [failed, failed]
    if (error instanceof BaseError) return undefined
    throw error
  }
}
