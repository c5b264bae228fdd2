import type { Price } from '#src/core/pricing/price.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import type { PermitReads } from '#src/market/permitSupport/permitSupport.ts'
import type { PermitContext } from '#src/protocol/step.ts'
import type { QuoteInput } from '#src/service/input/quoteInput.ts'

type PermitDeps = Readonly<{
  /** Account that sends the signed transactions. */
  solver: Address
  permits: PermitReads
  randomHash: () => `0x${string}`
}>

/** Seconds from the quote until a signature expires. @source docs/protocol.md */
const defaultExpiry = 600

/**
 * Reads the values that the signatures of a quote depend on.
 * @param allowance amount of the user's currency that Permit2 may transfer
 * @throws AppError if no node answers
 */
export async function readPermitContext(
  { solver, permits, randomHash }: PermitDeps,
  { order, currencyIn: { currency, amount } }: Price,
  {
    request,
    createdAt,
  }: Readonly<{ request: Pick<Partial<QuoteInput>, 'permitExpiry'>; createdAt: number }>,
  allowance: bigint,
): Promise<PermitContext> {
  const { chainId } = currency
  const address = evmAddress(currency.address)
  const { kind, payer } = order.permit ?? { kind: 'permit2' }
  const { eip3009, eip2612 } = await permits.read(chainId, address)
  const allows = kind === 'eip2612' && allowance < amount
  return {
    relayer: payer ?? solver,
    kind: kind === 'eip3009' ? kind : 'permit2',
    domain: kind === 'eip3009' ? eip3009 : eip2612,
    allowanceNonce: allows
      ? await permits.nonceOf(chainId, address, evmAddress(order.user))
      : undefined,
    permit2Nonce: BigInt(randomHash()),
    lastSecond: Math.floor(createdAt / 1000) + (request.permitExpiry ?? defaultExpiry),
  }
}
