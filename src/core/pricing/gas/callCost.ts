import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type GasMarket, transactionBytes, transactionCost } from './gas.ts'

/** A transaction of the relayer. */
type Call = Readonly<{
  data: `0x${string}`
  authorizationList?: readonly unknown[]
}>

/** Upper bound on the cost in wei of a call that is sent now. The base fee may double before a block includes it. */
export function highestCallCost(
  market: GasMarket,
  { data, authorizationList = [] }: Call,
  gas: bigint,
): Amount {
  const bytes = transactionBytes(data, authorizationList.length)
  const doubled = { ...market, baseFeePerGas: 2n * market.baseFeePerGas }
  return transactionCost(doubled, { gas, bytes })
}

/**
 * The reserve for a call, in wei. The gas price may rise before the call is sent, and its fee may have to be raised.
 */
export const reservedCallCost = (market: GasMarket, call: Call, gas: bigint): Amount =>
  toAmount(2n * highestCallCost(market, call, gas))
