import { LRUCache } from 'lru-cache'
import type { Hash } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'

export type CurrencyKey = Readonly<{ chainId: ChainId; address: Address }>

/** Entries in the cache of currencies without a pool, and in the cache of addresses without a currency. */
const maxCached = 10_000

/** What is known of addresses: permanent currencies, and caches of other currencies and of addresses without one. */
export class CurrencyMemory {
  readonly #permanent = new Map<ChainId, Map<Address, Currency>>()
  readonly #cached = new LRUCache<string, Currency>({ max: maxCached })
  /** Addresses without a currency, with the block at which they were read. */
  readonly #absent = new LRUCache<string, Hash>({ max: maxCached })
  readonly #lists = new Map<ChainId, readonly Currency[]>()
  readonly #firstOf: (chainId: ChainId) => readonly Address[]

  /** @param firstOf the addresses that come first in the list of a chain, in this order */
  constructor(firstOf: (chainId: ChainId) => readonly Address[]) {
    this.#firstOf = firstOf
  }

  known(key: CurrencyKey): Currency | undefined {
    return this.#permanent.get(key.chainId)?.get(key.address) ?? this.#cached.get(currencyKey(key))
  }

  /** Whether reading the address at this block can tell anything new. */
  isUnknown(key: CurrencyKey, blockHash: Hash): boolean {
    return this.known(key) === undefined && this.#absent.get(currencyKey(key)) !== blockHash
  }

  isPermanent({ chainId, address }: CurrencyKey): boolean {
    return this.#permanent.get(chainId)?.has(address) === true
  }

  addPermanent(currency: Currency): void {
    this.#lists.delete(currency.chainId)
    const ofChain = this.#permanent.get(currency.chainId) ?? new Map<Address, Currency>()
    this.#permanent.set(currency.chainId, ofChain.set(currency.address, currency))
  }

  cache(currency: Currency): void {
    this.#cached.set(currencyKey(currency), currency)
  }

  markAbsent(key: CurrencyKey, blockHash: Hash): void {
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
    const ofChain = this.#permanent.get(chainId) ?? new Map<Address, Currency>()
    const addresses = new Set([...this.#firstOf(chainId), ...ofChain.keys()])
    return [...addresses].flatMap((each) => ofChain.get(each) ?? [])
  }
}
