import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'
import { FieldError, type FieldPath, throwTogether } from '#src/service/input/fieldError.ts'
import type { KnownContract } from './knownContracts.ts'

export type PayeeDeps = Readonly<{
  /** Finds a currency without an RPC call. */
  knownCurrency: (chainId: ChainId, address: Address) => Currency | undefined
  knownContract: KnownContract
}>

/** An account that a request may pay, and its field. */
export type Payee = Readonly<{ path: FieldPath; chainId: ChainId; payee: Address }>

type Place = Readonly<{ chainId: ChainId; address: Address }>

/**
 * Refuses payees that would lose the funds: the zero address, currency contracts, and contracts that are known to be no
 * wallets. Makes no RPC call.
 * @param currencies the order's own.
 * @throws AppError INVALID_RECIPIENT that names every bad field once.
 */
export function checkPayeeAddresses(
  deps: PayeeDeps,
  payees: readonly Payee[],
  currencies: readonly Place[],
): void {
  const own = new Set(currencies.map(currencyKey))
  throwLossy(payees, ({ chainId, payee }) => {
    if (payee === nativeAddress) return 'the zero address'
    if (
      deps.knownCurrency(chainId, payee) !== undefined ||
      own.has(currencyKey({ chainId, address: payee }))
    )
      return `the contract of a currency on chain ${chainId}`
    return deps.knownContract(chainId, payee)
  })
}

/**
 * @param describe says what a payee that would lose the funds is; undefined for any other.
 * @throws AppError INVALID_RECIPIENT that names every bad field once.
 */
export function throwLossy(
  payees: readonly Payee[],
  describe: (payee: Payee) => string | undefined,
): void {
  const errors = payees.flatMap((each) => {
    const what = describe(each)
    const reason = `${each.payee} is ${what}; funds would be lost`
    return what === undefined ? [] : [new FieldError('INVALID_RECIPIENT', each.path, reason)]
  })
  const fields = new Map(errors.toReversed().map((error) => [error.place.join('.'), error]))
  throwTogether([...fields.values()].toReversed())
}
