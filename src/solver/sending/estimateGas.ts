import { decodeErrorResult, type Hex, isHex, numberToHex, RpcRequestError } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Address } from '#src/units/address.ts'

export type Estimate =
  | Readonly<{ kind: 'gas'; gas: bigint }>
  /** `error`: the name of the contract's error, where it is one of the router's. */
  | Readonly<{ kind: 'reverts'; error?: string; reason: string }>
  /** The account cannot pay what the call takes along. */
  | Readonly<{ kind: 'funds' }>

/** Other transactions before it may make it cost a little more. */
const margin = { numerator: 13n, denominator: 10n }

/**
 * The gas limit for a call that the account sends now, on the latest block.
 * @throws RpcUnavailableError or RpcRefusedError where no node says.
 */
export async function estimateGas(
  client: ChainClient,
  from: Address,
  { to, data, value }: TransactionCall,
): Promise<Estimate> {
  const call = { from, to, data, value: numberToHex(value) }
  const request = { method: 'eth_estimateGas', params: [call, 'latest'] }
  try {
    const gas = await client.ask(request, (answer) => BigInt(answer as string))
    if (gas === undefined) throw new Error('eth_estimateGas has no answer')
    return { kind: 'gas', gas: (gas * margin.numerator) / margin.denominator }
  } catch (error) {
    if (!(error instanceof RpcRequestError)) throw error
    if (/insufficient funds/i.test(error.details)) return { kind: 'funds' }
    const name = errorName(dataOf(error))
    return {
      kind: 'reverts',
      reason: error.details,
      ...(name !== undefined && { error: name }),
    }
  }
}

/** Some nodes wrap what the contract answered once more. */
function dataOf({ data }: RpcRequestError): Hex | undefined {
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return isHex(inner) ? inner : undefined
}

function errorName(data: Hex | undefined): string | undefined {
  if (data === undefined || data === '0x') return undefined
  try {
    return decodeErrorResult({ abi: routerArtifact.abi, data }).errorName
  } catch {
    return undefined
  }
}
