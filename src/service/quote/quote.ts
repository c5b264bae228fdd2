import { AppError } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { Authorities } from '#src/market/reads/transactionSimulator.ts'
import type { Loaders, QuoteAnswer } from '#src/service/answers.ts'
import type { Caller, Client, Identify } from '#src/service/callers.ts'
import type { QuoteInput } from '#src/service/input/quoteInput.ts'
import { checkOpen, checkOpenRefund, isOpen } from '#src/service/order/addressChecks.ts'
import { readAuthorizations } from '#src/service/order/authorizations.ts'
import {
  checkFixedRate,
  checkSwapImpact,
  checkUnsignedSwap,
} from '#src/service/order/priceChecks.ts'
import { readOrder } from '#src/service/order/readOrder.ts'
import { once } from './once.ts'
import { type PrepareDeps, prepareQuote } from './prepareQuote.ts'
import { balanceInTime, type PriceDeps } from './price.ts'
import { quotedProtocol } from './storedQuote.ts'

export type QuoteDeps = PriceDeps &
  PrepareDeps &
  Readonly<{
    /** Milliseconds since 1970. */
    now: () => number
    identify: Identify
    /** Largest accepted loss of the swaps, as a share of the input's value. */
    maxSwapImpact: Bps
  }>

/**
 * Quotes an order. The first call of `requestId`, `steps` or `protocol` prepares the steps and stores the request.
 * @throws AppError that names the field or leg at fault.
 */
export async function quote(
  deps: QuoteDeps,
  request: QuoteInput,
  loaders: Loaders,
  client: Client,
): Promise<QuoteAnswer & Price> {
  const caller = deps.identify(client.apiKey)
  if (request.subsidizeFees === true) checkSponsor(caller)
  checkOpen(request)
  const { originChainId, destinationChainId, referrer } = request
  deps.log.debug({ originChainId, destinationChainId, referrer }, 'Quote requested')
  const { order: plain, market, payees } = await readOrder(deps, request, loaders, true)
  const authorizations = readAuthorizations(request, [deps.solver, deps.identity])
  const order = { ...plain, ...authorizations, ...(await recordedDeposit(deps, plain)) }
  const priced = deps.orders.price(order, market)
  checkFixedRate(order, market, caller)
  checkOpenRefund(request, priced)
  if (request.overridePriceImpact !== true) {
    checkSwapImpact(
      priced,
      deps.maxSwapImpact,
      'Swap a smaller amount, or set overridePriceImpact.',
    )
    if (isOpen(request))
      checkUnsignedSwap(priced, market, {
        maxLoss: deps.maxSwapImpact,
        advice: 'Set strict, or overridePriceImpact.',
        currencyOf: deps.knownCurrency,
      })
  }

  const prepared = once(() => {
    const terms = { request, caller, client, createdAt: deps.now() }
    return prepareQuote(deps, { priced, market, payees, ...terms }, loaders)
  })
  const [{ hash }] = priced.blocks
  return {
    ...priced,
    userBalance: () => balanceInTime(loaders.balance(order.origin, order.user, hash)),
    requestId: async () => (await prepared()).requestId,
    quoteId: async () => (await prepared()).quoteId,
    steps: async () => (await prepared()).steps,
    protocol: async () => {
      const [origin] = priced.pricedOrigins
      const { protocol, address } = await prepared()
      if (protocol === undefined || origin === undefined) return undefined
      const { currency, amount } = origin.leg.output
      const payment = { chainId: currency.chainId, currency: currency.address, amount }
      return quotedProtocol(deps, protocol, payment, address)
    },
  }
}

function checkSponsor(caller: Caller | undefined): void {
  if (caller === undefined)
    throw new AppError(
      'UNAUTHORIZED',
      'subsidizeFees: the sponsor’s API key is missing. Send it as x-api-key.',
      { field: 'subsidizeFees' },
    )
  if (!caller.sponsors)
    throw new AppError('FORBIDDEN', `subsidizeFees: ${caller.name} is not a sponsor.`, {
      field: 'subsidizeFees',
    })
}

/**
 * Has accounts with code deposit through the depository, whatever the request asks for: a plain transfer counts only if
 * an account without code sends it, as the tracker reads the order id from the calldata of the transaction itself. An
 * account whose code no node tells counts as one with code.
 */
async function recordedDeposit(
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
