import fc from 'fast-check'
import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import { AppError } from '#src/errors.ts'
import type { StepContext } from '#src/execution/stepContext.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import type { MultiPrice } from '#src/pricing/multiPrice.ts'
import { priceMulti } from '#src/pricing/priceMulti.ts'
import { toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { callee, solver } from './executionArbitrary.ts'
import { account, currencyOf, wideMarket } from './fixtures/markets.ts'
import { multiOrders } from './fixtures/multiOrders.ts'

export const requestId = `0x${'a1'.repeat(32)}` as const
export const orderId = `0x${'0d'.repeat(32)}` as const

/** Ours, at another address on every chain. */
export function contractsOn(chainId: ChainId): ProtocolContracts {
  const at = (digit: string) => toAddress(`0x${`${chainId}`.padStart(40, digit)}`)
  return { depository: at('d'), router: at('e'), approvalProxy: at('f') }
}

/** Of a wallet that has allowed nothing yet, but as told. */
export const contextOn = (chainId: ChainId, change: Partial<StepContext> = {}): StepContext => ({
  requestId,
  orderId,
  contracts: contractsOn(chainId),
  wrappedNative: currencyOf(chainId, 'WETH').address,
  // Another on every chain.
  gas: { baseFeePerGas: BigInt(chainId), priorityFeePerGas: 7n },
  solver,
  allowance: 0n,
  resetsAllowance: false,
  ...change,
})

/** Some of what all origins together give, in percent; undefined for all that they give. */
const shares = fc.option(fc.bigInt(10n, 95n), { nil: undefined })

const callLists = fc.array(
  fc.constant({ to: callee, value: toAmount(0n), data: '0x12345678' } as const),
  { maxLength: 2 },
)

/** What multi-input orders of both trade types come to that can be priced on the fixture's market. */
export const multiPrices = (mostOrigins: number): fc.Arbitrary<MultiPrice> =>
  fc
    .record({
      order: multiOrders(mostOrigins),
      isPaidBackToOne: fc.boolean(),
      share: shares,
      txs: callLists,
    })
    .map(({ order, isPaidBackToOne, share, txs }) => {
      const refunded = order.origins.map((origin) =>
        isPaidBackToOne ? { ...origin, refundTo: account('3') } : origin,
      )
      const whole = attempt({ ...order, origins: refunded, txs })
      if (share === undefined || whole === undefined) return whole
      const output = toAmount((whole.currencyOut.amount * share) / 100n)
      return output === 0n ? undefined : attempt({ ...whole.order, output })
    })
    .filter((price): price is MultiPrice => price !== undefined)

function attempt(order: MultiOrder): MultiPrice | undefined {
  try {
    return priceMulti(order, wideMarket)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
