import { decodeErrorResult, type Hex, isHex, numberToHex, RpcRequestError } from 'viem'
import { z } from 'zod'
import { toRpcAuthorization } from '#src/chains/read/readAuthority.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { gas as gasUnits, parse } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import {
  evmGas,
  type GasMarket,
  gasLimitFor,
  maxTransactionGas,
  transactionBytes,
} from '#src/core/pricing/gas/gas.ts'
import type { Address } from '#src/core/units/address.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depositAddress } from '#src/protocol/contracts/artifacts/depositAddress.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import type { Attempt } from '#src/requests/state/solverTransaction.ts'

export type Estimate =
  /** `gas`: the limit for the transaction. `simulated`: the node's estimate. */
  | Readonly<{ kind: 'gas'; gas: bigint; simulated: bigint }>
  /** `error`: name of the contract error, if the approval proxy, the router or a deposit address defines it. */
  | Readonly<{ kind: 'reverts'; error?: string; reason: string }>
  /** The account cannot pay the value of the call. */
  | Readonly<{ kind: 'insufficientFunds' }>

const ownErrors = [...proxyArtifact.abi, ...routerArtifact.abi, ...depositAddress.abi]

/** Nodes refuse transactions above 128 KiB. The rest, with 16 authorizations, takes less than 4 KiB. */
const maxDataBytes = 124 * 1024

/** Earlier transactions in the block may make the call need a little more gas. */
const marginPercent = 30n

/**
 * The gas limit for a call of the account on the latest block: the node's estimate plus 30 %, at most the maximum of a
 * transaction. A call that needs more gas, or has too much calldata, counts as reverting. The node simulates the call
 * with the transaction's fees, because at a gas price of 0 a contract could detect the simulation.
 * @throws RpcUnavailableError or RpcRefusedError when no node answers
 */
export async function estimateGas(
  client: ChainClient,
  from: Address,
  call: TransactionCall,
  fees: Fees,
): Promise<Estimate> {
  const { authorizationList: list } = call
  const dataBytes = call.data.length / 2 - 1
  if (dataBytes > maxDataBytes)
    return { kind: 'reverts', reason: `${dataBytes} bytes of calldata are too many` }
  const request = { method: 'eth_estimateGas', params: [toRpc(from, call, fees), 'latest'] }
  try {
    const simulated = await client.ask(request, (answer) => parse(gasUnits, answer))
    if (simulated === undefined) throw new Error('eth_estimateGas has no answer')
    // A transaction that nodes refuse would block all later nonces of the account.
    if (simulated > maxTransactionGas)
      return { kind: 'reverts', reason: `needs ${simulated} gas, more than a transaction may have` }
    return { kind: 'gas', gas: gasLimitFor(simulated, marginPercent), simulated }
  } catch (error) {
    // A type of transaction that nodes refuse must not stop the fills of others.
    if (list !== undefined && error instanceof RpcRefusedError)
      return { kind: 'reverts', reason: error.words }
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

/**
 * The gas that a call of the account pays for on the latest block, after refunds (EIP-3529). It is up to a fifth below
 * the estimate. Undefined if the call would revert, or no node supports `eth_simulateV1`.
 * @throws RpcUnavailableError when no node answers
 */
export async function gasAfterRefunds(
  client: ChainClient,
  from: Address,
  call: TransactionCall,
  fees: Fees,
): Promise<bigint | undefined> {
  const blockStateCalls = [{ calls: [toRpc(from, call, fees)] }]
  const request = { method: 'eth_simulateV1', params: [{ blockStateCalls }, 'latest'] }
  try {
    return await client.ask(request, (answer) => simulatedGas.safeParse(answer).data)
  } catch (error) {
    if (error instanceof RpcRequestError || error instanceof RpcRefusedError) return undefined
    throw error
  }
}

/** Size of a signed transaction with this call. */
export const signedBytes = ({ data }: TransactionCall): bigint => transactionBytes(data)

/** Parses the gas of one successful call from an answer to `eth_simulateV1`. */
const simulatedGas = z
  .tuple([
    z.object({
      calls: z.tuple([
        z.object({ status: z.literal('0x1'), gasUsed: z.string().regex(/^0x[0-9a-f]{1,16}$/i) }),
      ]),
    }),
  ])
  .transform(([{ calls }]) => BigInt(calls[0].gasUsed))

const toRpc = (
  from: Address,
  { to, data, value, authorizationList: list }: TransactionCall,
  fees: Fees,
) => ({
  from,
  to,
  data,
  value: numberToHex(value),
  ...(list === undefined
    ? pricesOf(fees)
    : { ...dynamicPricesOf(fees), authorizationList: list.map(toRpcAuthorization) }),
})

/** Without a base fee both fees are equal. Chains without EIP-1559 accept only `gasPrice`. */
const pricesOf = (fees: Fees) =>
  fees.maxFeePerGas === fees.maxPriorityFeePerGas
    ? { gasPrice: numberToHex(fees.maxFeePerGas) }
    : dynamicPricesOf(fees)

const dynamicPricesOf = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees) => ({
  maxFeePerGas: numberToHex(maxFeePerGas),
  maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
})

/** Some nodes wrap the revert data in another object. */
function dataOf({ data }: RpcRequestError): Hex | undefined {
  const inner = typeof data === 'object' && data !== null && 'data' in data ? data.data : data
  return isHex(inner) ? inner : undefined
}

function errorName(data: Hex | undefined): string | undefined {
  if (data === undefined || data === '0x') return undefined
  try {
    return decodeErrorResult({ abi: ownErrors, data }).errorName
  } catch {
    return undefined
  }
}

/** In wei per unit of gas. */
export type Fees = Pick<Attempt, 'maxFeePerGas' | 'maxPriorityFeePerGas'>

/** Twice the base fee is enough for five full blocks in a row: each raises the base fee by an eighth. */
export function marketFees(market: GasMarket): Fees {
  const { baseFeePerGas, priorityFeePerGas } = evmGas(market)
  return {
    maxFeePerGas: 2n * baseFeePerGas + priorityFeePerGas,
    maxPriorityFeePerGas: priorityFeePerGas,
  }
}

/** The fee plus an eighth, rounded up. Nodes accept a replacement only if both fees are a tenth higher. */
const raised = (fee: bigint): bigint => divUp(fee * 9n, 8n)

/** Fees of a transaction that replaces one with the fees `last`: an eighth higher, and at least the market's fees. */
export function raisedFees(last: Fees, market: Fees): Fees {
  const max = (one: bigint, other: bigint) => (one > other ? one : other)
  const maxPriorityFeePerGas = max(raised(last.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return {
    maxFeePerGas: max(max(raised(last.maxFeePerGas), market.maxFeePerGas), maxPriorityFeePerGas),
    maxPriorityFeePerGas,
  }
}
