import { concatHex, type Hash, type Hex, hexToNumber, numberToHex, size, slice } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/core/units/address.ts'

/** Keeps within the limits of a contract creation: 24,576 bytes returned, 49,152 bytes of code. */
const maxAddresses = 700

/**
 * The size of the code at each address, by one eth_call: creation code that returns a word for each.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails; Error if it does not run the code.
 */
export async function readCodeSizes(
  client: Pick<ChainClient, 'call'>,
  addresses: readonly Address[],
  blockHash: Hash,
): Promise<readonly number[]> {
  if (addresses.length > maxAddresses) throw new Error('Too many addresses for one call')
  const { data = '0x' } = await client.call({ data: probe(addresses), blockHash })
  if (size(data) !== 32 * addresses.length) throw new Error('The node does not run creation code')
  return addresses.map((_, at) => hexToNumber(slice(data, 32 * at, 32 * at + 32)))
}

/** For each address: PUSH20 address, EXTCODESIZE, PUSH2 offset, MSTORE. Then PUSH2 length, PUSH1 0, RETURN. */
const probe = (addresses: readonly Address[]): Hex =>
  concatHex([
    ...addresses.flatMap((address, at) => [
      ...(['0x73', address, '0x3b61'] as const),
      ...[numberToHex(32 * at, { size: 2 }), '0x52' as const],
    ]),
    ...['0x61' as const, numberToHex(32 * addresses.length, { size: 2 }), '0x6000f3' as const],
  ])
