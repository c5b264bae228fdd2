import { z } from 'zod'
import type { Method } from './params.ts'
import { RpcError } from './rpcError.ts'
import { toJson } from './rpcJson.ts'

const call = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.unknown().optional(),
})

/** Calls in one body. */
const maxCalls = 1000

/** Answers a text with one call, or a list of them. Undefined if there is nothing to answer. */
export async function answerCalls(
  methods: Readonly<Record<string, Method>>,
  text: string,
  onBug: (error: unknown) => void,
): Promise<string | undefined> {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return toJson(failure(null, new RpcError(-32_700, 'Parse error')))
  }
  if (!Array.isArray(body)) {
    const answer = await answerCall(methods, body, onBug)
    return answer === undefined ? undefined : toJson(answer)
  }
  if (body.length === 0 || body.length > maxCalls)
    return toJson(failure(null, new RpcError(-32_600, 'Invalid request')))
  const answers = []
  for (const each of body) answers.push(await answerCall(methods, each, onBug))
  const given = answers.filter((answer) => answer !== undefined)
  return given.length === 0 ? undefined : toJson(given)
}

async function answerCall(
  methods: Readonly<Record<string, Method>>,
  body: unknown,
  onBug: (error: unknown) => void,
): Promise<unknown> {
  const parsed = call.safeParse(body)
  if (!parsed.success) return failure(null, new RpcError(-32_600, 'Invalid request'))
  const { id, method, params } = parsed.data
  try {
    const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
    if (answer === undefined) throw new RpcError(-32_601, 'Method not found')
    const result = await answer(params)
    return id === undefined ? undefined : { jsonrpc: '2.0', result, id }
  } catch (error) {
    if (!(error instanceof RpcError)) onBug(error)
    if (id === undefined) return undefined
    return failure(id, error instanceof RpcError ? error : new RpcError(-32_603, 'Internal error'))
  }
}

const failure = (id: string | number | null, { code, message, data }: RpcError) => ({
  jsonrpc: '2.0',
  error: { code, message, ...(data !== undefined && { data }) },
  id,
})
