import type { Log } from '#src/config/log.ts'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { type PoolId, type PoolIdentity, poolIdOf } from '#src/core/pools/poolKind.ts'
import type { PricedBlock } from '#src/core/pricing/price.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { LatestMarkets } from '#src/market/markets.ts'
import type { Items } from '#src/requests/events/readerQueue.ts'
import type { Loaders, PriceEvent } from '#src/service/answers.ts'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import type { FollowedOrder, PricedOrders } from '#src/service/order/pricedOrders.ts'
import { type OrderDeps, readOrder } from '#src/service/order/readOrder.ts'
import { type AnswerDeps, toPriceAnswer } from '#src/service/quote/priceAnswer.ts'
import { createLiveTopic, type LiveTopic, ShutdownError } from './liveTopic.ts'
import { watchStaleness } from './staleness.ts'

/** Prices that are recomputed after each block, once for all subscribers with the same input. */
export type LivePrices = Readonly<{
  /**
   * Yields the price at once, then the newest price whenever a block of its chains changes it. `minIntervalMs` is the
   * shortest time between two events. An input is not priced while none of its readers is ready for an event.
   * @throws AppError as `price`, at once, if the input is at fault
   */
  watch: (request: PriceInput, minIntervalMs: number) => Items<PriceEvent>
}>

type Deps = OrderDeps &
  AnswerDeps &
  Readonly<{
    log: Pick<Log, 'error'>
    market: LatestMarkets
    orders: PricedOrders
    loaders: () => Loaders
    /** Ends all live prices with SERVICE_UNAVAILABLE. */
    ending: AbortSignal
  }>

type Options = Readonly<{
  /** Maximum number of followed inputs. Each of them costs one pricing per block. */
  maxTopics: number
}>

type Topic = {
  request: PriceInput
  chainIds: readonly ChainId[]
  live: LiveTopic<PriceEvent>
  /** `undefined` until the input has been read. */
  order: FollowedOrder | undefined
  /** The work in progress. `isOutdated`: a block has come since it began. */
  pricing: { isOutdated: boolean } | undefined
}

export const createLivePrices = (
  deps: Deps,
  { maxTopics }: Options = { maxTopics: 10_000 },
): LivePrices => {
  const prices = new FollowedPrices(deps, maxTopics)
  return { watch: (request, minIntervalMs) => prices.watch(request, minIntervalMs) }
}

class FollowedPrices {
  readonly #deps: Deps
  readonly #maxTopics: number
  readonly #topics = new Map<string, Topic>()
  /** The topics to price again. A set keeps their order, so each gets its turn even if blocks come fast. */
  readonly #due = new Set<Topic>()
  /** The topics to price before those: a reader waits for its first price. */
  readonly #urgent = new Set<Topic>()
  /** The topics to price once a reader is ready. */
  readonly #unwanted = new Set<Topic>()
  readonly #staleness: ReturnType<typeof watchStaleness>
  #isRefreshing = false

  constructor(deps: Deps, maxTopics: number) {
    this.#deps = deps
    this.#maxTopics = maxTopics
    const markDue = (chainId: ChainId) => this.#markDue(chainId)
    this.#staleness = watchStaleness(deps, markDue)
    const leave = deps.market.listen(markDue)
    deps.ending.addEventListener('abort', () => {
      leave()
      for (const { live } of [...this.#topics.values()]) live.fail(new ShutdownError())
    })
  }

  watch(request: PriceInput, minIntervalMs: number): Items<PriceEvent> {
    const known = this.#topics.get(keyOf(request))
    if (known === undefined && this.#topics.size >= this.#maxTopics)
      throw new TooManyTopicsError(this.#maxTopics)
    const topic = known ?? this.#createTopic(request)
    const isOutdated =
      [this.#due, this.#urgent, this.#unwanted].some((topics) => topics.has(topic)) ||
      topic.pricing !== undefined
    const failure = topic.live.current()?.failure
    if (isOutdated || topic.live.current() === undefined) {
      // The first event is the current answer of `price`.
      topic.live.invalidate()
      this.#refreshSoon(topic)
    } else if (failure !== undefined && !canPass(failure)) throw failure
    return topic.live.join(minIntervalMs)
  }

  #markDue(chainId: ChainId): void {
    for (const topic of this.#topics.values())
      if (topic.chainIds.includes(chainId)) this.#due.add(topic)
    void this.#refreshDue()
  }

  /** Prices the topics that are due, one after another. */
  async #refreshDue(): Promise<void> {
    if (this.#isRefreshing) return
    this.#isRefreshing = true
    try {
      while (this.#urgent.size + this.#due.size > 0) {
        await endOfTurn()
        const [urgent] = this.#urgent
        const [topic] = this.#due
        if (urgent !== undefined) await this.#refresh(urgent)
        else if (topic !== undefined) await this.#refreshIfWanted(topic)
      }
    } finally {
      this.#isRefreshing = false
    }
  }

  async #refreshIfWanted(topic: Topic): Promise<void> {
    this.#due.delete(topic)
    if (topic.order === undefined || topic.live.isAwaited()) await this.#refresh(topic)
    else {
      this.#unwanted.add(topic)
      topic.live.invalidate()
    }
  }

  #refreshSoon(topic: Topic): void {
    this.#urgent.add(topic)
    void this.#refreshDue()
  }

  /** Prices the topic on the newest market. Reads its input before that, which delays no other topic. */
  async #refresh(topic: Topic): Promise<void> {
    this.#forget(topic)
    if (topic.pricing !== undefined) topic.pricing.isOutdated = true
    else if (topic.order === undefined) void this.#work(topic, () => this.#read(topic))
    else await this.#work(topic, () => this.#price(topic))
  }

  /** Repeats the work if a block comes meanwhile. */
  async #work(topic: Topic, work: () => Promise<void>): Promise<void> {
    const { market } = this.#deps
    const blocks = topic.chainIds.flatMap((chainId) => blockOf(market, chainId) ?? [])
    const pricing = { isOutdated: false }
    topic.pricing = pricing
    try {
      await work()
    } catch (error) {
      this.#fail(topic, error, blocks)
    } finally {
      topic.pricing = undefined
    }
    if (!pricing.isOutdated || !this.#isFollowed(topic)) return
    this.#due.add(topic)
    void this.#refreshDue()
  }

  async #read(topic: Topic): Promise<void> {
    const { orders, loaders } = this.#deps
    const { order } = await readOrder(this.#deps, topic.request, loaders())
    if (!this.#isFollowed(topic)) return
    topic.order = orders.follow(order)
    this.#refreshSoon(topic)
  }

  async #price(topic: Topic): Promise<void> {
    const { loaders, snapshot } = this.#deps
    const market = snapshot(topic.chainIds)
    const priced = await topic.order?.price(market)
    if (priced === undefined) return
    const price = toPriceAnswer(this.#deps, topic.request, { priced, market }, loaders())
    topic.live.publish({ price, failure: undefined, blocks: priced.blocks })
  }

  #forget(topic: Topic): void {
    this.#due.delete(topic)
    this.#urgent.delete(topic)
    this.#unwanted.delete(topic)
  }

  #isFollowed(topic: Topic): boolean {
    return this.#topics.get(keyOf(topic.request)) === topic
  }

  /** A failure is an event, unless the input was never priced and is itself at fault. */
  #fail({ live }: Topic, error: unknown, blocks: readonly PricedBlock[]): void {
    const failure = expected(error, this.#deps.log)
    if (live.current() === undefined && !canPass(failure)) live.fail(failure)
    else live.publish({ price: undefined, failure, blocks })
  }

  #createTopic(request: PriceInput): Topic {
    const { originChainId, destinationChainId } = request
    const chainIds = [...new Set([originChainId, destinationChainId])]
    const key = keyOf(request)
    const onEmpty = () => {
      this.#topics.delete(key)
      this.#forget(topic)
      topic.order?.forget()
      this.#staleness.leave(chainIds)
    }
    const onWanted = () => {
      this.#due.add(topic)
      void this.#refreshDue()
    }
    const live = createLiveTopic<PriceEvent>({ onEmpty, onWanted }, isPriceNews)
    const topic: Topic = { request, chainIds, live, order: undefined, pricing: undefined }
    this.#topics.set(key, topic)
    this.#staleness.join(chainIds)
    return topic
  }
}

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))

