import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import type { Price } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import { type MainStep, mainStepOf } from './mainStep.ts'

/** What a spender may take of a currency of the user's. */
export type Allowance = Readonly<{ currency: Currency; spender: Address; amount: Amount }>

/**
 * The allowance that the main step takes all of; undefined where it needs none: for native
 * currencies, plain payments, and unwrapping.
 */
export function allowanceNeeded(price: Price, contracts: ProtocolContracts): Allowance | undefined {
  const { currency, amount } = price.currencyIn
  const spender = spenderOf(mainStepOf(price), contracts)
  return spender === undefined || isNative(currency.address)
    ? undefined
    : { currency, spender, amount }
}

function spenderOf(step: MainStep, contracts: ProtocolContracts): Address | undefined {
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
