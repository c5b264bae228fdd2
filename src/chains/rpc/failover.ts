import { setTimeout as sleep } from 'node:timers/promises'
import { RpcRequestError } from 'viem'
import { type RpcEndpoint, UnwantedError } from './rpcEndpoint.ts'
import {
  JsonRpcError,
  NoEndpointError,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
  UnusableAnswerError,
} from './rpcError.ts'
import { type Priority, priorityOf, type RpcRequest } from './rpcRequest.ts'

/**
 * Sends one JSON-RPC request to one endpoint after another until `parse` accepts an answer.
 *
 * `parse` throws UnusableAnswerError for an invalid answer: the endpoint backs off and the next one is asked. It
 * returns `undefined` for "not there (yet)": the next endpoint is asked, and the result is `undefined` if none has it.
 * @throws RpcUnavailableError; NoEndpointError; RpcRefusedError; viem's RpcRequestError for the error of a call or
 * transaction, such as a revert; the reason of `signal`.
 */
export type Ask = <T>(
  request: RpcRequest,
  parse: (answer: unknown) => T | undefined,
  signal?: AbortSignal,
) => Promise<T | undefined>

type Asking<T> = Readonly<{
  request: RpcRequest
  parse: (answer: unknown) => T | undefined
  signal: AbortSignal | undefined
  priority: Priority
  /** If it returns false, a request that still waits in the queue is not sent. */
  isWanted?: () => boolean
}>

type Outcome<T> =
  | Readonly<{ kind: 'answer'; value: T }>
  | Readonly<{ kind: 'absent' }>
  | Readonly<{ kind: 'refused'; refusal: JsonRpcError; rpc: string }>
  /** The endpoint is rate limited: its budget is paused. */
  | Readonly<{ kind: 'limited' }>
  | Readonly<{ kind: 'failed' }>

const rounds = 2
const pauseMs = 200
/** Maximum number of retries of a request that is rate limited. The budgets of the endpoints wait between them. */
const maxLimited = 4

/**
 * The outcome with the highest weight counts. A rate-limited endpoint may still have the data that another one refuses.
 */
const weights = {
  failed: 0,
  refused: 1,
  limited: 2,
  absent: 3,
  answer: 4,
} as const satisfies Record<Outcome<unknown>['kind'], number>

type Deps = Readonly<{
  endpoints: readonly RpcEndpoint[]
  closing: AbortSignal
  redact: (text: string) => string
}>

type Args = Readonly<{
  chain: Readonly<{ id: number; displayName: string }>
  timeoutSeconds: number
  /** The priority of the next request. If undefined, its method determines the priority. */
  priority?: () => Priority | undefined
}>

/** Asks the endpoints of one chain. */
export class Failover {
  readonly #deps: Deps
  readonly #args: Args

  constructor(deps: Deps, args: Args) {
    this.#deps = deps
    this.#args = args
  }

