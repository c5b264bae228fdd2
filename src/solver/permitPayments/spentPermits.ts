import { encodeFunctionData, type Hex, hexToBigInt, parseAbi } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { bytes, parse } from '#src/chains/rpc/rpcAnswer.ts'
import { permit2Abi, permit2Address } from '#src/protocol/contracts/permit2.ts'
import type { PayingPermit } from '#src/protocol/permits/permit.ts'
import { witnessHash } from '#src/protocol/permits/typedData.ts'

const authorizationAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

/** The blocks at which nonces of permits were first found used or cancelled. */
export type SpentPermits = Readonly<{
  /**
   * The first block at which this process found the nonce of a request's permit spent; undefined if it is not spent at
   * the head. Remembers the block until it is final, because nodes have the state of recent blocks only.
   * @throws RpcUnavailableError or RpcRefusedError if no node answers
   */
  spentSince: (
    requestId: string,
    permit: PayingPermit,
    head: BlockId,
  ) => Promise<BlockId | undefined>
  /** Discards the remembered block of a request. */
  forget: (requestId: string) => void
}>

export function createSpentPermits(client: Rpc): SpentPermits {
  const since = new Map<string, BlockId>()
  return {
    spentSince: async (requestId, permit, { number, hash }) => {
      if (!(await isSpent(client, permit, hash))) {
        since.delete(requestId)
        return undefined
      }
      const first = since.get(requestId) ?? { number, hash }
      since.set(requestId, first)
      return first
    },
    forget: (requestId) => void since.delete(requestId),
  }
}

/** Whether the nonce of a permit was used or cancelled at a block. */
async function isSpent(
  client: Rpc,
  permit: PayingPermit,
  blockHash: BlockId['hash'],
): Promise<boolean> {
  const { to, data, bit } = nonceCall(permit)
  const request = { method: 'eth_call', params: [{ to, data }, { blockHash }] }
  const answer = await client.ask(request, (value) => parse(bytes, value))
  if (answer === undefined || answer === '0x') return false
  return (hexToBigInt(answer) & (1n << bit)) !== 0n
}

/** The contract call whose answer contains the bit of the nonce. */
function nonceCall(permit: PayingPermit): Readonly<{ to: Hex; data: Hex; bit: bigint }> {
  const { payer } = permit
  if (permit.kind === 'eip3009') {
    const args = [payer, witnessHash(permit.run)] as const
    const call = { abi: authorizationAbi, functionName: 'authorizationState', args } as const
    return { to: permit.currency, data: encodeFunctionData(call), bit: 0n }
  }
  const args = [payer, permit.nonce >> 8n] as const
  const call = { abi: permit2Abi, functionName: 'nonceBitmap', args } as const
  return { to: permit2Address, data: encodeFunctionData(call), bit: permit.nonce & 255n }
}
