import { AppError } from '#src/core/errors.ts'
import { once } from '#src/core/once.ts'
import { type Market, marketOf } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { type Account, evmAddress } from '#src/core/units/address.ts'
import { mayDelegate } from '#src/core/units/authorization.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { Authorities } from '#src/market/reads/transactionSimulator.ts'
import type { Loaders, QuoteAnswer } from '#src/service/answers.ts'
import { type Caller, type Client, type Identify, timeName } from '#src/service/callers.ts'
import type { QuoteInput } from '#src/service/input/quoteInput.ts'
import { checkOpen, isOpen } from '#src/service/order/addressChecks.ts'
import { readAuthorizations } from '#src/service/order/authorizations.ts'
import { checkFixedRate } from '#src/service/order/priceChecks.ts'
import { readOrder } from '#src/service/order/readOrder.ts'
import { tokenAccountOf } from '#src/service/svm/svmPayees.ts'
import { gasIssueOf, issuesOf } from './issues.ts'
import { type PrepareDeps, prepareQuote } from './prepareQuote.ts'
import type { PriceDeps } from './price.ts'
import { toPriceAnswer } from './priceAnswer.ts'
import { checkQuotable } from './refusal.ts'
import { quotedProtocol } from './storedQuote.ts'
import { deadlineOf } from './toQuotedRequest.ts'
import { recipientWarningsOf, type Warning } from './warnings.ts'

export type QuoteDeps = PriceDeps & PrepareDeps & QuoteCallers

export type QuoteCallers = Readonly<{
  /** Milliseconds since 1970. */
  now: () => number
  identify: Identify
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
  await deps.beginOrder(client)
  const caller = deps.identify(client.apiKey)
  if (request.subsidizeFees === true) checkSponsor(caller)
  checkOpen(request)
  const { originChainId, destinationChainId, referrer } = request
  deps.log.debug({ originChainId, destinationChainId, referrer }, 'Quote requested')
  // The deadline counts from the market that it is priced on, however long that takes.
  const createdAt = deps.now()
  const { order: plain, market, payees } = await readOrder(deps, request, loaders, true)
  const authorizations = readAuthorizations(request, [deps.solver, deps.identity])
  const [deposit, payee] = await Promise.all([
    recordedDeposit(deps, plain),
    // Each payment to an open address has its own quote, which charges the rent.
    isOpen(request) ? {} : tokenAccountOf(deps, plain),
  ])
  const order = { ...plain, ...authorizations, ...deposit, ...payee }
  const priced = await deps.orders.price(order, market, timeName(deps.identify, client))
  checkFixedRate(order, market, caller)
  checkQuotable(deps, request, priced, market)

  const prepared = once(() => {
    const terms = { request, caller, client, createdAt }
    return prepareQuote(deps, { priced, market, payees, ...terms }, loaders)
  })
  const answer = toPriceAnswer(deps, request, { priced, market }, loaders)
  return {
    ...answer,
    warnings: async () => [...(await recipientWarnings(deps, order)), ...(await answer.warnings())],
    issues: {
      ...issuesOf(deps, priced, loaders),
      gas: async () => gasIssueOf((await prepared()).steps),
    },
    deadline: deadlineOf(priced, createdAt),
    refreshAfter: refreshTimeOf(order, market, createdAt),
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

/** The shortest time for which a price is shown. */
const minShownSeconds = 10

/** Pools may have moved after two blocks of the slower chain. */
function refreshTimeOf({ origin, destination }: Order, market: Market, createdAt: number): number {
  const seconds = [origin, destination].map((end) => marketOf(market, end).chain.blockSeconds)
  return (
    Math.floor(createdAt / 1000) + Math.max(minShownSeconds, Math.ceil(2 * Math.max(...seconds)))
  )
}

/** Reads whether the user and the recipient are contracts. */
export async function recipientWarnings(
  { simulator }: Readonly<{ simulator: Authorities }>,
  {
    user,
    recipient,
    origin,
    destination,
  }: Readonly<{
    user: Account
    recipient: Account
    origin: Currency
    destination: Currency
  }>,
): Promise<readonly Warning[]> {
  const read = async ({ chainId }: Currency, account: Account) => {
    if (vmTypeOf(account) !== 'evm') return { chainId, account, isContract: undefined }
    const [state] = await simulator
      .readAuthorities(chainId, [evmAddress(account)])
      .catch(ignoreOutage)
    return { chainId, account, isContract: state && !mayDelegate(state) }
  }
  const [payer, payee] = await Promise.all([read(origin, user), read(destination, recipient)])
  return recipientWarningsOf(payer, payee)
}

function ignoreOutage(error: unknown): readonly [] {
  if (error instanceof AppError) return []
  throw error
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
    const [account] = await simulator.readAuthorities(origin.chainId, [evmAddress(user)])
    return account?.code === '0x' ? {} : { explicitDeposit: true }
  } catch (error) {
    if (error instanceof AppError) return { explicitDeposit: true }
    throw error
  }
}
