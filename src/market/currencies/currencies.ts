import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { CallGate } from '#src/chains/rpc/callGate.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { type Account, evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'
import { type BlockHash, evmHash } from '#src/core/units/txId.ts'
import type { OtherChain } from '#src/market/otherChain.ts'
import { OperatorCurrencies, type OperatorSettings } from './operatorCurrencies.ts'
import { readCurrencies } from './readCurrencies.ts'

export type CurrencyLoader = DataLoader<CurrencyKey, Currency | undefined, string>

/** The currencies in memory. Their decimals are those of the contracts. */
export type ChainCurrencies = Readonly<{
  /** The currency if it is in memory. Reads nothing. */
  known: (key: CurrencyKey) => Currency | undefined
  /** All permanent currencies of a chain. Returns the same array until a currency is added. */
  ofChain: (chainId: ChainId) => readonly Currency[]
}>

export type CurrencyRegister = ChainCurrencies &
  Readonly<{
    /** All permanent currencies: native, listed, and those of pools. For searches. */
    list: () => readonly Currency[]
  }>

export type CurrencyStore = Readonly<{
  /** Adds currencies that were read elsewhere permanently. Does not replace a permanent currency. */
  add: (currencies: readonly Currency[]) => void
}>

/** The metadata of currencies on all chains, shared by all requests. */
export type Currencies = CurrencyRegister &
  CurrencyStore &
  Readonly<{
    /**
     * Reads the currencies of the token list and `addresses`, which the configuration names, from their contracts. Until
     * then they are unknown. Logs the operator's errors.
     */
    learnNamed: (
      chainId: ChainId,
      addresses: readonly Account[],
      blockHash: BlockHash,
    ) => Promise<void>
    /** Why currencies are refused whose contracts have other decimals than the operator's settings. */
    conflicts: (chainId: ChainId) => ReadonlyMap<Account, string>
    /** Adds the currencies of pools permanently. Reads the unknown ones from the chain. */
    learn: (chainId: ChainId, addresses: readonly Account[], blockHash: BlockHash) => Promise<void>
    /**
     * A loader for one request. All loads in one turn of the event loop cost one eth_call per chain, at the block
     * `headOf`, and none if all currencies are known. Loads undefined for an address without a readable currency.
     */
    loader: (headOf: (chainId: ChainId) => BlockHash) => CurrencyLoader
  }>

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  /** The chains of other virtual machines. */
  others?: ReadonlyMap<ChainId, Pick<OtherChain, 'readCurrencies'>>
  log: Log
  /** Limit the reads that callers cause. A load fails with OVERLOADED if its gate is full. */
  gates: ReadonlyMap<ChainId, CallGate>
}>

export function createCurrencies(
  { clients, others, log, gates }: Deps,
  settings: OperatorSettings,
): Currencies {
  const operator = new OperatorCurrencies(log, settings)
  // The listed currencies precede those of pools.
  const natives = new Map(settings.natives.map(({ native }) => [native.chainId, native.address]))
  const memory = new CurrencyMemory((chainId) => {
    const native = natives.get(chainId)
    return [...(native === undefined ? [] : [native]), ...operator.listedOn(chainId)]
  })
  for (const { native } of settings.natives) memory.addPermanent(native)
  const known = (key: CurrencyKey) => memory.known(key)

  function remember(read: Currency): Currency {
    const currency = operator.withListing(read)
    if (operator.isListed(currency)) memory.addPermanent(currency)
    else memory.cache(currency)
    return currency
  }

  /** Undefined without a client of the chain. */
  function readOn(chainId: ChainId, addresses: readonly Account[], blockHash: BlockHash) {
    const other = others?.get(chainId)
    if (other !== undefined) return other.readCurrencies(addresses)
    const client = clients.get(chainId)
    return client && readCurrencies(client, chainId, addresses.map(evmAddress), evmHash(blockHash))
  }

  /** Returns the currencies of `addresses` in order, and reads those that are unknown. */
  async function fetchCurrencies(
    chainId: ChainId,
    addresses: readonly Account[],
    blockHash: BlockHash,
  ): Promise<readonly (Currency | undefined)[]> {
    const unknown = addresses.filter((address) => memory.isUnknown({ chainId, address }, blockHash))
    const found = new Map<Account, Currency>()
    const answers = unknown.length > 0 ? await readOn(chainId, unknown, blockHash) : undefined
    if (answers !== undefined)
      unknown.forEach((address, at) => {
        const answer = answers[at]
        if (answer === undefined) memory.markAbsent({ chainId, address }, blockHash)
        else found.set(address, remember(answer))
      })
    return addresses.map((address) => found.get(address) ?? known({ chainId, address }))
  }

  async function learn(chainId: ChainId, addresses: readonly Account[], blockHash: BlockHash) {
    const missing = addresses.filter((address) => !memory.isPermanent({ chainId, address }))
    for (const currency of await fetchCurrencies(chainId, missing, blockHash))
      if (currency !== undefined) memory.addPermanent(currency)
  }

  /** The currencies of one chain in order. If the node fails, each unknown one is the failure. */
  async function load(chainId: ChainId, addresses: readonly Account[], headOf: HeadOf) {
    const gate = gates.get(chainId)
    const read = () => fetchCurrencies(chainId, addresses, headOf(chainId))
    const areKnown = addresses.every((address) => known({ chainId, address }) !== undefined)
    const found = await attempt(() => (gate === undefined || areKnown ? read() : gate.run(read)))
    return addresses.map((address, at) =>
      found instanceof Error ? (known({ chainId, address }) ?? found) : found[at],
    )
  }

  return {
    known,
    list: () => memory.list(),
    ofChain: (chainId) => memory.ofChain(chainId),
    add: (currencies) => {
      for (const currency of currencies)
        if (!memory.isPermanent(currency)) memory.addPermanent(operator.withListing(currency))
    },
    async learnNamed(chainId, configured, blockHash) {
      const named = new Set([...operator.listedOn(chainId), ...configured])
      await learn(chainId, [...named], blockHash)
      operator.logErrors(
        chainId,
        configured,
        (address) => known({ chainId, address }) === undefined,
      )
    },
    conflicts: (chainId) => operator.conflicts(chainId),
    learn,
    loader: (headOf) => batched((chainId, addresses) => load(chainId, addresses, headOf)),
  }
}

