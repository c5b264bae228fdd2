import { AppError } from '#src/core/errors.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import type { Order } from './order.ts'
import type { Price } from './price.ts'

/** Whether the solver sends the user's transaction, and charges its gas. */
export const isRelayed = ({ permit }: Pick<Order, 'permit'>): boolean =>
  permit !== undefined && permit.payer === undefined

/**
 * Rejects a payment by signature of a native currency, and a swap by signature on one chain if nobody pays its gas.
 * @throws AppError that names the field
 */
export function checkPermit({ permit, origin, destination, sponsorship }: PermitOrder): void {
  if (permit === undefined) return
  if (isNative(origin.address)) throw new NativePermitError(origin)
  if (origin.chainId !== destination.chainId || sponsorship !== undefined) return
  if (permit.payer === undefined) throw new UnsponsoredPermitError(origin)
}

/** @throws UnsponsoredPermitError if a swap by signature on one chain costs more than its sponsor pays */
export function checkSponsored({ order, fees }: Pick<Price, 'order' | 'fees'>): void {
  const maxUsd = order.sponsorship?.maxUsd
  if (!isRelayed(order) || maxUsd === undefined) return
  if (fees.subsidized.usd === undefined || fees.subsidized.usd > maxUsd)
    throw new UnsponsoredPermitError(order.origin)
}

type PermitOrder = Pick<Order, 'permit' | 'origin' | 'destination' | 'sponsorship'>

/** A native currency cannot be paid by signature. */
class NativePermitError extends AppError {
  constructor({ symbol, chainId }: Currency) {
    super(
      'UNSUPPORTED_CURRENCY',
      `usePermit: ${symbol} is the native currency of chain ${chainId} and cannot be paid by signature; wrap it, or leave usePermit out.`,
      { field: 'usePermit', chainId },
    )
  }
}

/**
 * Nobody pays the gas of a swap by signature on one chain. The user gets the whole output, so the solver cannot
 * charge for sending it.
 */
class UnsponsoredPermitError extends AppError {
  constructor({ chainId }: Currency) {
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `usePermit: a swap by signature on chain ${chainId} alone needs a sponsor who pays its gas; set subsidizeFees with a sponsor’s key and a sufficient maxSubsidizationAmount, or leave usePermit out.`,
      { field: 'usePermit', chainId },
    )
  }
}
