import { setTimeout } from 'node:timers/promises'
import { RpcRequestError } from 'viem'
import { JsonRpcError, type RpcEndpoint, type RpcRequest } from './rpcEndpoint.ts'
import { RpcRefusedError, RpcUnavailableError, UnusableAnswerError } from './rpcError.ts'

/**
 * Sends one JSON-RPC request to one endpoint after the other until `parse` accepts an answer.
 *
 * `parse` throws UnusableAnswerError for an invalid answer: the endpoint backs off and the next one is asked.
 * It returns `undefined` for "not there (yet)": the next endpoint is asked, and the result is `undefined` if
 * none has it.
 * @throws RpcUnavailableError; RpcRefusedError; viem's RpcRequestError for the error of a call or transaction,
 * such as a revert; the reason of `signal`.
 */
export type Ask = <T>(
  request: RpcRequest,
  parse: (answer: unknown) => T | undefined,
  signal?: AbortSignal,
) => Promise<T | undefined>

type Outcome<T> =
  | Readonly<{ kind: 'answer'; value: T }>
  | Readonly<{ kind: 'absent' }>
  | Readonly<{ kind: 'refused'; refusal: JsonRpcError }>
  | Readonly<{ kind: 'failed' }>

const rounds = 2
const pauseMs = 200

export function createFailover(
  {
    endpoints,
    closing,
    redact,
  }: Readonly<{
    endpoints: readonly RpcEndpoint[]
    closing: AbortSignal
    redact: (text: string) => string
  }>,
  {
    chain,
    timeoutSeconds,
  }: Readonly<{
    chain: Readonly<{ id: number; displayName: string }>
    timeoutSeconds: number
  }>,
): Ask {
  return async (request, parse, signal) => {
    const askedAt = Date.now()
    for (let round = 1; ; round += 1) {
      const outcome = await askEach(request, parse, signal)
      if (outcome.kind === 'answer') return outcome.value
      if (outcome.kind === 'absent') return undefined
      if (outcome.kind === 'refused') throw refused(request.method, outcome.refusal)
      const tookLong = Date.now() - askedAt > timeoutSeconds * 1000
      if (round === rounds || tookLong || closing.aborted) throw new RpcUnavailableError(chain)
      await setTimeout(pauseMs, undefined, signal && { signal })
    }
  }

  async function askEach<T>(
    request: RpcRequest,
    parse: (answer: unknown) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>> {
    let outcome: Outcome<T> = { kind: 'failed' }
    for (const endpoint of byHealth(endpoints)) {
      // An endpoint that backs off may take its whole timeout: it is asked only if no other endpoint answered.
      if (outcome.kind !== 'failed' && endpoint.health() === 'backingOff') continue
      const next = await askOne(endpoint, request, parse, signal)
      if (next.kind === 'answer') return next
      if (next.kind !== 'failed' && outcome.kind !== 'absent') outcome = next
    }
    return outcome
  }

  async function askOne<T>(
    endpoint: RpcEndpoint,
    request: RpcRequest,
    parse: (answer: unknown) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>> {
    if (!(await endpoint.check(signal))) return { kind: 'failed' }
    const sentIn = endpoint.period()
    try {
      const value = parse(await endpoint.send(request, signal))
      return value === undefined ? { kind: 'absent' } : { kind: 'answer', value }
    } catch (error) {
      if (error instanceof UnusableAnswerError) {
        endpoint.reportFailure(error, sentIn)
        return { kind: 'failed' }
      }
      if (!(error instanceof JsonRpcError)) throw error
      if (error.isDefinitive) throw callError(request.method, error)
      return { kind: 'refused', refusal: error }
    }
  }

  /** In the form that viem's actions expect, so that they decode the reason of a revert. */
  function callError(method: string, { code, message, data }: JsonRpcError): RpcRequestError {
    const error = { code, message: redact(message), data }
    return new RpcRequestError({ body: { method }, error, url: chain.displayName })
  }

  function refused(method: string, { code, message }: JsonRpcError): RpcRefusedError {
    return new RpcRefusedError(chain, { method, code, reason: redact(message) })
  }
}

/** Healthy endpoints first, else in configured order. Unchecked ones are checked in the background while one is healthy. */
function byHealth(endpoints: readonly RpcEndpoint[]): RpcEndpoint[] {
  const having = (health: ReturnType<RpcEndpoint['health']>) =>
    endpoints.filter((endpoint) => endpoint.health() === health)
  const [healthy, unchecked] = [having('healthy'), having('unchecked')]
  if (healthy.length > 0) for (const endpoint of unchecked) void endpoint.check()
  return [...healthy, ...unchecked, ...having('backingOff')]
}