type Load = (
  chainId: ChainId,
  addresses: readonly Account[],
) => Promise<readonly (Currency | Error | undefined)[]>

/** Loads of one turn of the event loop are one load for each chain. */
const batched = (load: Load): CurrencyLoader =>
  new DataLoader(
    async (keys) => {
      const answers = new Map<string, Currency | Error | undefined>()
      const chains = [...Map.groupBy(keys, ({ chainId }) => chainId)]
      await Promise.all(
        chains.map(async ([chainId, group]) => {
          const found = await load(
            chainId,
            group.map(({ address }) => address),
          )
          group.forEach((key, at) => {
            answers.set(currencyKey(key), found[at])
          })
        }),
      )
      return keys.map((key) => answers.get(currencyKey(key)))
    },
    { cacheKeyFn: currencyKey },
  )

type HeadOf = (chainId: ChainId) => BlockHash

/** Returns the error instead of throwing it, so that one failing chain does not fail the loads of others. */
async function attempt<Value>(run: () => Promise<Value>): Promise<Value | Error> {
  try {
    return await run()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

type CurrencyKey = Readonly<{ chainId: ChainId; address: Account }>

/** Entries in the cache of currencies without a pool, and in the cache of addresses without a currency. */
const maxCached = 10_000

/** What is known of addresses: permanent currencies, and caches of other currencies and of addresses without one. */
class CurrencyMemory {
  readonly #permanent = new Map<ChainId, Map<Account, Currency>>()
  readonly #cached = new LRUCache<string, Currency>({ max: maxCached })
  /** Addresses without a currency, with the block at which they were read. */
  readonly #absent = new LRUCache<string, BlockHash>({ max: maxCached })
  readonly #lists = new Map<ChainId, readonly Currency[]>()
  readonly #firstOf: (chainId: ChainId) => readonly Account[]

  /** @param firstOf the addresses that come first in the list of a chain, in this order */
  constructor(firstOf: (chainId: ChainId) => readonly Account[]) {
    this.#firstOf = firstOf
  }

  known(key: CurrencyKey): Currency | undefined {
    return this.#permanent.get(key.chainId)?.get(key.address) ?? this.#cached.get(currencyKey(key))
  }

  /** Whether reading the address at this block can tell anything new. */
  isUnknown(key: CurrencyKey, blockHash: BlockHash): boolean {
    return this.known(key) === undefined && this.#absent.get(currencyKey(key)) !== blockHash
  }

  isPermanent({ chainId, address }: CurrencyKey): boolean {
    return this.#permanent.get(chainId)?.has(address) === true
  }

  addPermanent(currency: Currency): void {
    this.#lists.delete(currency.chainId)
    const ofChain = this.#permanent.get(currency.chainId) ?? new Map<Account, Currency>()
    this.#permanent.set(currency.chainId, ofChain.set(currency.address, currency))
  }

  cache(currency: Currency): void {
    this.#cached.set(currencyKey(currency), currency)
  }

  markAbsent(key: CurrencyKey, blockHash: BlockHash): void {
    this.#absent.set(currencyKey(key), blockHash)
  }

  /** All permanent currencies of a chain. Returns the same array until one is added. */
  ofChain(chainId: ChainId): readonly Currency[] {
    const list = this.#lists.get(chainId) ?? this.#listOf(chainId)
    this.#lists.set(chainId, list)
    return list
  }

  /** All permanent currencies. */
  list(): readonly Currency[] {
    return [...this.#permanent.keys()].flatMap((chainId) => this.#listOf(chainId))
  }

  #listOf(chainId: ChainId): readonly Currency[] {
    const ofChain = this.#permanent.get(chainId) ?? new Map<Account, Currency>()
    const addresses = new Set([...this.#firstOf(chainId), ...ofChain.keys()])
    return [...addresses].flatMap((each) => ofChain.get(each) ?? [])
  }
}
