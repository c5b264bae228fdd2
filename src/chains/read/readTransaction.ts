import type { Hash, Hex } from 'viem'
import { z } from 'zod'
import type { BlockId } from '#src/chains/follow/unfinalizedBlocks.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import {
  type BlockLog,
  bytes,
  hash,
  parse,
  parseLogs,
  quantity,
} from '#src/chains/rpc/rpcAnswer.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import { type Address, toAddress } from '#src/units/address.ts'

type Rpc = Pick<ChainClient, 'ask'>

/** A transaction as it was signed. */
export type ChainTransaction = Readonly<{
  hash: Hash
  from: Address
  /** Undefined where it makes a contract. */
  to: Address | undefined
  value: bigint
  input: Hex
}>

/** What a transaction came to. */
export type Receipt = Readonly<{
  hash: Hash
  block: BlockId
  status: 'success' | 'reverted'
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
  blockNumber: quantity,
  blockHash: hash,
  status: z.enum(['0x0', '0x1']),
  logs: z.unknown(),
})

/** @throws what `ask` throws; `undefined` when no node knows it (any more). */
export const readTransaction = (
  { ask }: Rpc,
  asked: Hash,
  signal: AbortSignal,
): Promise<ChainTransaction | undefined> =>
  ask(
    { method: 'eth_getTransactionByHash', params: [asked] },
    (answer) => {
      if (answer === null) return undefined
      const told = parse(transaction, answer)
      if (told.hash !== asked) throw new UnusableAnswerError('another transaction')
      return told
    },
    signal,
  )

/** @throws what `ask` throws; `undefined` while no block holds it. */
export const readReceipt = (
  { ask }: Rpc,
  asked: Hash,
  signal?: AbortSignal,
): Promise<Receipt | undefined> =>
  ask(
    { method: 'eth_getTransactionReceipt', params: [asked] },
    (answer) => {
      if (answer === null) return undefined
      const told = parse(receipt, answer)
      const block = { number: told.blockNumber, hash: told.blockHash }
      const logs = parseLogs(told.logs)
      if (told.transactionHash !== asked || logs.some((log) => log.blockHash !== block.hash))
        throw new UnusableAnswerError('the receipt of another transaction')
      return { hash: asked, block, status: told.status === '0x1' ? 'success' : 'reverted', logs }
    },
    signal,
  )

/** Of a block's transactions. @throws what `ask` throws; `undefined` when no node has the block (any more). */
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
