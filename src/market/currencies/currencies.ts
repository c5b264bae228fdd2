import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { Hash } from 'viem'
import type { CallGate } from '#src/chains/rpc/callGate.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { readCurrencies } from './readCurrencies.ts'

type CurrencyKey = Readonly<{ chainId: ChainId; address: Address }>
export type CurrencyLoader = DataLoader<CurrencyKey, Currency | undefined, string>

/** The metadata of currencies on all chains, shared by all requests. */
export type Currencies = Readonly<{
  /** The currency if it is in memory. Reads nothing. */
  known: (key: CurrencyKey) => Currency | undefined
  /** All permanent currencies: native, listed, and those of pools. For searches. */
  list: () => readonly Currency[]
  /** All permanent currencies of a chain. Returns the same array until a currency is added. */
  ofChain: (chainId: ChainId) => readonly Currency[]
  /** Adds currencies that were read elsewhere permanently. Does not replace a permanent currency. */
  add: (currencies: readonly Currency[]) => void
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

/**
 * @param permanentCurrencies the native and the listed currencies.
 * @param gates limit the reads that callers cause. A load fails with OVERLOADED if its gate is full.
 */
export function createCurrencies(
  clients: ReadonlyMap<ChainId, ChainClient>,
  permanentCurrencies: readonly Currency[],
  gates: ReadonlyMap<ChainId, CallGate>,
): Currencies {
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
  permanentCurrencies.forEach(addPermanent)

  const known = (key: CurrencyKey) =>
    permanent.get(key.chainId)?.get(key.address) ?? cached.get(keyOf(key))

  /** Returns the currencies of `addresses` in order, and reads those that are unknown. */
  async function fetchCurrencies(
    chainId: ChainId,
    addresses: readonly Address[],
    blockHash: Hash,
  ): Promise<readonly (Currency | undefined)[]> {
    const client = clients.get(chainId)
    const unknown = addresses.filter((address) => {
      const key = { chainId, address }
      return known(key) === undefined && absent.get(keyOf(key)) !== blockHash
    })
    const found = new Map<Address, Currency>()
    if (client !== undefined && unknown.length > 0) {
      const read = await readCurrencies(client, chainId, unknown, blockHash)
      unknown.forEach((address, at) => {
        const currency = read[at]
        if (currency === undefined) absent.set(keyOf({ chainId, address }), blockHash)
        else {
          cached.set(keyOf(currency), currency)
          found.set(address, currency)
        }
      })
    }
    return addresses.map((address) => found.get(address) ?? known({ chainId, address }))
  }

  return {
    known,
    list: () => [...permanent.values()].flatMap((ofChain) => [...ofChain.values()]),
    ofChain: (chainId) => {
      const list = lists.get(chainId) ?? [...(permanent.get(chainId)?.values() ?? [])]
      lists.set(chainId, list)
      return list
    },
    add: (currencies) => {
      for (const currency of currencies)
        if (permanent.get(currency.chainId)?.has(currency.address) !== true) addPermanent(currency)
    },
    async learn(chainId, addresses, blockHash) {
      const missing = addresses.filter((address) => !permanent.get(chainId)?.has(address))
      for (const currency of await fetchCurrencies(chainId, missing, blockHash))
        if (currency !== undefined) addPermanent(currency)
    },
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
                answers.set(keyOf(key), found instanceof Error ? (known(key) ?? found) : found[at])
              })
            }),
          )
          return keys.map((key) => answers.get(keyOf(key)))
        },
        { cacheKeyFn: keyOf },
      ),
  }
}

const keyOf = ({ chainId, address }: CurrencyKey): string => `${chainId}:${address}`

/** Returns the error instead of throwing it, so that one failing chain does not fail the loads of others. */
async function attempt<Value>(run: () => Promise<Value>): Promise<Value | Error> {
  try {
    return await run()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
