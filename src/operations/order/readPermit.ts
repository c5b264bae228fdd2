import { AppError } from '#src/errors.ts'
import type { CurrencyPermits, Permits } from '#src/market/permits/permits.ts'
import type { OrderRequest } from '#src/operations/input/quoteInput.ts'
import type { Order, PermitKind } from '#src/pricing/order.ts'
import { nativeAddress } from '#src/units/address.ts'

export type PermitDeps = Readonly<{ permits: Pick<Permits, 'known' | 'read' | 'isContract'> }>

/**
 * How the user of an order pays by signature.
 * @param reads whether nodes may be asked. Without, the price of a currency whose permits are unknown is that of the
 * dearest kind, and the user is taken for an account with a key.
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
  // Refused where it is priced.
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

/** A contract cannot sign as EIP-3009 and EIP-2612 have it. Permit2 asks it (ERC-1271). */
function kindOf(known: CurrencyPermits | undefined, isContract: boolean): PermitKind {
  if (isContract) return 'permit2'
  if (known === undefined) return 'eip2612'
  if (known.eip3009 !== undefined) return 'eip3009'
  return known.eip2612 === undefined ? 'permit2' : 'eip2612'
}

/** The chain has no Permit2, or an approval proxy from before it took signatures. */
class NoPermitsError extends AppError {
  constructor(chainId: number) {
    super(
      'UNSUPPORTED_EXECUTION_TYPE',
      `usePermit: nothing can be paid by signature on chain ${chainId}, which lacks Permit2 or an approval proxy that uses it; leave usePermit out.`,
      { field: 'usePermit', chainId },
    )
  }
}
