import { JsonRpcError } from '#src/chains/rpc/jsonRpcError.ts'
import type { RpcRequest } from '#src/chains/rpc/rpcRequest.ts'

/**
 * The number of blocks that one `eth_getLogs` of an endpoint may cover, as configured and as its refusals teach. What
 * exceeds it is refused here: it would cost a request.
 */
export type LogRange = Readonly<{
  /** @throws JsonRpcError if the endpoint would refuse the range. */
  check: (request: RpcRequest) => void
  /** Learns from the endpoint's refusal of a request. */
  learn: (request: RpcRequest, refusal: JsonRpcError) => void
  /** The most blocks that may be asked for; undefined while no limit is known. */
  maxBlocks: () => number | undefined
}>

/** As nodes say that a range has too many blocks. */
const tooManyBlocks =
  /range (?:is )?too (?:large|wide|big|long)|block range[^.]*(?:limit|exceed|max)|(?:max|limit|exceed|up to|allowed)[^.]*block/i
/**
 * As they say that it has too many logs, or goes beyond their head: another range of as many blocks may do.
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
      const message = `the endpoint takes a block range of at most ${maxBlocks} blocks, not ${blocks}`
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
