import { FieldError, throwTogether } from '#src/operations/input/fieldError.ts'
import { nativeAddress } from '#src/units/address.ts'
import type { Asked } from './asked.ts'
import { endsOf, type UpstreamTerms } from './upstreamTerms.ts'

/**
 * Refuses payees that would lose the funds: the zero address, the currencies of the order, and the service's contracts.
 * @throws AppError INVALID_RECIPIENT that names every bad field
 */
export function checkPayees(terms: UpstreamTerms, asked: Asked): void {
  const chains = endsOf(terms, asked)
  const lossy = new Set<string>([
    ...[nativeAddress, asked.originCurrency, asked.destinationCurrency],
    ...(chains?.origin.contracts ?? []),
    ...(chains?.destination.contracts ?? []),
  ])
  throwTogether(
    (['recipient', 'refundTo'] as const)
      .filter((field) => lossy.has(asked[field]))
      .map(
        (field) =>
          new FieldError(
            'INVALID_RECIPIENT',
            [field],
            `funds paid to ${asked[field]} would be lost`,
          ),
      ),
  )
}
