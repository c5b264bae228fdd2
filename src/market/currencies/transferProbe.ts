import { BaseError, decodeFunctionResult, encodeFunctionData, type Hash } from 'viem'
import { isOutcome } from '#src/chains/callContracts.ts'
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
 * @returns undefined when the node's answer makes no sense.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
export async function probeTransfers(
  client: ChainClient,
  trial: Trial,
  blockHash: Hash,
): Promise<TransferKind | undefined> {
  const legs = await runProbe(client, trial, blockHash)
  if (legs === undefined) return undefined
  const [out, back] = legs
  if (!out.succeeded) return 'fails'
  if (!isExact(out)) return 'fee'
  if (!back.succeeded) return 'one-way'
  return isExact(back) ? 'exact' : 'fee'
}

/**
 * Whether the node lends code to addresses by state overrides, as `probeTransfers` needs: tried on
 * an address without a contract, where the probe says that it failed.
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

type Legs = readonly [out: Leg, back: Leg]

const failed: Leg = { succeeded: false, sent: 0n, spent: 0n, received: 0n }

/** @returns undefined when the answer is not the probe's: its code was not lent. */
async function runProbe(
  client: ChainClient,
  { currency, pool, amount }: Trial,
  blockHash: Hash,
): Promise<Legs | undefined> {
  const { abi, deployedBytecode: code } = transferProbe
  const functionName = 'probe'
  const data = encodeFunctionData({ abi, functionName, args: [currency, amount, standIn] })
  const stateOverride = [pool, standIn].map((address) => ({ address, code }))
  try {
    const answer = await client.call({ to: pool, data, stateOverride, blockHash })
    return decodeFunctionResult({ abi, functionName, data: answer.data ?? '0x' })
  } catch (error) {
    // The probe never reverts, but a currency may burn all the gas there is.
    if (isOutcome(error)) return [failed, failed]
    if (error instanceof BaseError) return undefined
    throw error
  }
}
