import type { Hash } from 'viem'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'

/** `hash` is undefined if the block is final by its depth alone. */
type FinalBlock = Readonly<{ number: bigint; hash?: Hash }>

/**
 * Reads the newest final block, at most `head`: the chain's `finalized` block, or, on a chain without this tag, the
 * block `finalityDepth` below `head`. Undefined while there is none.
 * @throws what `ask` throws, except for a refusal of the tag
 */
export type ReadFinal = (head: bigint, signal?: AbortSignal) => Promise<FinalBlock | undefined>

/**
 * Once any node has answered for the tag, the depth is never used again: a node without the tag must not make a block
 * final earlier than the chain does.
 */
export function createReadFinal(
  client: Rpc,
  { finalityDepth }: Readonly<{ finalityDepth: number }>,
): ReadFinal {
  let hasTag = false

  function byDepth(head: bigint): FinalBlock | undefined {
    const number = head - BigInt(finalityDepth)
    return number < 0n ? undefined : { number }
  }

  return async (head, signal) => {
    const tagged = await client.ask(finalized, parseHeader, signal).catch(orUndefinedIfRefused)
    hasTag ||= tagged !== undefined
    if (tagged === undefined) return hasTag ? undefined : byDepth(head)
    // On a chain with instant finality the tag may be ahead of `head`.
    const final: Header | undefined =
      tagged.number > head ? await readHeaderAt(client, head, signal) : tagged
    return final && { number: final.number, hash: final.hash }
  }
}

const finalized = { method: 'eth_getBlockByNumber', params: ['finalized', false] }

function orUndefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof RpcRefusedError)) throw error
}
