import type { Log } from '#src/config/log.ts'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import { leastBy } from '#src/core/leastBy.ts'
import { type PoolId, type PoolIdentity, poolIdOf } from '#src/core/pools/poolKind.ts'
import type { PricedBlock } from '#src/core/pricing/price.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { LatestMarkets } from '#src/market/markets.ts'
import type { Items } from '#src/requests/events/readerQueue.ts'
import type { Loaders, PriceEvent } from '#src/service/answers.ts'
import { type Client, type Identify, timeName } from '#src/service/callers.ts'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import type { PricingQueue } from '#src/service/limits/pricingQueue.ts'
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
  watch: (request: PriceInput, minIntervalMs: number, client: Client) => Items<PriceEvent>
}>

type Deps = OrderDeps &
  AnswerDeps &
  Readonly<{
    log: Pick<Log, 'error'>
    market: LatestMarkets
    identify: Identify
    orders: PricedOrders
    pricing: Pick<PricingQueue, 'tookInBackground'>
    loaders: () => Loaders
    /** Ends all live prices with SERVICE_UNAVAILABLE. */
    ending: AbortSignal
  }>

type Options = Readonly<{
  /** Maximum number of followed inputs. Each of them costs one pricing per block. */
  maxTopics: number
}>

/** A client that follows inputs. Its topics are priced one after another, those of several clients in turns. */
type Follower = {
  readonly name: string
  /** The number of its readers of each topic. */
  readonly readers: Map<Topic, number>
  /** The topics to price again. A set keeps their order, so each gets its turn even if blocks come fast. */
  readonly due: Set<Topic>
  /** The topics to price before those: a reader waits for its first price. */
  readonly urgent: Set<Topic>
  isRefreshing: boolean
}

type Topic = {
  request: PriceInput
  chainIds: readonly ChainId[]
  live: LiveTopic<PriceEvent>
  followers: Set<Follower>
  /** The follower in whose turn it will be priced. */
  payer: Follower | undefined
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
  return {
    watch: (request, minIntervalMs, client) =>
      prices.watch(request, minIntervalMs, timeName(deps.identify, client)),
  }
}

class FollowedPrices {
  readonly #deps: Deps
  readonly #maxTopics: number
  readonly #topics = new Map<string, Topic>()
  readonly #followers = new Map<string, Follower>()
  /** The topics to price once a reader is ready. */
  readonly #unwanted = new Set<Topic>()
  readonly #staleness: ReturnType<typeof watchStaleness>
  #lastTurn: Promise<unknown> = Promise.resolve()

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

  watch(request: PriceInput, minIntervalMs: number, client: string): Items<PriceEvent> {
    const known = this.#topics.get(keyOf(request))
    const isCurrent = known !== undefined && this.#isCurrent(known)
    const failure = known?.live.current()?.failure
    if (isCurrent && failure !== undefined && !canPass(failure)) throw failure
    if (known === undefined) this.#makeRoom(client)
    const topic = known ?? this.#createTopic(request)
    const follower = this.#enter(client, topic)
    if (!isCurrent) {
      // The first event is the current answer of `price`.
      topic.live.invalidate()
      this.#queue(topic, true)
    }
    return topic.live.join(minIntervalMs, () => this.#leave(follower, topic))
  }

  /** Whether the last event shows the newest market. */
  #isCurrent(topic: Topic): boolean {
    const isWaiting = topic.payer !== undefined || this.#unwanted.has(topic)
    return topic.live.current() !== undefined && !isWaiting && topic.pricing === undefined
  }

