import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { Hash } from 'viem'
import type { CallGate } from '#src/chains/rpc/callGate.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'
import { readCurrencies } from './readCurrencies.ts'

type CurrencyKey = Readonly<{ chainId: ChainId; address: Address }>
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
    learnNamed: (chainId: ChainId, addresses: readonly Address[], blockHash: Hash) => Promise<void>
    /** Why currencies are refused whose contracts have other decimals than the operator's settings. */
    conflicts: (chainId: ChainId) => ReadonlyMap<Address, string>
    /** Adds the currencies of pools permanently. Reads the unknown ones from the chain. */
    learn: (chainId: ChainId, addresses: readonly Address[], blockHash: Hash) => Promise<void>
    /**
     * A loader for one request. All loads in one turn of the event loop cost one eth_call per chain, at the block
     * `headOf`, and none if all currencies are known. Loads undefined for an address without a readable currency.
     */
    loader: (headOf: (chainId: ChainId) => Hash) => CurrencyLoader
  }>

/** Entries in the cache of currencies without a pool, and in the cache of addresses without a currency. */
const maxCached = 10_000

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  log: Log
  /** Limit the reads that callers cause. A load fails with OVERLOADED if its gate is full. */
  gates: ReadonlyMap<ChainId, CallGate>
}>

type OperatorCurrencies = Readonly<{
  /** A native currency has the decimals of the contract that wraps it. */
  natives: readonly Readonly<{ native: Currency; wrappedNative: Address }>[]
  /** The currencies of the token list. Each is refused if its contract has other decimals. */
  listed: readonly Currency[]
}>

