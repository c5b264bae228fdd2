import type { CurrencyAmount, Price, PricedOrigin } from '#src/core/pricing/price.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { permit2Address } from '#src/protocol/contracts/permit2.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import {
  type DepositMethod,
  depositMethodOf,
  type SwapMethod,
  swapMethodOf,
} from './executionMethod.ts'

/** An ERC-20 allowance that the user's transaction spends. */
export type Allowance = Readonly<{ currency: Currency; spender: Address; amount: Amount }>

/** The allowance that the transactions of a price with one origin require. Undefined if they require none. */
export function requiredAllowance(
  price: Price,
  contracts: ProtocolContracts,
): Allowance | undefined {
  const [origin] = price.pricedOrigins
  return origin === undefined
    ? swapAllowance(price, contracts)
    : depositAllowance(origin, contracts)
}

/** The allowance that a deposit requires and uses up. Undefined for native currencies and plain transfers. */
export const depositAllowance = (
  origin: PricedOrigin,
  contracts: ProtocolContracts,
): Allowance | undefined =>
  allowanceFor(origin.leg.input, spenderOf(depositMethodOf(origin), contracts))

/** The allowance that a user-executed swap requires. Undefined for native currencies, transfers, wrapping and unwrapping. */
export const swapAllowance = (price: Price, contracts: ProtocolContracts): Allowance | undefined =>
  allowanceFor(price.currencyIn, spenderOf(swapMethodOf(price), contracts))

const allowanceFor = (
  { currency, amount }: CurrencyAmount,
  spender: Address | undefined,
): Allowance | undefined =>
  spender === undefined || isNative(currency.address) ? undefined : { currency, spender, amount }

/** The allowance that Permit2 needs to transfer an amount. */
export const permit2Allowance = ({ currency, amount }: CurrencyAmount): Allowance => ({
  currency,
  spender: permit2Address,
  amount,
})

function spenderOf(
  method: DepositMethod | SwapMethod,
  contracts: ProtocolContracts,
): Address | undefined {
  switch (method) {
    case 'deposit':
      return contracts.depository
    case 'routedDeposit':
    case 'routedSwap':
      return contracts.approvalProxy
    case 'plainDeposit':
    case 'addressPayment':
    case 'wrap':
    case 'unwrap':
    case 'send':
      return undefined
  }
}
