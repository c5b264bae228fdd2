import { AppError } from '#src/core/errors.ts'
import type { Order, PermitKind } from '#src/core/pricing/order.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import type { CurrencyPermits, Permits } from '#src/market/permits/permits.ts'
import type { OrderRequest } from '#src/service/input/quoteInput.ts'

export type PermitDeps = Readonly<{ permits: Pick<Permits, 'known' | 'read' | 'isContract'> }>

/**
 * Reads how the user of an order pays by signature.
 * @param reads whether nodes may be asked. If not, a currency with unknown permits is priced by the most expensive
 * kind, and the user counts as an account with a key.
 * @throws AppError UNSUPPORTED_EXECUTION_TYPE if the currency cannot be paid so; those of `Permits.read`
 */
export async function readPermit(
  { permits }: PermitDeps,
  request: OrderRequest,
  reads: boolean,
): Promise<Pick<Order, 'permit'>> {
  const { usePermit, user, originChainId, originCurrency, depositFeePayer } = request
  if (usePermit !== true) return {}
  const payer = depositFeePayer == null ? {} : { payer: depositFeePayer }
  // Pricing refuses it.
  if (originCurrency === nativeAddress) return { permit: { kind: 'permit2', ...payer } }
  const [known, isContract] = reads
    ? await Promise.all([
        permits.read(originChainId, originCurrency),
        permits.isContract(originChainId, user),
      ])
    : [permits.known(originChainId, originCurrency), false]
  if (known?.permit2 === false) throw new NoPermitsError(originChainId)
  return { permit: { kind: kindOf(known, isContract), ...payer } }
}

/** A contract cannot sign for EIP-3009 and EIP-2612. Permit2 asks it by ERC-1271. */
function kindOf(known: CurrencyPermits | undefined, isContract: boolean): PermitKind {
  if (isContract) return 'permit2'
  if (known === undefined) return 'eip2612'
  if (known.eip3009 !== undefined) return 'eip3009'
  return known.eip2612 === undefined ? 'permit2' : 'eip2612'
}

/** The chain has no Permit2, or an old approval proxy that accepts no signatures. */
class NoPermitsError extends AppError {
  constructor(chainId: number) {
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `usePermit: chain ${chainId} has no Permit2, or no approval proxy that uses it, so nothing can be paid by signature; leave usePermit out.`,
      { field: 'usePermit', chainId },
    )
  }
}
