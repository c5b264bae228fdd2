import type { Amount } from '#src/core/units/amount.ts'
import type { MultiOrder } from './multiOrder.ts'
import type { Price, PricedOrigin } from './price.ts'

/**
 * The price of a multi-input order on one market. Its origins can be on several chains, so its totals are in currencies
 * of the destination chain: `currencyIn` is the value of the inputs in the destination currency, relayer fees are in
 * the payout currency, and `fees.gas` is in the native currency.
 */
export type MultiPrice = Readonly<
  Pick<
    Price,
    | 'operation'
    | 'sender'
    | 'recipient'
    | 'currencyIn'
    | 'currencyOut'
    | 'fees'
    | 'totalImpact'
    | 'swapImpact'
    | 'rate'
    | 'slippageBps'
    | 'slippageTolerance'
    | 'timeEstimate'
    | 'destination'
    | 'blocks'
  > & {
    order: MultiOrder
    /**
     * The origins that pay in, in the order of their steps: by chain, currency, account and amount. For an exact
     * output, the origin that pays exactly the missing amount comes last.
     */
    pricedOrigins: readonly [PricedOrigin, ...PricedOrigin[]]
    /** currencyOut by the arrival time (seconds) of the deposits that pay for it, earliest first, one entry per time. */
    breakdown: readonly Readonly<{ value: Amount; timeEstimate: number }>[]
    /** The value of an amount of one origin of the order in the destination currency, rounded down. */
    originValueOf: (origin: MultiOrder['origins'][number], amount: Amount) => Amount
  }
>
