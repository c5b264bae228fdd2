import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Config } from '#src/config/config.ts'
import { type Account, evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { readCurrencies } from '#src/market/currencies/readCurrencies.ts'
import { type Fact, shorten } from './fact.ts'

/** A currency that the operator's settings name. `listing` is its entry of the token list. */
export type NamedCurrency = Readonly<{ name: string; address: Account; listing?: Currency }>

/** The currencies on a chain that the assets and the token lists name. */
export const namedCurrenciesOf = (
  { assets }: Config,
  listed: readonly Currency[],
  chainId: ChainId,
): readonly NamedCurrency[] => [
  ...assets.flatMap(({ symbol, currencies }) =>
    currencies
      .filter((each) => each.chainId === chainId && !isNative(each.address))
      .map(({ address }) => ({ name: `assets ${symbol}`, address })),
  ),
  ...listed
    .filter((each) => each.chainId === chainId)
    .map((listing) => ({
      name: `tokenList ${listing.symbol}`,
      address: listing.address,
      listing,
    })),
]

/** Compares the currencies with their contracts, as `currencyFacts` does. */
export async function readCurrencyFacts(
  client: ChainClient,
  chainId: ChainId,
  named: readonly NamedCurrency[],
  blockHash: Hash,
): Promise<readonly Fact[]> {
  const addresses = named.map(({ address }) => evmAddress(address))
  return currencyFacts(named, await readCurrencies(client, chainId, addresses, blockHash))
}

/** Other decimals are wrong; other texts, or no contract, a warning. @param read in the order of `named` */
export function currencyFacts(
  named: readonly NamedCurrency[],
  read: readonly (Currency | undefined)[],
): readonly Fact[] {
  const facts = named.map((each, at) => currencyFact(each, read[at]))
  const isRightListing = ({ state }: Fact, at: number) =>
    state === 'ok' && named[at]?.listing !== undefined
  const right = facts.filter(isRightListing).length
  const summary = { name: 'tokenList', found: `${right} currencies fit`, expected: 'decimals' }
  return [
    ...facts.filter((fact, at) => !isRightListing(fact, at)),
    ...(right === 0 ? [] : [{ ...summary, state: 'ok' as const }]),
  ]
}

function currencyFact({ name, address, listing }: NamedCurrency, read: Currency | undefined): Fact {
  const decimals = `${name} ${address} decimals`
  const expected = listing === undefined ? 'decimals' : `${listing.decimals}`
  if (read === undefined)
    return {
      name: decimals,
      state: listing === undefined ? 'wrong' : 'warning',
      found: 'no currency',
      expected,
    }
  const isRight = listing === undefined || listing.decimals === read.decimals
  const state = isRight ? 'ok' : 'wrong'
  if (!isRight || listing === undefined || describe(read) === describe(listing))
    return { name: decimals, state, found: `${read.decimals}`, expected }
  return {
    name: `${name} ${address} symbol and name`,
    state: 'warning',
    found: shorten(describe(read)),
    expected: shorten(describe(listing)),
  }
}

const describe = ({ symbol, name }: Currency): string => `${symbol} (${name})`
