import { type Hash, type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import type { BlockId } from '#src/chains/chainEvent.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import {
  type BlockLog,
  bytes,
  count as countShape,
  gas,
  gasPrice,
  hash,
  height,
  parse,
  parseLogs,
  quantity,
} from '#src/chains/rpc/rpcAnswer.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'

/** The signed content of a transaction. */
export type ChainTransaction = Readonly<{
  hash: Hash
  from: Address
  /** Undefined for a transaction that creates a contract. */
  to: Address | undefined
  value: bigint
  input: Hex
}>

/** The outcome of a mined transaction. */
export type Receipt = Readonly<{
  hash: Hash
  from: Address
  block: BlockId
  status: 'success' | 'reverted'
  /** The sender's fees in wei: gas, and the data fee of an OP stack rollup. Excludes the transferred value. */
  cost: bigint
  logs: readonly BlockLog[]
}>

const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i)
  .transform((text) => toAddress(text.toLowerCase()))

const transaction = z.object({
  hash,
  from: address,
  to: address.nullish().transform((to) => to ?? undefined),
  value: quantity,
  input: bytes,
})

const receipt = z.object({
  transactionHash: hash,
  from: address,
  blockNumber: height,
  blockHash: hash,
  status: z.enum(['0x0', '0x1']),
  gasUsed: gas,
  // Old nodes leave it out.
  effectiveGasPrice: gasPrice.default(0n),
  l1Fee: gasPrice.nullish(),
  logs: z.unknown(),
})

/** Undefined if no node knows the transaction. @throws what `ask` throws */
export const readTransaction = (
  { ask }: Rpc,
  expected: Hash,
  signal: AbortSignal,
): Promise<ChainTransaction | undefined> =>
  ask(
    { method: 'eth_getTransactionByHash', params: [expected] },
    (answer) => {
      if (answer === null) return undefined
      const parsed = parse(transaction, answer)
      if (parsed.hash !== expected) throw new UnusableAnswerError('another transaction')
      return parsed
    },
    signal,
  )

/** The wanted transactions that the block contains; undefined if no node has the block. @throws what `ask` throws */
export const readBlockTransactions = (
  { ask }: Rpc,
  block: BlockId,
  wanted: ReadonlySet<Hash>,
  signal: AbortSignal,
): Promise<ReadonlyMap<Hash, ChainTransaction> | undefined> =>
  ask(
    { method: 'eth_getBlockByHash', params: [block.hash, true] },
    (answer) => {
      if (answer === null) return undefined
      const { transactions } = parse(
        z.object({ transactions: z.array(z.looseObject({ hash })) }),
        answer,
      )
      const found = transactions.filter((each) => wanted.has(each.hash))
      return new Map(found.map((each) => [each.hash, parse(transaction, each)]))
    },
    signal,
  )

/** Undefined while no block contains the transaction. @throws what `ask` throws */
export const readReceipt = (
  { ask }: Rpc,
  expected: Hash,
  signal?: AbortSignal,
): Promise<Receipt | undefined> =>
  ask(
    { method: 'eth_getTransactionReceipt', params: [expected] },
    (answer) => {
      if (answer === null) return undefined
      const parsed = parse(receipt, answer)
      const block = { number: parsed.blockNumber, hash: parsed.blockHash }
      const logs = parseLogs(parsed.logs)
      if (parsed.transactionHash !== expected || logs.some((log) => log.blockHash !== block.hash))
        throw new UnusableAnswerError('the receipt of another transaction')
      return {
        hash: expected,
        from: parsed.from,
        block,
        status: parsed.status === '0x1' ? 'success' : 'reverted',
        cost: parsed.gasUsed * parsed.effectiveGasPrice + (parsed.l1Fee ?? 0n),
        logs,
      }
    },
    signal,
  )

/** Hashes of a block's transactions; undefined if no node has the block. @throws what `ask` throws */
export const readTransactionHashes = (
  { ask }: Rpc,
  block: BlockId,
  signal: AbortSignal,
): Promise<readonly Hash[] | undefined> =>
  ask(
    { method: 'eth_getBlockByHash', params: [block.hash, false] },
    (answer) =>
      answer === null
        ? undefined
        : parse(z.object({ transactions: z.array(hash) }), answer).transactions,
    signal,
  )

/** Number of an account's transactions up to a block. `pending` includes those in the mempool. */
export async function countAt(
  { ask }: Rpc,
  account: Hex,
  block: 'latest' | 'pending' | bigint,
): Promise<number> {
  const tag = typeof block === 'bigint' ? numberToHex(block) : block
  const request = { method: 'eth_getTransactionCount', params: [account, tag] }
  const count = await ask(request, (answer) => parse(countShape, answer))
  if (count === undefined) throw new Error('eth_getTransactionCount has no answer')
  return count
}
