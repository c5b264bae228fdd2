import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { type GasMarket, transactionCost } from './gas.ts'

/** A transaction of the relayer. */
type Call = Readonly<{
  data: `0x${string}`
  authorizationList?: readonly unknown[]
}>

/** Bytes of a signed transaction without its calldata, and of each of its authorizations, rounded up. */
const [envelopeBytes, authorizationBytes] = [120n, 110n]

/** Upper bound on the cost in wei of a call that is sent now. The base fee may double before a block includes it. */
export function highestCallCost(
  market: GasMarket,
  { data, authorizationList = [] }: Call,
  gas: bigint,
): Amount {
  const bytes =
    envelopeBytes +
    BigInt(data.length / 2 - 1) +
    authorizationBytes * BigInt(authorizationList.length)
  const doubled = { ...market, baseFeePerGas: 2n * market.baseFeePerGas }
  return transactionCost(doubled, { gas, bytes })
}

/**
 * The reserve for a call, in wei. The gas price may rise before the call is sent, and its fee may have to be raised.
 */
export const reservedCallCost = (market: GasMarket, call: Call, gas: bigint): Amount =>
  toAmount(2n * highestCallCost(market, call, gas))
