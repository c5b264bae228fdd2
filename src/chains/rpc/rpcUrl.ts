import { http } from 'viem'
import { backoffMs } from '#src/chains/backoff.ts'
import { reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import { withDeadline } from './deadline.ts'
import { redactUrl } from './redact.ts'
import { parseChainId } from './rpcAnswer.ts'
import { UnusableAnswerError } from './rpcError.ts'

export type RpcRequest = Readonly<{ method: string; params?: readonly unknown[] }>

/** One RPC URL of a chain. It may be used once it has shown that its chain is ours. */
export type RpcUrl = Readonly<{
  standing: () => 'ready' | 'unchecked' | 'resting'
  /** Whether the chain behind it is ours: asked once for all who want to know. @throws the reason of `signal` */
  check: (signal?: AbortSignal) => Promise<boolean>
  /** @throws Refusal; UnusableAnswerError; the reason of `signal` */
  send: (request: RpcRequest, signal?: AbortSignal) => Promise<unknown>
  /** Lets the URL rest, longer each time, and be checked again before its next use. */
  blame: (error: UnusableAnswerError) => void
}>

/** A node's own refusal, in its words: the URL is sound. */
export class Refusal extends Error {
  readonly code: number
  readonly data: unknown
  /** The error is the answer, such as a revert: every node would say the same. */
  readonly isOutcome: boolean

  constructor({ code, message, data }: RpcErrorBody) {
    super(message)
    this.code = code
    this.data = data
    this.isOutcome = isOutcome(code, message)
  }
}

const maxBackoffMs = 60_000
const backoffBounds = { minMs: 1_000, maxMs: maxBackoffMs }

export function createRpcUrl(
  {
    log,
    closing,
    redact,
    count,
  }: Readonly<{
    log: Log
    closing: AbortSignal
    redact: (text: string) => string
    count: (method: string) => void
  }>,
  {
    url,
    chainId,
    timeoutSeconds,
  }: Readonly<{ url: string; chainId: number; timeoutSeconds: number }>,
): RpcUrl {
  const rpc = redactUrl(url)
  // Unbatched: one call that is slow or declined would hold up the others, and many reads come as one
  // multicall already. Without viem's timeout: it ends with the headers and leaves the body to hang.
  const { request: transmit } = http(url, { raw: true, retryCount: 0, timeout: 0 })({})
  let checked = false
  let checking: Promise<boolean> | undefined
  let failures = 0
  let failedAt = 0
  let restsUntil = 0

  async function send(request: RpcRequest, signal?: AbortSignal): Promise<unknown> {
    count(request.method)
    try {
      const answer = await withDeadline(timeoutSeconds, [closing, signal], (stop) =>
        transmit(request as Parameters<typeof transmit>[0], { signal: stop }),
      )
      return readAnswer(answer)
    } catch (error) {
      signal?.throwIfAborted()
      throw error instanceof Refusal ? error : new UnusableAnswerError(reasonOf(error))
    }
  }

  async function check(signal?: AbortSignal): Promise<boolean> {
    if (checked) return true
    const asked = checking ?? compareChain()
    checking = asked
    return withDeadline(2 * timeoutSeconds, [signal], () => asked)
  }

  async function compareChain(): Promise<boolean> {
    try {
      const found = parseChainId(await send({ method: 'eth_chainId', params: [] }))
      if (found !== BigInt(chainId)) throw new WrongChainError(found, chainId)
      checked = true
      restsUntil = 0
      if (failures > 0) log.info({ chainId, rpc }, 'RPC answers again')
    } catch (error) {
      blame(error instanceof UnusableAnswerError ? error : new UnusableAnswerError(reasonOf(error)))
    } finally {
      checking = undefined
    }
    return checked
  }

  function blame(error: UnusableAnswerError): void {
    const now = Date.now()
    // Requests that were under way together fail together: that is one failure.
    if (closing.aborted || now < restsUntil) return
    if (now - failedAt > 2 * maxBackoffMs) failures = 0
    failures += 1
    const restMs =
      error instanceof WrongChainError ? maxBackoffMs : backoffMs(failures, backoffBounds)
    checked = false
    failedAt = now
    restsUntil = now + restMs
    const facts = { chainId, rpc, reason: redact(error.message), restSeconds: restMs / 1000 }
    if (error instanceof WrongChainError)
      log.error(facts, 'RPC serves another chain and is not used')
    else log.warn(facts, 'RPC fails and rests')
  }

  function standing(): ReturnType<RpcUrl['standing']> {
    if (Date.now() < restsUntil) return 'resting'
    return checked ? 'ready' : 'unchecked'
  }

  return { standing, check, send, blame }
}

class WrongChainError extends UnusableAnswerError {
  constructor(found: bigint, wanted: number) {
    super(`its chain id is ${found}, not ${wanted}`)
  }
}

type RpcErrorBody = Readonly<{ code: number; message: string; data?: unknown }>

/** @throws Refusal; UnusableAnswerError when the node has too much to do or speaks no JSON-RPC */
function readAnswer(answer: unknown): unknown {
  const { error, result } = (answer ?? {}) as { error?: unknown; result?: unknown }
  if (error === undefined || error === null) {
    if (result === undefined) throw new UnusableAnswerError('neither a result nor an error')
    return result
  }
  const { code, message } = error as Partial<RpcErrorBody>
  if (typeof code !== 'number' || typeof message !== 'string')
    throw new UnusableAnswerError('an error without code and message')
  if (isBusy(code, message) && !isOutcome(code, message)) throw new UnusableAnswerError(message)
  throw new Refusal(error as RpcErrorBody)
}

/** What nodes say of a call that ended badly: geth and its kin, Besu and Nethermind, reth and anvil. */
const callOutcome =
  /revert|out ?of ?gas|gas required exceeds|(?:invalid|bad) ?(?:fe)?(?:opcode|instruction|jump)|stack ?(?:under|over)flow|execution aborted|E?VM (?:error|exception|execution)/i
/** And of a transaction that they do not take. */
const sendOutcome = /nonce too|already known|underpriced|insufficient funds|intrinsic gas/i

const isOutcome = (code: number, message: string): boolean =>
  code === 3 || callOutcome.test(message) || sendOutcome.test(message)

/** Limits that pass with time. -32005 alone does not tell: it is also for a range of logs too large. */
const isBusy = (code: number, message: string): boolean =>
  code === 429 ||
  code === -32007 ||
  /rate.?limit|too many requests|request count|requests per|request limit|compute units|quota/i.test(
    message,
  )
