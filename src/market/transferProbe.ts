import { BaseError, decodeFunctionResult, encodeFunctionData, type Hash } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpcError.ts'
import { transferProbe } from '#src/contracts/artifacts/transferProbe.ts'
import { type Address, toAddress } from '#src/units/address.ts'

/** A pool that holds a currency, and how much of it may be moved to see what a transfer does. */
export type Trial = Readonly<{ currency: Address; pool: Address; amount: bigint }>

/**
 * What became of a transfer out of a pool and back: `exact` if both moved what they were asked to,
 * `fee` if either took or gave something else, `fails` if the pool cannot pay it out, `one-way` if it
 * can but takes nothing back.
 */
export type TransferKind = 'exact' | 'fee' | 'fails' | 'one-way'

/** Plays the trader: an address that nobody has a key to, so that no currency knows it. */
const standIn = toAddress('0x00000000000000000000000000000000c705540e')

/**
 * Lets the pool transfer some of a currency to a stand-in and the stand-in give it back, in an
 * eth_call at one block: see TransferProbe.sol.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
export async function probeTransfers(
  client: ChainClient,
  { currency, pool, amount }: Trial,
  blockHash: Hash,
): Promise<TransferKind> {
  const legs = await runProbe(client, { currency, pool, amount }, blockHash)
  if (legs === undefined) return 'fails'
  const [out, back] = legs
  if (!out.succeeded) return 'fails'
  if (!isExact(out)) return 'fee'
  if (!back.succeeded) return 'one-way'
  return isExact(back) ? 'exact' : 'fee'
}

/**
 * Whether the node lends code to addresses by state overrides, as `probeTransfers` needs: tried on
 * an address without a contract, where the probe says so and never reverts.
 * @throws RpcUnavailableError when the node cannot be reached.
 */
export async function supportsProbes(client: ChainClient, blockHash: Hash): Promise<boolean> {
  const nothing = toAddress('0x00000000000000000000000000000000c705540f')
  try {
    const trial = { currency: nothing, pool: nothing, amount: 0n }
    return (await runProbe(client, trial, blockHash)) !== undefined
  } catch (error) {
    if (error instanceof RpcRefusedError) return false
    throw error
  }
}

type Leg = Readonly<{ succeeded: boolean; sent: bigint; spent: bigint; received: bigint }>

const isExact = ({ sent, spent, received }: Leg): boolean => spent === sent && received === sent

/** @returns undefined when the call reverts or its answer is not the probe's. */
async function runProbe(
  client: ChainClient,
  { currency, pool, amount }: Trial,
  blockHash: Hash,
): Promise<readonly [out: Leg, back: Leg] | undefined> {
  const { abi, deployedBytecode: code } = transferProbe
  const data = encodeFunctionData({
    abi,
    functionName: 'probe',
    args: [currency, amount, standIn],
  })
  const stateOverride = [pool, standIn].map((address) => ({ address, code }))
  try {
    const answer = await client.call({ to: pool, data, stateOverride, blockHash })
    return decodeFunctionResult({ abi, functionName: 'probe', data: answer.data ?? '0x' })
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}
