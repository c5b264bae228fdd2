import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { readCurrencies } from './readCurrencies.ts'

type CurrencyKey = Readonly<{ chainId: ChainId; address: Address }>
export type CurrencyLoader = DataLoader<CurrencyKey, Currency | undefined, string>

/** What is known of currencies, on all chains and across requests. */
export type Currencies = Readonly<{
  /** Without asking the chain. */
  known: (key: CurrencyKey) => Currency | undefined
  /** The native and listed currencies, and those of the pools: what a search goes through. */
  list: () => readonly Currency[]
  /** Reads what is not known of these and keeps it for good: for the currencies of pools. */
  learn: (chainId: ChainId, addresses: readonly Address[], blockHash: Hash) => Promise<void>
  /**
   * For one request: all loads of one turn of the event loop cost one eth_call a chain, at the block
   * that `headOf` names, and nothing where all is known. `undefined` where no currency can be read.
   */
  loader: (headOf: (chainId: ChainId) => Hash) => CurrencyLoader
}>

/** How many currencies that no pool holds are remembered, and as many addresses that hold none. */
const mostPassing = 10_000

/** `lasting` are the native and the listed currencies. */
export function createCurrencies(
  clients: ReadonlyMap<ChainId, ChainClient>,
  lasting: readonly Currency[],
): Currencies {
  const kept = new Map<ChainId, Map<Address, Currency>>()
  const passing = new LRUCache<string, Currency>({ max: mostPassing })
  /** Addresses without a currency, with the block at which that was so. */
  const absent = new LRUCache<string, Hash>({ max: mostPassing })

  const keep = (currency: Currency) => {
    const ofChain = kept.get(currency.chainId) ?? new Map<Address, Currency>()
    kept.set(currency.chainId, ofChain.set(currency.address, currency))
  }
  lasting.forEach(keep)

  const known = (key: CurrencyKey) =>
    kept.get(key.chainId)?.get(key.address) ?? passing.get(keyOf(key))

  /** Reads what is not known of these. @returns all that is known then, in the order of `addresses`. */
  async function look(
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
          passing.set(keyOf(currency), currency)
          found.set(address, currency)
        }
      })
    }
    return addresses.map((address) => found.get(address) ?? known({ chainId, address }))
  }

  return {
    known,
    list: () => [...kept.values()].flatMap((ofChain) => [...ofChain.values()]),
    async learn(chainId, addresses, blockHash) {
      const wanted = addresses.filter((address) => !kept.get(chainId)?.has(address))
      for (const currency of await look(chainId, wanted, blockHash))
        if (currency !== undefined) keep(currency)
    },
    loader: (headOf) =>
      new DataLoader(
        async (keys) => {
          const answers = new Map<string, Currency | Error | undefined>()
          const chains = [...Map.groupBy(keys, ({ chainId }) => chainId)]
          await Promise.all(
            chains.map(async ([chainId, group]) => {
              const addresses = group.map(({ address }) => address)
              const found = await attempt(() => look(chainId, addresses, headOf(chainId)))
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

/** A chain that fails does not keep the others from answering. */
async function attempt<Value>(run: () => Promise<Value>): Promise<Value | Error> {
  try {
    return await run()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
