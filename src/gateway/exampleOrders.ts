import type { PriceRequest } from '#src/operations/input/priceInput.ts'
import type { ChainSummary, Operations } from '#src/operations/operations.ts'
import { type Currency, isSameCurrency } from '#src/units/currency.ts'

type Known = Pick<Operations, 'chains' | 'currencies'>

/** The first account of every anvil chain: on the devnet it holds some of everything. */
const exampleUser = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** One whole native unit of the first chain into what people want on the second, as JSON. */
export function exampleOrder(operations: Known) {
  const [home, away = home] = operations.chains()
  if (home === undefined || away === undefined) return undefined
  return orderOf(home.nativeCurrency, usualCurrency(operations, away), 'EXACT_INPUT')
}

/** What people swap into: USDC, else any ERC-20 that is listed, else the native currency. */
export function usualCurrency(
  operations: Pick<Operations, 'currencies'>,
  chain: ChainSummary,
): Currency {
  const listed = operations
    .currencies({ chainIds: [chain.id], verified: true })
    .filter(({ metadata }) => !metadata.isNative)
  return listed.find(({ symbol }) => symbol === 'USDC') ?? listed[0] ?? chain.nativeCurrency
}

/** One whole unit: of what goes in for EXACT_INPUT, else of what comes out. */
export const orderOf = (
  origin: Currency,
  destination: Currency,
  tradeType: PriceRequest['tradeType'],
) => ({
  user: exampleUser,
  originChainId: origin.chainId,
  originCurrency: origin.address,
  destinationChainId: destination.chainId,
  destinationCurrency: destination.address,
  amount: `1${'0'.repeat((tradeType === 'EXACT_INPUT' ? origin : destination).decimals)}`,
  tradeType,
})

/** One whole native unit of each of the first two chains into what people want on the second, as JSON. */
export function exampleMultiOrder(operations: Known) {
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
