import { AppError } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Authorities } from '#src/market/reads/transactionSimulator.ts'

/**
 * Has accounts with code deposit through the depository, whatever the request asks for: a plain transfer counts only if
 * an account without code sends it, as the tracker reads the order id from the calldata of the transaction itself. An
 * account whose code no node tells counts as one with code.
 */
export async function recordedDeposit(
  { simulator }: Readonly<{ simulator: Authorities }>,
  { user, origin, explicitDeposit }: Order,
): Promise<Partial<Pick<Order, 'explicitDeposit'>>> {
  if (explicitDeposit) return {}
  try {
    const [account] = await simulator.readAuthorities(origin.chainId, [user])
    return account?.code === '0x' ? {} : { explicitDeposit: true }
  } catch (error) {
    if (error instanceof AppError) return { explicitDeposit: true }
    throw error
  }
}