  /** If there are too many topics, ends the newest one of the client that follows the most. */
  #makeRoom(client: string): void {
    if (this.#topics.size < this.#maxTopics) return
    const own = this.#followers.get(client)?.readers.size ?? 0
    const busiest = leastBy(this.#followers.values(), ({ readers }) => -readers.size)
    const topics = [...(busiest?.readers.keys() ?? [])]
    const newest = topics.findLast(({ followers }) => followers.size === 1)
    if (newest === undefined || topics.length <= own + 1)
      throw new TooManyTopicsError(this.#maxTopics)
    newest.live.fail(new TooManyTopicsError(this.#maxTopics))
  }

  #enter(name: string, topic: Topic): Follower {
    const follower = this.#followers.get(name) ?? createFollower(name)
    this.#followers.set(name, follower)
    follower.readers.set(topic, (follower.readers.get(topic) ?? 0) + 1)
    topic.followers.add(follower)
    return follower
  }

  #leave(follower: Follower, topic: Topic): void {
    const left = (follower.readers.get(topic) ?? 1) - 1
    follower.readers.set(topic, left)
    if (left > 0) return
    follower.readers.delete(topic)
    topic.followers.delete(follower)
    this.#forgetIdle(follower)
  }

  /** Not while it prices: if the client came back meanwhile, it would price several inputs at a time. */
  #forgetIdle({ name, readers, isRefreshing }: Follower): void {
    if (readers.size === 0 && !isRefreshing) this.#followers.delete(name)
  }

  #markDue(chainId: ChainId): void {
    if (this.#topics.size === 0) return
    const market = this.#deps.snapshot([])
    for (const topic of this.#topics.values()) {
      if (!topic.chainIds.includes(chainId)) continue
      topic.order?.renew(market)
      this.#queue(topic)
    }
  }

  /** Prices the topic in the turn of the follower that has taken the least time. */
  #queue(topic: Topic, isUrgent = topic.payer?.urgent.has(topic) ?? false): void {
    const { tookInBackground } = this.#deps.pricing
    const payer = leastBy(topic.followers, ({ name }) => tookInBackground(name))
    const line = isUrgent ? payer?.urgent : payer?.due
    if (payer === undefined || line === undefined) return
    if (!line.has(topic)) {
      this.#forget(topic)
      line.add(topic)
      topic.payer = payer
    }
    void this.#refreshAll(payer)
  }

  /** Prices the topics of a follower that are due, one after another. */
  async #refreshAll(follower: Follower): Promise<void> {
    if (follower.isRefreshing) return
    follower.isRefreshing = true
    try {
      while (follower.urgent.size + follower.due.size > 0) {
        await this.#ownTurn()
        const [urgent] = follower.urgent
        const [topic] = follower.due
        if (urgent !== undefined) await this.#refresh(urgent, follower)
        else if (topic !== undefined) await this.#refreshIfWanted(topic, follower)
      }
    } finally {
      follower.isRefreshing = false
      this.#forgetIdle(follower)
    }
  }

  /** A turn of the event loop in which no other follower begins. */
  #ownTurn(): Promise<unknown> {
    this.#lastTurn = this.#lastTurn.then(endOfTurn)
    return this.#lastTurn
  }

  async #refreshIfWanted(topic: Topic, follower: Follower): Promise<void> {
    if (topic.order === undefined || topic.live.isAwaited()) return this.#refresh(topic, follower)
    this.#forget(topic)
    this.#unwanted.add(topic)
    topic.live.invalidate()
  }

  /** Prices the topic on the newest market. Reads its input before that, which delays no other topic. */
  async #refresh(topic: Topic, follower: Follower): Promise<void> {
    this.#forget(topic)
    if (topic.pricing !== undefined) topic.pricing.isOutdated = true
    else if (topic.order === undefined) void this.#work(topic, () => this.#read(topic))
    else await this.#work(topic, () => this.#price(topic, follower))
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
    if (pricing.isOutdated && this.#isFollowed(topic)) this.#queue(topic)
  }

  async #read(topic: Topic): Promise<void> {
    const { orders, loaders } = this.#deps
    const { order } = await readOrder(this.#deps, topic.request, loaders())
    if (!this.#isFollowed(topic)) return
    topic.order = orders.follow(order)
    this.#queue(topic, true)
  }

  async #price(topic: Topic, { name }: Follower): Promise<void> {
    const { loaders, snapshot } = this.#deps
    const market = snapshot(topic.chainIds)
    const priced = await topic.order?.price(market, name)
    if (priced === undefined) return
    const answer = toPriceAnswer(this.#deps, topic.request, { priced, market }, loaders())
    // Computed now: what computes them later would keep the market in memory until the next price.
    const warnings = await answer.warnings()
    const price = { ...answer, warnings: async () => warnings }
    topic.live.publish({ price, failure: undefined, blocks: priced.blocks })
  }

  #forget(topic: Topic): void {
    topic.payer?.due.delete(topic)
    topic.payer?.urgent.delete(topic)
    topic.payer = undefined
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
    const onWanted = () => this.#queue(topic)
    const live = createLiveTopic<PriceEvent>({ onEmpty, onWanted }, isPriceNews)
    const topic: Topic = {
      request,
      chainIds,
      live,
      followers: new Set(),
      payer: undefined,
      order: undefined,
      pricing: undefined,
    }
    this.#topics.set(key, topic)
    this.#staleness.join(chainIds)
    return topic
  }
}

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve))

const createFollower = (name: string): Follower => ({
  name,
  readers: new Map(),
  due: new Set(),
  urgent: new Set(),
  isRefreshing: false,
})

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
