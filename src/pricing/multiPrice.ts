import type { Amount } from '#src/units/amount.ts'
import type { MultiOrder } from './multiOrder.ts'
import type { Funding, Price } from './price.ts'

/**
 * What a multi-input order comes to on one market. Its totals are in currencies of the destination chain, as its
 * origins lie on many: `currencyIn` is what the origins that pay in are worth in the destination currency, relayer
 * fees are in what the solver spends, `fees.gas` in the native currency.
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
     * Of the origins that pay in, in the order of their steps: by chain, currency, account and amount; for an exact output
     * the one that pays the rest comes last.
     */
    fundings: readonly [Funding, ...Funding[]]
    /** Parts of currencyOut by when the deposits that pay for them arrive, soonest first: seconds, one entry each. */
    breakdown: readonly Readonly<{ value: Amount; timeEstimate: number }>[]
    /** What so much of one of the order's origins is worth in the destination currency, rounded down. */
    worthOf: (origin: MultiOrder['origins'][number], amount: Amount) => Amount
  }
>
