import { z } from 'zod'
import type { Bank } from '#src/devnet/svm/node/bank.ts'
import { type Block, statusBlocks } from '#src/devnet/svm/node/blockList.ts'
import type { LandedTransaction } from '#src/devnet/svm/node/history.ts'
import {
  address,
  commitment,
  confirmedBlockFor,
  inContext,
  type Method,
  method,
  options,
  reading,
  signature,
} from './params.ts'
import { RpcError } from './rpcError.ts'
import { memoOf, metaJson, statusJson, transactionJson } from './transactionJson.ts'

const maxStatuses = 256
const maxSignatures = 1000

const statusOptions = options({ searchTransactionHistory: z.boolean().nullish() })

const transactionOptions = z.union([
  z.enum(['json', 'base58', 'base64']),
  z.strictObject({
    commitment: commitment.nullish(),
    encoding: z.enum(['json', 'base58', 'base64']).nullish(),
    maxSupportedTransactionVersion: z.int().min(0).max(127).nullish(),
  }),
])

const listOptions = options({
  ...reading,
  before: signature.nullish(),
  until: signature.nullish(),
  limit: z.int().min(1).max(maxSignatures).nullish(),
})

/** Methods about transactions in blocks. */
export const historyMethods = (bank: Bank): Record<string, Method> => ({
  getSignatureStatuses: method(
    z.tuple([
      z.array(signature).max(maxStatuses, `Too many inputs provided; max ${maxStatuses}`),
      statusOptions,
    ]),
    ([signatures, read]) => {
      const { tip } = bank.blocks
      const oldest = read?.searchTransactionHistory ? 0 : tip.height - statusBlocks
      const found = signatures.map((each) => bank.history.find(each))
      return inContext(
        tip,
        found.map((each) => (each && each.height >= oldest ? statusOf(bank, tip, each) : null)),
      )
    },
  ),
  getTransaction: method(z.tuple([signature, transactionOptions.nullish()]), ([wanted, asked]) => {
    const read = typeof asked === 'string' ? { encoding: asked } : asked
    const block = confirmedBlockFor(bank, read)
    const landed = bank.history.find(wanted)
    if (landed === undefined || landed.height > block.height) return null
    const { version } = landed.transaction.message.compiled
    const supported = read?.maxSupportedTransactionVersion ?? undefined
    if (version !== 'legacy' && supported === undefined) throw unsupported(version)
    return {
      slot: landed.slot,
      blockTime: landed.blockSeconds,
      transaction: transactionJson(landed.transaction, read?.encoding ?? 'json'),
      meta: metaJson(landed),
      ...(supported !== undefined && { version }),
    }
  }),
  getSignaturesForAddress: method(z.tuple([address, listOptions]), ([wanted, read]) => {
    const block = confirmedBlockFor(bank, read)
    const newestFirst = bank.history.ofAddress(wanted).toReversed()
    const at = (name: string) =>
      newestFirst.findIndex(({ transaction }) => transaction.signature === name)
    const before = read?.before ? at(read.before) : -1
    if (read?.before && before < 0) return []
    const until = read?.until ? at(read.until) : -1
    return newestFirst
      .slice(before + 1, until < 0 ? undefined : until)
      .filter(({ height }) => height <= block.height)
      .slice(0, read?.limit ?? maxSignatures)
      .map((landed) => ({
        signature: landed.transaction.signature,
        slot: landed.slot,
        err: landed.err,
        memo: memoOf(landed.transaction),
        blockTime: landed.blockSeconds,
        confirmationStatus: bank.blocks.commitmentOf(landed),
      }))
  }),
})

function statusOf({ blocks }: Bank, tip: Block, landed: LandedTransaction) {
  const confirmationStatus = blocks.commitmentOf(landed)
  return {
    slot: landed.slot,
    confirmations: confirmationStatus === 'finalized' ? null : tip.height - landed.height,
    err: landed.err,
    status: statusJson(landed.err),
    confirmationStatus,
  }
}

const unsupported = (version: number): RpcError =>
  new RpcError(
    -32_015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )
