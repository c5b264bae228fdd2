import { encodeFunctionData, type Hex, hexToBigInt, numberToHex, parseAbi } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { permit2Abi, permit2Address } from '#src/contracts/permit2.ts'
import type { PayingPermit } from '#src/execution/permits/permit.ts'
import { witnessHash } from '#src/execution/permits/typedData.ts'

const authorizationAbi = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])

/**
 * Whether the nonce of a permit was used or cancelled at a block.
 * @throws RpcUnavailableError or RpcRefusedError if no node answers
 */
export async function isSpent(
  client: Pick<ChainClient, 'ask'>,
  permit: PayingPermit,
  height: bigint,
): Promise<boolean> {
  const { to, data, bit } = nonceCall(permit)
  const request = { method: 'eth_call', params: [{ to, data }, numberToHex(height)] }
  const answer = await client.ask(request, (value) => value as Hex)
  if (answer === undefined || answer === '0x') return false
  return (hexToBigInt(answer) & (1n << bit)) !== 0n
}

/** The read whose answer has the bit of the nonce. */
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
