import { BaseError, decodeFunctionResult, encodeFunctionData, type Hash } from 'viem'
import { isCallError } from '#src/chains/read/callContracts.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { transferProbe } from '#src/contracts/artifacts/transferProbe.ts'
import { type Address, toAddress } from '#src/units/address.ts'

/** A simulated transfer of `amount` of a currency out of a pool and back. */
export type TransferProbe = Readonly<{ currency: Address; pool: Address; amount: bigint }>

/**
 * The result of a probe: `exact` if both transfers moved the requested amount, `fee` if one moved another amount,
 * `fails` if the transfer out of the pool fails, `one-way` if the transfer back fails.
 */
export type TransferKind = 'exact' | 'fee' | 'fails' | 'one-way'

/** Acts as the trader. Nobody has a key to this address, so no currency treats it specially. */
const standIn = toAddress('0x00000000000000000000000000000000c705540e')

/**
 * Simulates a transfer from a pool to a stand-in trader and back, by an eth_call at one block. See TransferProbe.sol.
 * @returns undefined if the node's answer is invalid.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function probeTransfers(
  client: ChainClient,
  probe: TransferProbe,
  blockHash: Hash,
): Promise<TransferKind | undefined> {
  const transfers = await runProbe(client, probe, blockHash)
  if (transfers === undefined) return undefined
  const [out, back] = transfers
  if (!out.succeeded) return 'fails'
  if (!isExact(out)) return 'fee'
  if (!back.succeeded) return 'one-way'
  return isExact(back) ? 'exact' : 'fee'
}

/**
 * Whether the node supports state overrides, which `probeTransfers` needs. Tested with an address without code, where
 * a working probe reports a failed transfer.
 * @throws RpcUnavailableError if the node cannot be reached.
 */
export async function supportsProbes(client: ChainClient, blockHash: Hash): Promise<boolean> {
  const empty = toAddress('0x00000000000000000000000000000000c705540f')
  try {
    const probe = { currency: empty, pool: empty, amount: 0n }
    return (await runProbe(client, probe, blockHash)) !== undefined
  } catch (error) {
    if (error instanceof RpcRefusedError) return false
    throw error
  }
}

/** @source TransferProbe.sol, Leg */
type Transfer = Readonly<{ succeeded: boolean; sent: bigint; spent: bigint; received: bigint }>

const isExact = ({ sent, spent, received }: Transfer): boolean =>
  spent === sent && received === sent

const failed: Transfer = { succeeded: false, sent: 0n, spent: 0n, received: 0n }

/** @returns undefined if the answer does not come from the probe's code: the node ignored the state override. */
async function runProbe(
  client: ChainClient,
  { currency, pool, amount }: TransferProbe,
  blockHash: Hash,
): Promise<readonly [out: Transfer, back: Transfer] | undefined> {
  const { abi, deployedBytecode: code } = transferProbe
  const functionName = 'probe'
  const data = encodeFunctionData({ abi, functionName, args: [currency, amount, standIn] })
  const stateOverride = [pool, standIn].map((address) => ({ address, code }))
  try {
    const answer = await client.call({ to: pool, data, stateOverride, blockHash })
    return decodeFunctionResult({ abi, functionName, data: answer.data ?? '0x' })
  } catch (error) {
    // The probe never reverts by itself, but a currency may burn all its gas.
    if (isCallError(error)) return [failed, failed]
    if (error instanceof BaseError) return undefined
    throw error
  }
}
