import type { Price } from '#src/core/pricing/price.ts'
import type { Account } from '#src/core/units/address.ts'
import { isBurnAddress } from '#src/protocol/calls/depositAddress.ts'
import { FieldError, throwTogether } from '#src/service/input/fieldError.ts'
import type { QuoteInput, SwapInput } from '#src/service/input/quoteInput.ts'
import type { ContractsByChain } from './orderChecks.ts'

/**
 * Refuses options that a deposit address does not support: calls on the destination chain, permits, payees whose key
 * nobody has, and chains without deposit addresses.
 * @throws AppError that names every bad field.
 */
export function checkDepositAddress(
  { contracts, programs }: ContractsByChain,
  request: SwapInput,
  payees: Readonly<Record<'recipient' | 'refundTo', Account>>,
): void {
  if (request.useDepositAddress !== true) return
  const { originChainId } = request
  const errors: FieldError[] = []
  const factory = contracts.get(originChainId)?.depositAddressFactory
  if (factory === undefined && !programs.has(originChainId))
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
          `nobody has the key of ${payees[field]}; use another account`,
        ),
      )
  throwTogether(errors)
}

type QuoteOptions = Partial<Omit<QuoteInput, 'user'>>

/** Whether a quote asks for an open address: it accepts payments of any amount, and each gets a quote of its own. */
export const isOpen = ({ useDepositAddress, strict }: QuoteOptions): boolean =>
  useDepositAddress === true && strict !== true

/**
 * Refuses options of an open address that only make sense for one amount, one payment or one moment. Anybody may pay
 * the address any number of times, so a sponsor has to limit its spending.
 * @throws AppError UNSUPPORTED_EXECUTION_TYPE that names every such field; INVALID_REQUEST.
 */
export function checkOpen(request: QuoteOptions): void {
  if (!isOpen(request)) return
  const { tradeType, fixedRate, authorizationList, maxSubsidizationAmount } = request
  const refused: readonly (readonly [path: string, isAsked: boolean])[] = [
    ['tradeType', tradeType === 'EXACT_OUTPUT'],
    ['fixedRate', fixedRate != null],
    ['useExternalLiquidity', request.useExternalLiquidity === true],
    ['authorizationList', (authorizationList ?? []).length > 0],
  ]
  const refusals = refused
    .filter(([, isAsked]) => isAsked)
    .map(
      ([path]) =>
        new FieldError(
          'UNSUPPORTED_EXECUTION_TYPE',
          [path],
          'a deposit address for any payment does not support it; set strict and refundTo',
        ),
    )
  const isUnbounded = request.subsidizeFees === true && maxSubsidizationAmount == null
  throwTogether([...refusals, ...(isUnbounded ? [new UnboundedSponsorError()] : [])])
}

/** Anybody may pay an open address any number of times. */
class UnboundedSponsorError extends FieldError {
  constructor() {
    super(
      'INVALID_REQUEST',
      ['maxSubsidizationAmount'],
      'required with subsidizeFees for a deposit address that accepts any payment: it limits the sum that the sponsor pays',
    )
  }
}

/**
 * An open address whose payments are swapped on the destination chain needs an account that expects refunds: swaps
 * fail more often than bridges.
 * @throws AppError INVALID_REQUEST
 */
export function checkOpenRefund(request: QuoteOptions, { destination }: Price): void {
  if (!isOpen(request) || request.refundTo != null || destination.route === undefined) return
  throw new FieldError(
    'INVALID_REQUEST',
    ['refundTo'],
    'required if payments to the deposit address are swapped: unfilled payments are refunded to it',
  )
}
