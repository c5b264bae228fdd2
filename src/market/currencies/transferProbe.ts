import { BaseError, decodeFunctionResult, encodeFunctionData, type Hash, type Hex } from 'viem'
import { callContracts, isCallError } from '#src/chains/read/callContracts.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { transferProbe } from '#src/protocol/contracts/artifacts/transferProbe.ts'

/** A simulated transfer of `amount` of a currency out of a pool and back. */
export type TransferProbe = Readonly<{ currency: Address; pool: Address; amount: bigint }>

/**
 * The result of a probe: `exact` if both transfers moved the requested amount, `fee` if one moved another amount,
 * `fails` if the transfer out of the pool fails, `one-way` if the transfer back fails.
 */
export type TransferKind = 'exact' | 'fee' | 'fails' | 'one-way'

/** Acts as the trader. Nobody has a key to this address, so no currency is likely to treat it specially. */
const standIn = toAddress('0x00000000000000000000000000000000c705540e')

/**
 * Simulates a transfer from the pool to a stand-in trader and back for each probe. See TransferProbe.sol. The first
 * attempt runs all probes in one eth_call, where one currency can make another fail. Each probe that is not exact is
 * therefore repeated alone. The result is undefined if the node's answer is invalid.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function probeTransfers(
  client: ChainClient,
  probes: readonly TransferProbe[],
  blockHash: Hash,
): Promise<readonly (TransferKind | undefined)[]> {
  const together = probes.length > 1 ? await runTogether(client, probes, blockHash) : []
  return Promise.all(
    probes.map(async (probe, at) => {
      if (kindOf(together[at]) === 'exact') return 'exact'
      return kindOf(await runProbe(client, probe, blockHash))
    }),
  )
}

function kindOf(transfers: Transfers | undefined): TransferKind | undefined {
  if (transfers === undefined) return undefined
  const [out, back] = transfers
  if (!out.succeeded) return 'fails'
  if (!isExact(out)) return 'fee'
  if (!back.succeeded) return 'one-way'
  return isExact(back) ? 'exact' : 'fee'
}

/**
 * Whether the node supports state overrides, which `probeTransfers` needs. Probes an address without code: if overrides
 * work, the probe reports a failed transfer.
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

type Transfers = readonly [out: Transfer, back: Transfer]

const { abi, deployedBytecode: code } = transferProbe
const functionName = 'probe'

const callOf = ({ currency, pool, amount }: TransferProbe) => ({
  to: pool,
  data: encodeFunctionData({ abi, functionName, args: [currency, amount, standIn] }),
})

const overridesOf = (probes: readonly TransferProbe[]) =>
  [...new Set(probes.map(({ pool }) => pool)), standIn].map((address) => ({ address, code }))

/** Undefined for a call that reverted, and for all calls if the node ignores the overrides. */
async function runTogether(
  client: ChainClient,
  probes: readonly TransferProbe[],
  blockHash: Hash,
): Promise<readonly (Transfers | undefined)[]> {
  const answers = await callContracts(client, probes.map(callOf), blockHash, overridesOf(probes))
  return answers.map((data) => data && decodeTransfers(data))
}

function decodeTransfers(data: Hex): Transfers | undefined {
  try {
    return decodeFunctionResult({ abi, functionName, data })
  } catch {
    return undefined
  }
}

const failed: Transfer = { succeeded: false, sent: 0n, spent: 0n, received: 0n }

/** @returns undefined if the answer does not decode: the node ignored the state override. */
async function runProbe(
  client: ChainClient,
  probe: TransferProbe,
  blockHash: Hash,
): Promise<Transfers | undefined> {
  try {
    const stateOverride = overridesOf([probe])
    const answer = await client.call({ ...callOf(probe), stateOverride, blockHash })
    return decodeTransfers(answer.data ?? '0x')
  } catch (error) {
    // The probe never reverts by itself, but a currency may burn all its gas.
    if (isCallError(error)) return [failed, failed]
    if (error instanceof BaseError) return undefined
    throw error
  }
}
