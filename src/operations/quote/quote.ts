import { AppError } from '#src/errors.ts'
import { toOrderData } from '#src/execution/order/orderData.ts'
import type { Protocol } from '#src/execution/order/protocol.ts'
import type { Caller, Identify } from '#src/operations/callers.ts'
import type { QuoteRequest } from '#src/operations/input/quoteInput.ts'
import type { Loaders, QuoteAnswer, QuotedProtocol } from '#src/operations/operations.ts'
import { checkImpact } from '#src/operations/order/checkSwapImpact.ts'
import { readOrder } from '#src/operations/order/readOrder.ts'
import type { Price } from '#src/pricing/price.ts'
import { priceSwap } from '#src/pricing/priceSwap.ts'
import type { Bps } from '#src/units/bps.ts'
import { contractsOn, type PrepareDeps, prepareQuote } from './prepareQuote.ts'
import type { PriceDeps } from './price.ts'

export type QuoteDeps = PriceDeps &
  PrepareDeps &
  Readonly<{
    /** Milliseconds since 1970. */
    now: () => number
    identify: Identify
    /** Of the input's worth: swaps that lose more are refused. */
    maxSwapImpact: Bps
  }>

/**
 * A price that can be executed. What it takes to execute it is worked out, and the request stored, once
 * any of `requestId`, `steps` and `protocol` is asked for.
 * @throws AppError with the code and the field or leg of what stands in the way.
 */
export async function quote(
  deps: QuoteDeps,
  request: QuoteRequest,
  loaders: Loaders,
  apiKey?: string,
): Promise<QuoteAnswer> {
  const caller = deps.identify(apiKey)
  if (request.subsidizeFees === true) checkSponsor(caller)
  const { originChainId, destinationChainId, referrer } = request
  deps.log.debug({ originChainId, destinationChainId, referrer }, 'A quote is asked for')
  const { order, market } = await readOrder(deps, request, loaders)
  const priced = priceSwap(order, market)
  if (request.overridePriceImpact !== true)
    checkImpact(priced, deps.maxSwapImpact, 'Swap less at once, or set overridePriceImpact.')

  let preparing: ReturnType<typeof prepareQuote> | undefined
  const prepared = () => {
    const terms = { request, caller, createdAt: deps.now() }
    preparing ??= prepareQuote(deps, { priced, market, ...terms }, loaders)
    return preparing
  }
  const [{ hash }] = priced.blocks
  return {
    ...priced,
    userBalance: () => loaders.balance(order.origin, order.user, hash),
    requestId: async () => (await prepared()).requestId,
    steps: async () => (await prepared()).steps,
    protocol: async () => quotedProtocol(deps, priced, (await prepared()).protocol),
  }
}

function quotedProtocol(
  { contracts }: Pick<QuoteDeps, 'contracts'>,
  { fundings: [funding] }: Price,
  protocol: Protocol | undefined,
): QuotedProtocol | undefined {
  if (funding === undefined || protocol === undefined) return undefined
  const { orderId, order } = protocol
  const { currency, amount } = funding.leg.output
  return {
    orderId,
    orderData: toOrderData(order),
    payment: {
      // The solver settles on the chain of the deposit.
      chainName: order.solverChainId,
      depository: contractsOn(contracts, currency.chainId).depository,
      currency: currency.address,
      amount,
    },
  }
}

function checkSponsor(caller: Caller | undefined): void {
  if (caller === undefined)
    throw new AppError(
      'UNAUTHORIZED',
      'subsidizeFees: fees are put on the account of whoever’s key comes as x-api-key; none came.',
      { field: 'subsidizeFees' },
    )
  if (!caller.sponsors)
    throw new AppError('FORBIDDEN', `subsidizeFees: ${caller.name} is no sponsor here.`, {
      field: 'subsidizeFees',
    })
}
