import type { Log } from '#src/config/log.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'

export type OperatorSettings = Readonly<{
  /** A native currency has the decimals of the contract that wraps it. */
  natives: readonly Readonly<{ native: Currency; wrappedNative: Account }>[]
  /** The currencies of the token list. Each is refused if its contract has other decimals. */
  listed: readonly Currency[]
}>

const none: ReadonlyMap<Account, string> = new Map()
const maxShown = 10

/** Compares what contracts say about their currencies with the operator's settings. */
export class OperatorCurrencies {
  readonly #log: Log
  readonly #listings: ReadonlyMap<string, Currency>
  readonly #listedOn: ReadonlyMap<ChainId, readonly Currency[]>
  /** The native currency that each contract wraps. */
  readonly #wrapped: ReadonlyMap<string, Currency>
  readonly #conflicts = new Map<ChainId, ReadonlyMap<Account, string>>()
  /** The listed currencies whose contracts have other texts, as their contracts describe them. */
  readonly #renamed = new Map<string, Currency>()

  constructor(log: Log, { natives, listed }: OperatorSettings) {
    this.#log = log
    this.#listings = new Map(listed.map((each) => [currencyKey(each), each]))
    this.#listedOn = Map.groupBy(listed, ({ chainId }) => chainId)
    this.#wrapped = new Map(
      natives.map(({ native, wrappedNative: address }) => [
        currencyKey({ chainId: native.chainId, address }),
        native,
      ]),
    )
  }

  /** The addresses of the token list on a chain, in its order. */
  listedOn(chainId: ChainId): readonly Account[] {
    return (this.#listedOn.get(chainId) ?? []).map(({ address }) => address)
  }

  isListed(currency: Currency): boolean {
    return this.#listings.has(currencyKey(currency))
  }

  /** Why currencies are refused whose contracts have other decimals than the settings. */
  conflicts(chainId: ChainId): ReadonlyMap<Account, string> {
    return this.#conflicts.get(chainId) ?? none
  }

  /** A currency that was read from its contract, with the texts of the token list if both have the same decimals. */
  withListing(read: Currency): Currency {
    const key = currencyKey(read)
    const native = this.#wrapped.get(key)
    if (native !== undefined && native.decimals !== read.decimals)
      this.#refuse(native, read, 'configuration')
    const listing = this.#listings.get(key)
    if (listing === undefined) return read
    if (listing.decimals !== read.decimals) {
      this.#refuse(listing, read, 'token list')
      return read
    }
    // Mints of svm chains have no texts of their own.
    const hasTexts = vmTypeOf(read.address) === 'evm'
    if (hasTexts && (listing.symbol !== read.symbol || listing.name !== read.name))
      this.#renamed.set(key, read)
    return listing
  }

  /** @param source the part of the settings that has other decimals than the contract */
  #refuse({ chainId, address, decimals }: Currency, found: Currency, source: string): void {
    const refused = this.conflicts(chainId)
    if (refused.has(address)) return
    this.#log.error(
      { chainId, currency: address, expected: decimals, found: found.decimals },
      `A currency is refused: its contract has other decimals than the ${source}`,
    )
    const reason = `the ${source} has ${decimals} decimals, the contract ${found.decimals}`
    this.#conflicts.set(chainId, new Map([...refused, [address, reason]]))
  }

  /**
   * Logs the operator's errors on a chain, after its currencies have been read.
   * @param configured the currencies that the configuration names
   */
  logErrors(
    chainId: ChainId,
    configured: readonly Account[],
    isUnknown: (address: Account) => boolean,
  ): void {
    const log = this.#log
    for (const address of configured.filter(isUnknown))
      log.error({ chainId, address }, 'The configuration names a currency that cannot be read')
    const unread = this.listedOn(chainId).filter(isUnknown)
    if (unread.length > 0)
      log.warn(
        { chainId, count: unread.length, currencies: unread.slice(0, maxShown) },
        'The token list has addresses without a currency',
      )
    const renamed = [...this.#renamed.values()].filter((each) => each.chainId === chainId)
    if (renamed.length > 0)
      log.warn(
        {
          chainId,
          count: renamed.length,
          contracts: renamed
            .slice(0, maxShown)
            .map(({ address, symbol, name }) => ({ address, symbol, name })),
        },
        'The token list has other symbols or names than the contracts',
      )
  }
}
