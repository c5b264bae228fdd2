import { type Currency, isSameCurrency } from '#src/core/units/currency.ts'
import type { ChainSummary } from '#src/service/chains.ts'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import type { Service } from '#src/service/service.ts'

/** The chains and currencies that examples use. */
export type Catalogue = Readonly<{
  chains: Service['chains']
  currencies: Service['currencies']
}>

/** The first account of every anvil chain. On the devnet it holds every currency. */
const exampleUser = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** A price input as JSON: one native unit of the first chain into the usual currency of the second. */
export function exampleOrder(operations: Catalogue) {
  const [home, away = home] = operations.chains()
  if (home === undefined || away === undefined) return undefined
  return orderOf(home.nativeCurrency, usualCurrency(operations, away), 'EXACT_INPUT')
}

/** The usual destination currency of a chain: USDC, else any listed ERC-20, else the native currency. */
export function usualCurrency(operations: Catalogue, chain: ChainSummary): Currency {
  const listed = operations
    .currencies({ chainIds: [chain.id], verified: true })
    .filter(({ metadata }) => !metadata.isNative)
  return listed.find(({ symbol }) => symbol === 'USDC') ?? listed[0] ?? chain.nativeCurrency
}

/** An order for one whole unit of the input for EXACT_INPUT, else of the output. */
export const orderOf = (
  origin: Currency,
  destination: Currency,
  tradeType: PriceInput['tradeType'],
) => ({
  user: exampleUser,
  originChainId: origin.chainId,
  originCurrency: origin.address,
  destinationChainId: destination.chainId,
  destinationCurrency: destination.address,
  amount: `1${'0'.repeat((tradeType === 'EXACT_INPUT' ? origin : destination).decimals)}`,
  tradeType,
})

/** A multi-input quote as JSON: one native unit of each of the first two chains into the usual currency of the second. */
export function exampleMultiOrder(operations: Catalogue) {
  const [home, away = home] = operations.chains()
  if (home === undefined || away === undefined) return undefined
  const destination = usualCurrency(operations, away)
  const natives = [...new Set([home, away])].map(({ nativeCurrency }) => nativeCurrency)
  return {
    user: exampleUser,
    origins: natives
      .filter((currency) => !isSameCurrency(currency, destination))
      .map((currency) => ({
        chainId: currency.chainId,
        currency: currency.address,
        amount: `1${'0'.repeat(currency.decimals)}`,
      })),
    destinationChainId: destination.chainId,
    destinationCurrency: destination.address,
    tradeType: 'EXACT_INPUT',
  } as const
}
