import { AppError } from '#src/errors.ts'
import type { SwapMode } from '#src/pools/pool.ts'
import { type Amount, formatAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import type { LegTask } from './leg/leg.ts'
import type { RouteLimits } from './leg/routeLimits.ts'
import type { Order } from './order.ts'

/** `1.5 ETH`, for messages. */
const inWords = (amount: bigint, { decimals, symbol }: Currency): string =>
  `${formatAmount(amount, decimals)} ${symbol}`

/** The pools of one chain do not join two currencies, or not deeply enough. */
export class NoRouteError extends AppError {
  constructor(
    leg: 'origin' | 'destination',
    { input, output, limits }: LegTask,
    swap: Readonly<{
      kind: SwapMode
      amount: Amount
      limit: Amount | undefined
      /** Whether the pools could do it, but for the limits. */
      isAsked: boolean
    }>,
  ) {
    const { kind, amount, limit, isAsked } = swap
    const given = kind === 'exactInput' ? input : output
    const where = `${leg} leg: chain ${input.chainId}, ${input.symbol} to ${output.symbol}`
    const reason =
      limit === undefined
        ? `no pools join the two${within(limits)}`
        : `its pools are too shallow for ${inWords(amount, given)}${isAsked ? within(limits) : ''}; the most that works is ${inWords(limit, given)}`
    const remedy = isAsked ? ` Without ${namesOf(limits).join(' and ')} there is one.` : ''
    super('NO_SWAP_ROUTES_FOUND', `No swap route found (${where}): ${reason}.${remedy}`, {
      leg,
      chainId: input.chainId,
      inputCurrency: input.address,
      outputCurrency: output.address,
      ...(limit !== undefined && { largestAmount: limit.toString() }),
      ...(isAsked && { limitedBy: namesOf(limits) }),
    })
  }
}

/** Of routes that nothing else limits. */
const usualHops = 4

function within({ maxHops = usualHops, allowsPool }: RouteLimits): string {
  const hops = ` within ${maxHops} ${maxHops === 1 ? 'hop' : 'hops'}`
  return allowsPool === undefined ? hops : `${hops} through the included swap sources`
}

const namesOf = ({ maxHops, allowsPool }: RouteLimits): string[] => [
  ...(maxHops === undefined ? [] : ['maxRouteLength']),
  ...(allowsPool === undefined ? [] : ['the lists of swap sources']),
]

/** The fees leave nothing for the recipient. */
export class AmountTooLowError extends AppError {
  constructor(fees: Amount, deposit: Currency, least: Amount | undefined, input: Currency) {
    const hint =
      least === undefined ? '' : ` The least input that works is about ${inWords(least, input)}.`
    super(
      'AMOUNT_TOO_LOW',
      `The amount does not cover the fees of ${inWords(fees, deposit)}.${hint}`,
      { fees: fees.toString(), ...(least !== undefined && { leastAmount: least.toString() }) },
    )
  }
}

/** The fees are more than what all origins pay in. */
export class OriginsTooLowError extends AppError {
  constructor(fees: bigint, payout: Currency) {
    super(
      'AMOUNT_TOO_LOW',
      `The origins together do not cover the fees of ${inWords(fees, payout)}.`,
      { fees: fees.toString() },
    )
  }
}

/** The origins' amounts, which are the most that may be taken, do not pay for the output. */
export class OriginsShortError extends AppError {
  /** @param most the output that all of them pay for, where they pay for any. */
  constructor(output: Amount, destination: Currency, most: Amount | undefined) {
    const hint =
      most === undefined
        ? ''
        : ` The largest amount that works is about ${inWords(most, destination)}.`
    super(
      'AMOUNT_TOO_LOW',
      `The origins together do not pay for ${inWords(output, destination)}.${hint}`,
      most === undefined ? undefined : { largestAmount: most.toString() },
    )
  }
}

/** A single unit of output would be worth more than the input. */
export class OutputTooLowError extends AppError {
  constructor(output: Currency) {
    super('AMOUNT_TOO_LOW', `The amount is worth less than the smallest unit of ${output.symbol}.`)
  }
}

/** The solver does not hold enough on the destination chain. */
export class SolverBalanceError extends AppError {
  /** `limit` is the order's largest amount that works, in the currency that its amount is given in. */
  constructor(
    payout: Currency,
    amounts: Readonly<{ needed: bigint; balance: Amount }>,
    limit: Readonly<{ amount: Amount; currency: Currency }> | undefined,
  ) {
    const { needed, balance } = amounts
    const hint =
      limit && ` The largest amount that works is about ${inWords(limit.amount, limit.currency)}.`
    super(
      'INSUFFICIENT_LIQUIDITY',
      `The destination leg needs ${inWords(needed, payout)} on chain ${payout.chainId}; the solver holds ${inWords(balance, payout)}.${hint ?? ''}`,
      {
        leg: 'destination',
        chainId: payout.chainId,
        currency: payout.address,
        needed: needed.toString(),
        balance: balance.toString(),
        ...(limit !== undefined && { largestAmount: limit.amount.toString() }),
      },
    )
  }
}

/** A fee cannot be converted between two currencies. */
export class NoPriceError extends AppError {
  constructor(currency: Currency) {
    super(
      'PRICE_FETCH_FAILED',
      `No current price of ${currency.symbol} on chain ${currency.chainId}: its feed is out of date and no pool is deep enough.`,
      { chainId: currency.chainId, currency: currency.address },
    )
  }
}

/** The solver can bridge nothing between two chains. */
export class NoBridgeError extends AppError {
  constructor(origin: Currency, destination: Currency) {
    super(
      'UNSUPPORTED_ROUTE',
      `The solver has no currency that it takes on chain ${origin.chainId} and pays out on chain ${destination.chainId}.`,
      { originChainId: origin.chainId, destinationChainId: destination.chainId },
    )
  }
}

/** The solver can bridge nothing from all of an order's origins at once. */
export class NoMultiBridgeError extends AppError {
  constructor(chainIds: readonly number[], destination: Currency) {
    super(
      'UNSUPPORTED_ROUTE',
      `The solver has no currency that it takes on each of the chains ${chainIds.join(', ')} and pays out on chain ${destination.chainId}.`,
      { originChainIds: chainIds, destinationChainId: destination.chainId },
    )
  }
}

/** The order's options leave none of the currencies that the solver could bridge. */
export class OptionsBridgeError extends AppError {
  constructor(
    { origin, destination, disableOriginSwaps }: Order,
    /** What the solver takes on the origin chain and pays out on the destination chain. */
    deposits: readonly Currency[],
  ) {
    const taken = deposits.map(({ symbol }) => symbol).join(', ')
    const field = disableOriginSwaps ? 'disableOriginSwaps' : 'forceSolverExecution'
    const reason = disableOriginSwaps
      ? `${origin.symbol} would have to be swapped on chain ${origin.chainId} before it is deposited`
      : `the solver swaps on one side only, and neither takes ${origin.symbol} nor pays out ${destination.symbol} on chain ${origin.chainId}`
    super('UNSUPPORTED_ROUTE', `${field}: ${reason}; the solver takes ${taken}.`, { field })
  }
}

/** Input and output are one currency of one account. */
export class NothingToDoError extends AppError {
  constructor(currency: Currency) {
    super(
      'UNSUPPORTED_ROUTE',
      `Origin and destination are both ${currency.symbol} on chain ${currency.chainId}, and recipient is user: name another recipient to send, or another currency to swap.`,
    )
  }
}

/** A currency whose transfers do not move what they say. */
export class RefusedCurrencyError extends AppError {
  /** @param field what the caller calls it. */
  constructor(
    { symbol, chainId, address }: Currency,
    { side, field }: Readonly<{ side: 'origin' | 'destination'; field: string }>,
    reason: string,
  ) {
    super(
      'UNSUPPORTED_CURRENCY',
      `${symbol} on chain ${chainId} (${field}) is not supported: ${reason}`,
      { side, field, chainId, currency: address },
    )
  }
}
