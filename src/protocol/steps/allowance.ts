import type { CurrencyAmount, Price, PricedOrigin } from '#src/core/pricing/price.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Currency, isNative, isSameCurrency } from '#src/core/units/currency.ts'
import {
  type ProtocolContracts,
  permit2Address,
} from '#src/protocol/contracts/protocolContracts.ts'

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

/**
 * The allowance that a user-executed swap requires. Undefined for native currencies, transfers, wrapping and
 * unwrapping.
 */
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

/**
 * Method by which a deposit reaches the depository: a call of the depository (`deposit`), a transfer with the order id
 * appended to its calldata (`plainDeposit`), a router call that swaps first (`routedDeposit`), or a payment to an
 * address that anyone can sweep into the depository (`addressPayment`).
 */
type DepositMethod = 'deposit' | 'plainDeposit' | 'routedDeposit' | 'addressPayment'

/**
 * The user's own transaction that executes a price: a router call (`routedSwap`), a call of the wrapped native currency
 * (`wrap`, `unwrap`), or a transfer to the recipient (`send`).
 */
type SwapMethod = 'routedSwap' | 'wrap' | 'unwrap' | 'send'

export function depositMethodOf({ leg, explicitDeposit, sweep }: PricedOrigin): DepositMethod {
  if (sweep !== undefined) return 'addressPayment'
  if (!isSameCurrency(leg.input.currency, leg.output.currency)) return 'routedDeposit'
  return explicitDeposit ? 'deposit' : 'plainDeposit'
}

export function swapMethodOf({ operation, order, fees }: Price): SwapMethod {
  if (fees.app.amount > 0n || order.txs.length > 0 || order.permit !== undefined)
    return 'routedSwap'
  switch (operation) {
    case 'send':
      return 'send'
    case 'wrap':
    case 'unwrap':
      // The wrapped currency can only pay its caller.
      return order.recipient === order.user ? operation : 'routedSwap'
    case 'swap':
    case 'bridge':
      return 'routedSwap'
  }
}
