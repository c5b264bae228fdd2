import type { Hash } from 'viem'
import { createReadFinal } from '#src/chains/follow/finality.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import { readReceipt, readTransaction } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ContractKind, ContractKinds } from '#src/market/contracts/contractKinds.ts'
import type { BatchStore, PaymentReads } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { plainDepositOf } from '#src/requests/tracker/read/readEvents.ts'
import { depositEvents, spendings, type Tracked } from '#src/requests/tracker/read/trackedLogs.ts'
import { createIsPaidOut } from '#src/solver/depository/depositoryCalls.ts'

type Deps = Readonly<{
  client: ChainClient
  store: PaymentReads & BatchStore
  contractKinds: ContractKinds
}>

type FinalityChain = Pick<ChainConfig, 'finalityDepth'>

/** No order has this id. */
const noOrder: Hash = `0x${'00'.repeat(32)}`

/**
 * Finds the ERC-20 transfers of a final transaction to the depository that no tracker can credit, because a contract
 * made them, or because they name no order. Stores each as a deposit that the solver refunds to the account whose
 * tokens they were. Returns a line for each transfer.
 * @throws Error with the reason if the transaction has no such transfer.
 */
export async function recoverTransfers(
  { client, store, contractKinds }: Deps,
  tracked: Tracked,
  chain: FinalityChain,
  txHash: Hash,
): Promise<readonly string[]> {
  const block = await readFinalBlock(client, chain, txHash)
  if (depositEvents(tracked, block).length > 0)
    throw new Error(`${txHash} has recorded deposits: their transfers are theirs`)
  const { depository } = tracked.contracts
  const transfers = spendings(tracked, block).filter(
    ({ recipient, currency, amount }) =>
      recipient === depository && tracked.depositCurrencies.has(currency) && amount > 0n,
  )
  if (transfers.length === 0)
    throw new Error(`${txHash} transfers no currency of deposits to the depository ${depository}`)
  const transaction = await readTransaction(client, txHash, new AbortController().signal)
  if (transaction === undefined) throw new Error(`No node has the transaction ${txHash}`)
  if (transfers.some((each) => plainDepositOf(tracked, block, each, transaction) !== undefined))
    throw new Error(`${txHash} is a plain deposit: the tracker credits or refunds it`)
  const senders = transfers.map(({ account }) => account)
  const kinds = await contractKinds.read(tracked.chainId, senders, block.hash)
  const isPaidOut = createIsPaidOut(client, tracked.contracts)
  const refusalOf = async (deposit: Deposit, kind: ContractKind | undefined) => {
    const [known] = await store.findDeposits([deposit.depositId])
    if (known !== undefined) return `is known already, and ${known.status}`
    if (kind !== undefined) return `comes from ${deposit.depositor}, a ${kind}: it takes no refund`
    return (await isPaidOut(deposit)) ? 'has been paid out already' : undefined
  }
  const lines: string[] = []
  for (const [at, { account, currency, amount, logIndex }] of transfers.entries()) {
    const depositId = `${tracked.chainId}:${txHash}:${logIndex}`
    const deposit: Deposit = {
      depositId,
      chainId: tracked.chainId,
      txHash,
      logIndex,
      currency,
      block: { number: block.number, hash: block.hash },
      timestamp: Number(block.timestamp),
      orderId: noOrder,
      depositor: account,
      amount: toAmount(amount),
      status: 'refundable',
      reason: 'UNKNOWN',
      version: 0,
    }
    const refusal = await refusalOf(deposit, kinds[at])
    if (refusal === undefined && (await store.save({ deposits: [deposit] })) === 'conflict')
      throw new Error(`${depositId} was stored meanwhile. Run this again.`)
    lines.push(
      refusal === undefined
        ? `${depositId}: the solver refunds ${amount} of ${currency} to ${account}, less the gas`
        : `${depositId}: ${refusal}`,
    )
  }
  return lines
}

/** The part of a final block that belongs to a transaction. */
async function readFinalBlock(client: ChainClient, chain: FinalityChain, txHash: Hash) {
  const receipt = await readReceipt(client, txHash)
  if (receipt === undefined) throw new Error(`No block contains ${txHash}`)
  if (receipt.status === 'reverted') throw new Error(`${txHash} has reverted`)
  const final = await createReadFinal(client, chain)(await client.getBlockNumber())
  const { number, hash } = receipt.block
  if (final === undefined || number > final.number)
    throw new Error(`Block ${number} of ${txHash} is not final yet`)
  const header = await readHeaderAt(client, number)
  if (header?.hash !== hash) throw new Error(`The nodes disagree about block ${number}`)
  return { number, hash, timestamp: header.timestamp, logs: receipt.logs }
}
