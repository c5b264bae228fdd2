import { JsonRpcError } from './rpcError.ts'
import type { RpcRequest } from './rpcRequest.ts'

/**
 * The maximum number of blocks of one `eth_getLogs` at an endpoint, as configured or learnt from its refusals. Larger
 * ranges are refused here, which saves a request.
 */
type LogRange = Readonly<{
  /** @throws JsonRpcError if the endpoint would refuse the range. */
  check: (request: RpcRequest) => void
  /** Lowers the maximum if the endpoint refused a request for its range. */
  learn: (request: RpcRequest, refusal: JsonRpcError) => void
  /** The maximum number of blocks of a request; undefined while no limit is known. */
  maxBlocks: () => number | undefined
}>

/** Error messages of nodes for a range with too many blocks. */
const tooManyBlocks =
  /range (?:is )?too (?:large|wide|big|long)|block range[^.]*(?:limit|exceed|max)|(?:max|limit|exceed|up to|allowed)[^.]*block/i
/**
 * Error messages for too many logs, or a range beyond the head. Another range of the same size may succeed.
 */
const otherReason =
  /results|response size|too many logs|more than [\d,]+ logs|timed? ?out|head|latest/i

/** @source geth: JSON-RPC error code "limit exceeded" (EIP-1474). */
const limitExceeded = -32005

export function createLogRange(configured: number | undefined): LogRange {
  let maxBlocks = configured

  return {
    check(request) {
      const blocks = blocksOf(request)
      if (blocks === undefined || maxBlocks === undefined || blocks <= maxBlocks) return
      const message = `the endpoint accepts a block range of at most ${maxBlocks} blocks, not ${blocks}`
      throw new JsonRpcError({ code: limitExceeded, message })
    },
    learn(request, { message }) {
      const blocks = blocksOf(request)
      if (blocks === undefined || blocks <= 1) return
      if (!tooManyBlocks.test(message) || otherReason.test(message)) return
      if (maxBlocks === undefined || blocks <= maxBlocks) maxBlocks = blocks - 1
    },
    maxBlocks: () => maxBlocks,
  }
}

/** The number of blocks of an `eth_getLogs` between two heights; undefined for any other request. */
function blocksOf({ method, params }: RpcRequest): number | undefined {
  if (method !== 'eth_getLogs') return undefined
  const [filter] = (params ?? []) as readonly Readonly<{ fromBlock?: unknown; toBlock?: unknown }>[]
  const [from, to] = [filter?.fromBlock, filter?.toBlock].map(Number)
  const blocks = (to ?? Number.NaN) - (from ?? Number.NaN) + 1
  return Number.isNaN(blocks) ? undefined : blocks
}
