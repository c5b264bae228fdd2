import { setTimeout as pause } from 'node:timers/promises'
import { RpcRequestError } from 'viem'
import { RpcRefusedError, RpcUnavailableError, UnusableAnswerError } from './rpcError.ts'
import { Refusal, type RpcRequest, type RpcUrl } from './rpcUrl.ts'

/**
 * One JSON-RPC request; the first URL whose answer `parse` accepts serves it.
 *
 * `parse` throws UnusableAnswerError for what no sound node says: the URL then rests and the next one is
 * asked. It gives `undefined` for "not there (yet)": the next one is asked, and the answer is
 * `undefined` if none has it.
 * @throws RpcUnavailableError; RpcRefusedError; viem's RpcRequestError for a revert and the like;
 * the reason of `signal`.
 */
export type Ask = <T>(
  request: RpcRequest,
  parse: (answer: unknown) => T | undefined,
  signal?: AbortSignal,
) => Promise<T | undefined>

type Outcome<T> =
  | Readonly<{ kind: 'answer'; value: T }>
  | Readonly<{ kind: 'absent' }>
  | Readonly<{ kind: 'refused'; refusal: Refusal }>
  | Readonly<{ kind: 'failed' }>

const rounds = 2
const pauseMs = 200

export function createFailover(
  {
    urls,
    closing,
    redact,
  }: Readonly<{
    urls: readonly RpcUrl[]
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
      await pause(pauseMs, undefined, signal && { signal })
    }
  }

  async function askEach<T>(
    request: RpcRequest,
    parse: (answer: unknown) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>> {
    let outcome: Outcome<T> = { kind: 'failed' }
    for (const url of inOrder(urls)) {
      // A resting URL may take its whole time to fail: it is the last resort, not a second opinion.
      if (outcome.kind !== 'failed' && url.standing() === 'resting') continue
      const next = await askOne(url, request, parse, signal)
      if (next.kind === 'answer') return next
      if (next.kind !== 'failed' && outcome.kind !== 'absent') outcome = next
    }
    return outcome
  }

  async function askOne<T>(
    url: RpcUrl,
    request: RpcRequest,
    parse: (answer: unknown) => T | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<T>> {
    if (!(await url.check(signal))) return { kind: 'failed' }
    try {
      const value = parse(await url.send(request, signal))
      return value === undefined ? { kind: 'absent' } : { kind: 'answer', value }
    } catch (error) {
      if (error instanceof UnusableAnswerError) {
        url.blame(error)
        return { kind: 'failed' }
      }
      if (!(error instanceof Refusal)) throw error
      if (error.isOutcome) throw outcomeError(request.method, error)
      return { kind: 'refused', refusal: error }
    }
  }

  /** As viem's actions expect it, so that they decode the reason of a revert. */
  function outcomeError(method: string, { code, message, data }: Refusal): RpcRequestError {
    const error = { code, message: redact(message), data }
    return new RpcRequestError({ body: { method }, error, url: chain.displayName })
  }

  function refused(method: string, { code, message }: Refusal): RpcRefusedError {
    return new RpcRefusedError(chain, { method, code, reason: redact(message) })
  }
}

/** As configured, the sound ones first. While one is sound, the others are checked beside it. */
function inOrder(urls: readonly RpcUrl[]): RpcUrl[] {
  const by = (standing: ReturnType<RpcUrl['standing']>) =>
    urls.filter((url) => url.standing() === standing)
  const [ready, unchecked, resting] = [by('ready'), by('unchecked'), by('resting')]
  if (ready.length > 0) for (const url of unchecked) void url.check()
  return [...ready, ...unchecked, ...resting]
}