class TooManyTopicsError extends AppError {
  constructor(maxTopics: number) {
    const message = `The gateway follows ${maxTopics} different inputs already; try again later`
    super('SERVICE_UNAVAILABLE', message)
  }
}

/** A bug does not end the subscriptions, because the next block may be priced again. It is logged once. */
function expected(error: unknown, log: Pick<Log, 'error'>): AppError {
  if (error instanceof AppError) return error
  log.error({ err: error }, 'A live price failed')
  return new AppError('UNKNOWN_ERROR', 'Internal error. The operator can find it in the log')
}

function blockOf({ latest }: LatestMarkets, chainId: ChainId): PricedBlock | undefined {
  const block = latest(chainId)?.block
  return block && { chainId, ...block }
}

/** Equal for requests of equal meaning; the referrer changes no price. */
const keyOf = ({ referrer: _, ...request }: PriceInput): string =>
  JSON.stringify(request, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    return value === null ? undefined : value
  })

/** Whether `event` shows another price or failure than `last`. Blocks alone are no news. */
function isPriceNews(last: PriceEvent, event: PriceEvent): boolean {
  if (last === event) return false
  if (last.price !== undefined && event.price !== undefined) return !isSame(last.price, event.price)
  if (last.failure !== undefined && event.failure !== undefined)
    return !isSameFailure(last.failure, event.failure)
  return true
}

/** Failures that a later block can end. With any other one the input itself is at fault. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'AMOUNT_TOO_LOW',
  'INSUFFICIENT_LIQUIDITY',
  'NO_SWAP_ROUTES_FOUND',
  'PRICE_FETCH_FAILED',
  'RPC_HTTP_ERROR',
  'SERVICE_UNAVAILABLE',
  'SOLVER_CAPACITY_EXCEEDED',
  'STALE_MARKET',
  'SWAP_IMPACT_TOO_HIGH',
])

const canPass = ({ code }: AppError): boolean => passing.has(code)

/** The message of STALE_MARKET has the seconds since the last block. A change of the message alone is no news. */
const isSameFailure = (one: AppError, other: AppError): boolean =>
  one.code === other.code &&
  (one.code === 'STALE_MARKET'
    ? one.data?.['chainId'] === other.data?.['chainId']
    : one.message === other.message)

/** Fields that may differ although the price is the same. Functions, which read on demand, are ignored too. */
const ignored = new Set(['blocks', 'order'])

/** Compares the content of two prices. Pools are compared by id, because their states affect the amounts. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === other || typeof one === 'function') return true
  if (typeof one !== 'object' || typeof other !== 'object') return false
  if (one === null || other === null) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  const [first, second] = [one, other] as Record<string, unknown>[]
  return keys.every((key) => {
    if (ignored.has(key)) return true
    const [value, otherValue] = [first?.[key], second?.[key]]
    return key === 'pool' ? idIn(value) === idIn(otherValue) : isSame(value, otherValue)
  })
}

const idIn = (pool: unknown): PoolId => poolIdOf(pool as PoolIdentity)