  /** As `Ask` says. */
  async ask<T>(
    request: RpcRequest,
    parse: (answer: unknown) => T | undefined,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const { endpoints, closing } = this.#deps
    const { chain, timeoutSeconds, priority } = this.#args
    if (endpoints.length === 0) throw new NoEndpointError(chain)
    const askedAt = Date.now()
    const asking = { request, parse, signal, priority: priority?.() ?? priorityOf(request) }
    let limited = 0
    for (let round = 1; ; ) {
      const outcome = await this.#askEach(asking)
      if (outcome.kind === 'answer') return outcome.value
      if (outcome.kind === 'absent') return undefined
      if (outcome.kind === 'refused') throw this.#refused(request.method, outcome)
      if (outcome.kind === 'limited' && limited < maxLimited && !closing.aborted) {
        limited += 1
        continue
      }
      const tookLong = Date.now() - askedAt > timeoutSeconds * 1000
      if (round === rounds || tookLong || closing.aborted)
        throw new RpcUnavailableError(chain, this.#failures())
      await sleep(pauseMs, undefined, signal && { signal })
      round += 1
    }
  }

  async #askEach<T>(asking: Asking<T>): Promise<Outcome<T>> {
    let outcome: Outcome<T> = { kind: 'failed' }
    const asked = new Set<RpcEndpoint>()
    for (const endpoint of inOrder(this.#deps.endpoints, asking.priority)) {
      // An endpoint that backs off may use its whole timeout, so it is asked only if all others have failed.
      const isLastResort = endpoint.health() === 'backingOff'
      if (asked.has(endpoint) || (outcome.kind !== 'failed' && isLastResort)) continue
      asked.add(endpoint)
      const next = await this.#askOrHedge(endpoint, asking, asked)
      if (next.kind === 'answer') return next
      if (weights[next.kind] >= weights[outcome.kind]) outcome = next
    }
    return outcome
  }

  /** Asks a second endpoint as well if a request of priority `head` takes longer than usual. */
  async #askOrHedge<T>(
    endpoint: RpcEndpoint,
    asking: Asking<T>,
    asked: Set<RpcEndpoint>,
  ): Promise<Outcome<T>> {
    const { request, priority } = asking
    const isHedged = priority === 'head' && request.method !== 'eth_sendRawTransaction'
    if (!isHedged || this.#deps.endpoints.length === 1 || endpoint.health() !== 'healthy')
      return this.#askOne(endpoint, asking)
    let isDone = false
    const isWanted = () => !isDone
    const spareOf = () =>
      this.#deps.endpoints.find(
        (each) => !asked.has(each) && each.health() === 'healthy' && !each.isFull(priority),
      )
    try {
      return await hedge(
        () => this.#askOne(endpoint, { ...asking, isWanted }),
        () => {
          const spare = spareOf()
          if (spare !== undefined) asked.add(spare)
          return spare && this.#askOne(spare, { ...asking, isWanted })
        },
        endpoint.slowAfterMs(request.method),
      )
    } finally {
      isDone = true
    }
  }

  async #askOne<T>(
    endpoint: RpcEndpoint,
    { request, parse, ...options }: Asking<T>,
  ): Promise<Outcome<T>> {
    let sentIn = endpoint.period()
    try {
      if (!(await endpoint.check(options.signal))) return { kind: 'failed' }
      sentIn = endpoint.period()
      const { minHeight } = request
      if (minHeight !== undefined && !(await endpoint.hasReached(minHeight, options)))
        return { kind: 'absent' }
      const value = parse(await endpoint.send(request, options))
      return value === undefined ? { kind: 'absent' } : { kind: 'answer', value }
    } catch (error) {
      if (error instanceof UnwantedError) return { kind: 'failed' }
      if (error instanceof RateLimitedError) return { kind: 'limited' }
      if (error instanceof UnusableAnswerError) {
        endpoint.reportFailure(error, sentIn)
        return { kind: 'failed' }
      }
      if (!(error instanceof JsonRpcError)) throw error
      if (error.isDefinitive) throw this.#callError(request.method, error)
      return { kind: 'refused', refusal: error, rpc: endpoint.rpc }
    }
  }

  /** The error in the form that viem's actions expect, so that they decode the reason of a revert. */
  #callError(method: string, { code, message, data }: JsonRpcError): RpcRequestError {
    const error = { code, message: this.#deps.redact(message), data }
    return new RpcRequestError({ body: { method }, error, url: this.#args.chain.displayName })
  }

  #refused(
    method: string,
    { refusal, rpc }: Readonly<{ refusal: JsonRpcError; rpc: string }>,
  ): RpcRefusedError {
    const reason = this.#deps.redact(refusal.message)
    return new RpcRefusedError(this.#args.chain, { method, code: refusal.code, reason, rpc })
  }

  /** The last failure of each endpoint that has one, with its host. Undefined if none has. */
  #failures(): string | undefined {
    const failed = this.#deps.endpoints.filter((each) => each.failure() !== undefined)
    return failed.map((each) => `${each.rpc}: ${each.failure()}`).join('; ') || undefined
  }
}

