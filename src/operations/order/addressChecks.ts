import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import { isBurnAddress } from '#src/execution/calls/depositAddress.ts'
import { FieldError, throwTogether } from '#src/operations/input/fieldError.ts'
import type { OrderRequest, QuoteRequest } from '#src/operations/input/quoteInput.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'

/**
 * Refuses what does not go with a deposit address: calls on the destination chain, permits, payees that nobody has the
 * key of, and chains that offer no deposit addresses.
 * @throws AppError that names every bad field.
 */
export function checkDepositAddress(
  { contracts }: Readonly<{ contracts: ReadonlyMap<ChainId, ProtocolContracts> }>,
  request: OrderRequest,
  payees: Readonly<Record<'recipient' | 'refundTo', Address>>,
): void {
  if (request.useDepositAddress !== true) return
  const { originChainId } = request
  const errors: FieldError[] = []
  if (contracts.get(originChainId)?.depositAddressFactory === undefined)
    errors.push(
      new FieldError(
        'UNSUPPORTED_EXECUTION_TYPE',
        ['useDepositAddress'],
        `chain ${originChainId} has no deposit addresses; the user calls the depository`,
        { chainId: originChainId },
      ),
    )
  if ((request.txs ?? []).length > 0)
    errors.push(
      new FieldError(
        'EXTRA_TXS_NOT_SUPPORTED',
        ['txs'],
        'calls cannot follow a payment to a deposit address; leave txs or useDepositAddress out',
      ),
    )
  if (request.usePermit === true)
    errors.push(
      new FieldError(
        'UNSUPPORTED_EXECUTION_TYPE',
        ['usePermit'],
        'a deposit address is paid without a signature; leave usePermit or useDepositAddress out',
      ),
    )
  for (const field of ['recipient', 'refundTo'] as const)
    if (isBurnAddress(payees[field]))
      errors.push(
        new FieldError(
          'INVALID_RECIPIENT',
          [field],
          `nobody has the key of ${payees[field]}; name an account`,
        ),
      )
  throwTogether(errors)
}

/** @throws AppError UNSUPPORTED_EXECUTION_TYPE for a quote of a deposit address that is not strict. */
export function checkStrict({ useDepositAddress, strict }: Partial<QuoteRequest>): void {
  if (useDepositAddress !== true || strict === true) return
  throw new FieldError(
    'UNSUPPORTED_EXECUTION_TYPE',
    ['strict'],
    'only deposit addresses for one order are supported; set strict, and refundTo',
  )
}
