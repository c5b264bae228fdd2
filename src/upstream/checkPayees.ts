import { nativeAddress } from '#src/core/units/address.ts'
import { FieldError, throwTogether } from '#src/service/input/fieldError.ts'
import type { KnownContract } from '#src/service/payees/knownContracts.ts'
import type { Asked } from './asked.ts'
import { endsOf, type UpstreamTerms } from './upstreamTerms.ts'

/**
 * Refuses payees that would lose the funds: the zero address, the currencies of the order, the service's contracts, and
 * contracts of our own chains that are no wallets.
 * @throws AppError INVALID_RECIPIENT that names every bad field
 */
export function checkPayees(
  { knownContract }: Readonly<{ knownContract: KnownContract }>,
  terms: UpstreamTerms,
  asked: Asked,
): void {
  const chains = endsOf(terms, asked)
  const lossy = new Set<string>([
    ...[nativeAddress, asked.originCurrency, asked.destinationCurrency],
    ...(chains?.origin.contracts ?? []),
    ...(chains?.destination.contracts ?? []),
  ])
  throwTogether(
    (
      [
        ['recipient', asked.destinationChainId],
        ['refundTo', asked.originChainId],
      ] as const
    )
      .filter(
        ([field, chainId]) =>
          lossy.has(asked[field]) || knownContract(chainId, asked[field]) !== undefined,
      )
      .map(
        ([field]) =>
          new FieldError(
            'INVALID_RECIPIENT',
            [field],
            `funds paid to ${asked[field]} would be lost`,
          ),
      ),
  )
}