/**
 * Orders the endpoints: healthy ones with a free budget, other healthy ones, unchecked ones, then those that back off.
 * Each group is in configured order. If any endpoint is healthy, the unchecked ones are checked in the background.
 */
function inOrder(endpoints: readonly RpcEndpoint[], priority: Priority): RpcEndpoint[] {
  const having = (health: ReturnType<RpcEndpoint['health']>) =>
    endpoints.filter((endpoint) => endpoint.health() === health)
  const [healthy, unchecked] = [having('healthy'), having('unchecked')]
  if (healthy.length > 0)
    for (const endpoint of unchecked) void endpoint.check().catch(() => undefined)
  const full = healthy.filter((endpoint) => endpoint.isFull(priority))
  const free = healthy.filter((endpoint) => !full.includes(endpoint))
  return [...free, ...full, ...unchecked, ...having('backingOff')]
}

/**
 * Returns the outcome of `first`. If it takes longer than `slowAfterMs`, starts `second` as well and returns the first
 * answer of the two, or the outcome of `first` if neither answers. Does not cancel the slower one: its failure still
 * shows that its endpoint is down.
 */
export async function hedge<Result extends Readonly<{ kind: string }>>(
  first: () => Promise<Result>,
  second: () => Promise<Result> | undefined,
  slowAfterMs: number,
): Promise<Result> {
  const running = first()
  const slow = Promise.withResolvers<undefined>()
  const timer = setTimeout(slow.resolve, slowAfterMs, undefined)
  try {
    const outcome = await Promise.race([running, slow.promise])
    if (outcome !== undefined) return outcome
  } finally {
    clearTimeout(timer)
  }
  const other = second()
  if (other === undefined) return running
  const answered = Promise.any([running, other].map(orThrow))
  return answered.catch(() => running)
}

/** Throws an outcome that is not an answer. */
async function orThrow<Result extends Readonly<{ kind: string }>>(
  asked: Promise<Result>,
): Promise<Result> {
  const outcome = await asked
  if (outcome.kind !== 'answer') throw outcome
  return outcome
}

/** One RPC URL of a chain, asked alone. */
export type SoleEndpoint = Readonly<{
  /** Name of the endpoint without keys, for the log: its position and its URL. */
  rpc: string
  isBackingOff: () => boolean
  ask: Ask
}>

/** `notYet`: the endpoint cannot answer yet, for example because it has not reached the block. */
export type Vote = 'yes' | 'no' | 'notYet'

type Agreement = Readonly<{
  isAgreed: boolean
  /** The votes so far, by endpoint. */
  votes: ReadonlyMap<string, Vote>
}>

/**
 * Asks all endpoints in parallel until `needed` of them have voted yes. An endpoint that fails has no vote. An endpoint
 * that backs off is not asked. Never throws.
 */
export async function askForAgreement<Endpoint extends Omit<SoleEndpoint, 'ask'>>(
  endpoints: readonly Endpoint[],
  needed: number,
  vote: (endpoint: Endpoint) => Promise<Vote>,
): Promise<Agreement> {
  const votes = new Map<string, Vote>()
  const { promise: agreed, resolve } = Promise.withResolvers<void>()
  const isAgreed = () => [...votes.values()].filter((each) => each === 'yes').length >= needed
  const asked = endpoints
    .filter((endpoint) => !endpoint.isBackingOff())
    .map(async (endpoint) => {
      votes.set(endpoint.rpc, await vote(endpoint))
      if (isAgreed()) resolve()
    })
  await Promise.race([agreed, Promise.allSettled(asked)])
  return { isAgreed: isAgreed(), votes: new Map(votes) }
}
