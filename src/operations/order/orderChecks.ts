import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import { FieldError, type FieldPath, throwTogether } from '#src/operations/input/fieldError.ts'
import type { Loaders } from '#src/operations/operations.ts'
import { UnsupportedChainError } from '#src/operations/unsupportedChain.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'

export type CheckDeps = Readonly<{
  chains: ReadonlyMap<ChainId, Readonly<{ id: ChainId; disabled: boolean }>>
  /** Ours, by chain; chains without them can be priced alone. */
  contracts: ReadonlyMap<ChainId, ProtocolContracts>
  /** A currency that needs no RPC call to know. */
  knownCurrency: (chainId: ChainId, address: Address) => Currency | undefined
}>

/** What a field of a request says of a chain. */
type Said<Value> = Readonly<{ path: FieldPath; chainId: ChainId }> & Value

/** @throws AppError UNSUPPORTED_CHAIN or CHAIN_DISABLED that names every such field. */
export const checkChains = (
  { chains }: Pick<CheckDeps, 'chains'>,
  named: readonly Said<unknown>[],
): void =>
  throwTogether(
    named.flatMap(({ path, chainId }) => {
      const chain = chains.get(chainId)
      if (chain === undefined) return [new UnsupportedChainError(path, chainId, chains.values())]
      const reason = `chain ${chainId} takes no orders for now`
      return chain.disabled ? [new FieldError('CHAIN_DISABLED', path, reason, { chainId })] : []
    }),
  )

/**
 * Funds paid to the zero address, to a currency's own contract or to one of ours are lost.
 * @throws AppError INVALID_RECIPIENT that names every field which would have that done, once.
 */
export function checkLosses(
  deps: CheckDeps,
  payees: readonly Said<Readonly<{ payee: Address }>>[],
): void {
  const errors = payees.flatMap(({ path, chainId, payee }) => {
    const what = lossAt(deps, chainId, payee)
    const reason = `${payee} is ${what}; funds would be lost`
    return what === undefined ? [] : [new FieldError('INVALID_RECIPIENT', path, reason)]
  })
  const fields = new Map(errors.toReversed().map((error) => [error.place.join('.'), error]))
  throwTogether([...fields.values()].toReversed())
}

function lossAt(deps: CheckDeps, chainId: ChainId, payee: Address): string | undefined {
  if (payee === nativeAddress) return 'the zero address'
  if (deps.knownCurrency(chainId, payee) !== undefined)
    return `the contract of a currency on chain ${chainId}`
  const ours = Object.values(deps.contracts.get(chainId) ?? {})
  return ours.includes(payee) ? `a contract of this gateway on chain ${chainId}` : undefined
}

type CurrencyField = Said<Readonly<{ address: Address; side: 'input' | 'output' }>>

/**
 * Each of `fields` with the currency that it names.
 * @throws AppError INVALID_INPUT_CURRENCY or INVALID_OUTPUT_CURRENCY that names every field without one.
 */
export async function readCurrencies<const Fields extends readonly CurrencyField[]>(
  { knownCurrency }: Pick<CheckDeps, 'knownCurrency'>,
  loaders: Pick<Loaders, 'currency'>,
  fields: Fields,
): Promise<WithCurrencies<Fields>> {
  const found = await Promise.all(
    fields.map(async (field) => {
      const { chainId, address } = field
      const currency = knownCurrency(chainId, address) ?? (await loaders.currency(chainId, address))
      return { ...field, currency }
    }),
  )
  throwTogether(
    found
      .filter(({ currency }) => currency === undefined)
      .map((field) => new UnknownCurrencyError(field)),
  )
  return found as WithCurrencies<Fields>
}

type WithCurrencies<Fields> = {
  readonly [At in keyof Fields]: Fields[At] & Readonly<{ currency: Currency }>
}

/** No contract at the address answers as an ERC-20 does. */
class UnknownCurrencyError extends FieldError {
  constructor({ path, chainId, address, side }: CurrencyField) {
    super(
      side === 'input' ? 'INVALID_INPUT_CURRENCY' : 'INVALID_OUTPUT_CURRENCY',
      path,
      `no currency at ${address} on chain ${chainId}; the native currency is the zero address`,
      { chainId, currency: address },
    )
  }
}