export function createCurrencies(
  { clients, log, gates }: Deps,
  { natives, listed }: OperatorCurrencies,
): Currencies {
  const listings = new Map(listed.map((each) => [currencyKey(each), each]))
  const listedOn = Map.groupBy(listed, ({ chainId }) => chainId)
  const wrapped = new Map(
    natives.map(({ native, wrappedNative: address }) => [
      currencyKey({ chainId: native.chainId, address }),
      native,
    ]),
  )
  const conflicts = new Map<ChainId, ReadonlyMap<Address, string>>()
  /** The listed currencies whose contracts have other texts, as their contracts describe them. */
  const renamed = new Map<string, Currency>()
  const permanent = new Map<ChainId, Map<Address, Currency>>()
  const cached = new LRUCache<string, Currency>({ max: maxCached })
  /** Addresses without a currency, with the block at which they were read. */
  const absent = new LRUCache<string, Hash>({ max: maxCached })

  const lists = new Map<ChainId, readonly Currency[]>()

  const addPermanent = (currency: Currency) => {
    lists.delete(currency.chainId)
    const ofChain = permanent.get(currency.chainId) ?? new Map<Address, Currency>()
    permanent.set(currency.chainId, ofChain.set(currency.address, currency))
  }
  for (const { native } of natives) addPermanent(native)

  /** @param source the part of the operator's settings that has other decimals than the contract */
  function refuse({ chainId, address, decimals }: Currency, found: number, source: string): void {
    const refused = conflicts.get(chainId) ?? none
    if (refused.has(address)) return
    log.error(
      { chainId, currency: address, expected: decimals, found },
      `A currency is refused: its contract has other decimals than the ${source}`,
    )
    const reason = `the ${source} has ${decimals} decimals, the contract ${found}`
    conflicts.set(chainId, new Map([...refused, [address, reason]]))
  }

  /** A currency that was read from its contract, with the texts of the token list if both have the same decimals. */
  function withListing(read: Currency): Currency {
    const key = currencyKey(read)
    const native = wrapped.get(key)
    if (native !== undefined && native.decimals !== read.decimals)
      refuse(native, read.decimals, 'configuration')
    const listing = listings.get(key)
    if (listing === undefined) return read
    if (listing.decimals !== read.decimals) {
      refuse(listing, read.decimals, 'token list')
      return read
    }
    if (listing.symbol !== read.symbol || listing.name !== read.name) renamed.set(key, read)
    return listing
  }

  /** The listed currencies precede those of pools, in the order of the list. */
  function listOf(chainId: ChainId): readonly Currency[] {
    const ofChain = permanent.get(chainId) ?? new Map<Address, Currency>()
    const first = [nativeAddress, ...(listedOn.get(chainId) ?? []).map(({ address }) => address)]
    return [...new Set([...first, ...ofChain.keys()])].flatMap((each) => ofChain.get(each) ?? [])
  }

  const known = (key: CurrencyKey) =>
    permanent.get(key.chainId)?.get(key.address) ?? cached.get(currencyKey(key))

  /** Returns the currencies of `addresses` in order, and reads those that are unknown. */
  async function fetchCurrencies(
    chainId: ChainId,
    addresses: readonly Address[],
    blockHash: Hash,
  ): Promise<readonly (Currency | undefined)[]> {
    const client = clients.get(chainId)
    const unknown = addresses.filter((address) => {
      const key = { chainId, address }
      return known(key) === undefined && absent.get(currencyKey(key)) !== blockHash
    })
    const found = new Map<Address, Currency>()
    if (client !== undefined && unknown.length > 0) {
      const read = await readCurrencies(client, chainId, unknown, blockHash)
      unknown.forEach((address, at) => {
        const currency = read[at]
        if (currency === undefined) absent.set(currencyKey({ chainId, address }), blockHash)
        else {
          const known = withListing(currency)
          if (listings.has(currencyKey(known))) addPermanent(known)
          else cached.set(currencyKey(known), known)
          found.set(address, known)
        }
      })
    }
    return addresses.map((address) => found.get(address) ?? known({ chainId, address }))
  }

  async function learn(chainId: ChainId, addresses: readonly Address[], blockHash: Hash) {
    const missing = addresses.filter((address) => !permanent.get(chainId)?.has(address))
    for (const currency of await fetchCurrencies(chainId, missing, blockHash))
      if (currency !== undefined) addPermanent(currency)
  }

  return {
    known,
    list: () => [...permanent.keys()].flatMap(listOf),
    ofChain: (chainId) => {
      const list = lists.get(chainId) ?? listOf(chainId)
      lists.set(chainId, list)
      return list
    },
    add: (currencies) => {
      for (const currency of currencies)
        if (permanent.get(currency.chainId)?.has(currency.address) !== true)
          addPermanent(withListing(currency))
    },
    async learnNamed(chainId, configured, blockHash) {
      const expected = (listedOn.get(chainId) ?? []).map(({ address }) => address)
      await learn(chainId, [...new Set([...expected, ...configured])], blockHash)
      const isUnknown = (address: Address) => known({ chainId, address }) === undefined
      for (const address of configured.filter(isUnknown))
        log.error({ chainId, address }, 'The configuration names a currency that cannot be read')
      const unread = expected.filter(isUnknown)
      if (unread.length > 0)
        log.warn(
          { chainId, count: unread.length, currencies: unread.slice(0, maxShown) },
          'The token list has addresses without a currency',
        )
      const others = [...renamed.values()].filter((each) => each.chainId === chainId)
      if (others.length > 0)
        log.warn(
          {
            chainId,
            count: others.length,
            contracts: others
              .slice(0, maxShown)
              .map(({ address, symbol, name }) => ({ address, symbol, name })),
          },
          'The token list has other symbols or names than the contracts',
        )
    },
    conflicts: (chainId) => conflicts.get(chainId) ?? none,
    learn,
    loader: (headOf) =>
      new DataLoader(
        async (keys) => {
          const answers = new Map<string, Currency | Error | undefined>()
          const chains = [...Map.groupBy(keys, ({ chainId }) => chainId)]
          await Promise.all(
            chains.map(async ([chainId, group]) => {
              const addresses = group.map(({ address }) => address)
              const gate = gates.get(chainId)
              const read = () => fetchCurrencies(chainId, addresses, headOf(chainId))
              const areKnown = group.every((key) => known(key) !== undefined)
              const found = await attempt(() =>
                gate === undefined || areKnown ? read() : gate.run(read),
              )
              group.forEach((key, at) => {
                answers.set(
                  currencyKey(key),
                  found instanceof Error ? (known(key) ?? found) : found[at],
                )
              })
            }),
          )
          return keys.map((key) => answers.get(currencyKey(key)))
        },
        { cacheKeyFn: currencyKey },
      ),
  }
}

const none: ReadonlyMap<Address, string> = new Map()
const maxShown = 10

/** Returns the error instead of throwing it, so that one failing chain does not fail the loads of others. */
async function attempt<Value>(run: () => Promise<Value>): Promise<Value | Error> {
  try {
    return await run()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
