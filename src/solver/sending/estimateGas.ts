import { decodeErrorResult, type Hex, isHex, numberToHex, RpcRequestError } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Address } from '#src/units/address.ts'

export type Estimate =
  | Readonly<{ kind: 'gas'; gas: bigint }>
  /** `error`: the name of the contract error, if the router defines it. */
  | Readonly<{ kind: 'reverts'; error?: string; reason: string }>
  /** The account cannot pay the value of the call. */
  | Readonly<{ kind: 'insufficientFunds' }>

/** Transactions before it may make it cost a little more. */
const margin = { numerator: 13n, denominator: 10n }

/**
 * The gas limit for a call of the account on the latest block: the node's estimate and 30 %.
 * @throws RpcUnavailableError or RpcRefusedError when no node answers
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
    if (/insufficient funds/i.test(error.details)) return { kind: 'insufficientFunds' }
    const name = errorName(dataOf(error))
    return {
      kind: 'reverts',
      reason: error.details,
      ...(name !== undefined && { error: name }),
    }
  }
}

/** Some nodes wrap the revert data in another object. */
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
