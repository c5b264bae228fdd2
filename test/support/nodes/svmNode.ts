import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listenLocally } from './listenLocally.ts'

/** The result of a method, or its error. */
export type SvmAnswer = (params: readonly unknown[]) => unknown

/** Thrown by an answer: the JSON-RPC error of the node. */
export class NodeError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

type Call = Readonly<{ id: number; method: string; params?: readonly unknown[] }>

/** A canned Solana node on 127.0.0.1. `fail` answers every request on its own, or never. */
export async function startSvmNode(answers: Readonly<Record<string, SvmAnswer>>) {
  let known = answers
  let fail: ((response: ServerResponse) => void) | undefined
  const methods: string[] = []
  const server = createServer(async (request, response) => {
    const { id, method, params = [] } = (await json(request)) as Call
    methods.push(method)
    if (fail !== undefined) return fail(response)
    const body = { jsonrpc: '2.0', id, ...answerOf(known[method], method, params) }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  const { url, stop } = await listenLocally(server)
  return {
    url,
    stop,
    /** The methods that were called so far. */
    methods,
    answer: (some: Readonly<Record<string, SvmAnswer>>) => {
      known = { ...known, ...some }
    },
    fail: (how: typeof fail) => {
      fail = how
    },
  }
}

function answerOf(answer: SvmAnswer | undefined, method: string, params: readonly unknown[]) {
  if (answer === undefined) return { error: { code: -32_601, message: `${method} not found` } }
  try {
    return { result: answer(params) }
  } catch (error) {
    if (!(error instanceof NodeError)) throw error
    return { error: { code: error.code, message: error.message } }
  }
}
