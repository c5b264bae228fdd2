import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import type { CurrencyAmount, Funding, Price } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import { type DepositStep, depositStepOf, type SwapStep, swapStepOf } from './executionMethod.ts'

/** What a spender may take of a currency of the user's. */
export type Allowance = Readonly<{ currency: Currency; spender: Address; amount: Amount }>

/** The allowance that the user's own transaction takes all of; undefined where it needs none. */
export function allowanceNeeded(price: Price, contracts: ProtocolContracts): Allowance | undefined {
  const [funding] = price.fundings
  return funding === undefined
    ? swapAllowance(price, contracts)
    : depositAllowance(funding, contracts)
}

/**
 * The allowance that a deposit takes all of; undefined where it needs none: for native currencies and
 * plain payments.
 */
export const depositAllowance = (
  funding: Funding,
  contracts: ProtocolContracts,
): Allowance | undefined =>
  allowanceFor(funding.leg.input, spenderOf(depositStepOf(funding), contracts))

/** The same of a swap that the user makes alone; unwrapping needs none either. */
export const swapAllowance = (price: Price, contracts: ProtocolContracts): Allowance | undefined =>
  allowanceFor(price.currencyIn, spenderOf(swapStepOf(price), contracts))

const allowanceFor = (
  { currency, amount }: CurrencyAmount,
  spender: Address | undefined,
): Allowance | undefined =>
  spender === undefined || isNative(currency.address) ? undefined : { currency, spender, amount }

function spenderOf(
  step: DepositStep | SwapStep,
  contracts: ProtocolContracts,
): Address | undefined {
  switch (step) {
    case 'deposit':
      return contracts.depository
    case 'routedDeposit':
    case 'routedSwap':
      return contracts.approvalProxy
    case 'plainDeposit':
    case 'wrap':
    case 'unwrap':
    case 'send':
      return undefined
  }
}
