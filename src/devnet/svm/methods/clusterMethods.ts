import { z } from 'zod'
import type { Bank } from '#src/devnet/svm/node/bank.ts'
import type { Block } from '#src/devnet/svm/node/blockList.ts'
import { type DecodedMessage, decodeMessage } from '#src/devnet/svm/node/decodedTransaction.ts'
import { feeOf, unitPrice } from '#src/devnet/svm/node/fees.ts'
import { writableKeys } from '#src/devnet/svm/node/loadedKeys.ts'
import {
  address,
  apiVersion,
  blockFor,
  commitment,
  inContext,
  type Method,
  method,
  options,
  readBytes,
  reading,
  whole,
} from './params.ts'
import { invalidParams, RpcError } from './rpcError.ts'

/** Blocks that `getRecentPrioritizationFees` reports. */
const feeBlocks = 150

/** Accounts may be as large as this. */
const maxAccountBytes = 10 * 1024 * 1024

const nothing = z.tuple([])
const readOptions = options(reading)

/** Methods about blocks and fees. */
export const clusterMethods = (bank: Bank): Record<string, Method> => ({
  getHealth: method(nothing, () => 'ok'),
  getVersion: method(nothing, () => ({ 'solana-core': apiVersion, 'feature-set': 0 })),
  getGenesisHash: method(nothing, () => bank.genesisHash),
  getSlot: method(z.tuple([readOptions]), ([read]) => blockFor(bank, read).slot),
  getBlockHeight: method(z.tuple([readOptions]), ([read]) => blockFor(bank, read).height),
  getBlockTime: method(z.tuple([whole]), ([slot]) => blockAtSlot(bank, slot).unixSeconds),
  getFirstAvailableBlock: method(nothing, () => firstSlot(bank)),
  minimumLedgerSlot: method(nothing, () => firstSlot(bank)),
  getLatestBlockhash: method(z.tuple([readOptions]), ([read]) => {
    const block = blockFor(bank, read)
    const { blockhash } = block
    const lastValidBlockHeight = bank.blocks.lastValidHeight(blockhash, block)
    return inContext(block, { blockhash, lastValidBlockHeight })
  }),
  isBlockhashValid: method(z.tuple([address, readOptions]), ([blockhash, read]) => {
    const block = blockFor(bank, read)
    return inContext(block, bank.blocks.lastValidHeight(blockhash, block) !== undefined)
  }),
  getMinimumBalanceForRentExemption: method(
    z.tuple([whole.max(maxAccountBytes), options({ commitment: commitment.nullish() })]),
    ([bytes]) => bank.runtime.rentMinimum(bytes),
  ),
  getFeeForMessage: method(z.tuple([z.string(), readOptions]), ([text, read]) => {
    const message = readMessage(text)
    const block = blockFor(bank, read)
    return inContext(block, bank.isAlive(message, block) ? feeOf(message) : null)
  }),
  getRecentPrioritizationFees: method(
    z.tuple([z.array(address).max(128).nullish()]),
    ([accounts]) =>
      bank.blocks.all.slice(-feeBlocks).map((block) => ({
        slot: block.slot,
        prioritizationFee: lowestPrice(block, accounts ?? []),
      })),
  ),
})

/** The lowest price of a compute unit, in millionths of a lamport, that got a transaction of these accounts in. */
function lowestPrice({ transactions }: Block, accounts: readonly string[]): bigint {
  const priced = transactions.map(({ transaction: { message }, loadedAddresses }) => ({
    price: unitPrice(message),
    writes: new Set<string>(writableKeys(message.compiled, loadedAddresses)),
  }))
  const floors = [
    priced,
    ...accounts.map((each) => priced.filter(({ writes }) => writes.has(each))),
  ]
  const lowest = floors.map((each) => ascending(each.map(({ price }) => price))[0] ?? 0n)
  return ascending(lowest).at(-1) ?? 0n
}

const ascending = (values: readonly bigint[]): readonly bigint[] =>
  values.toSorted((one, other) => (one < other ? -1 : 1))

/** Slots before it may be without their blocks and transactions. */
const firstSlot = ({ blocks, history }: Bank): number =>
  Math.max(blocks.all[0]?.slot ?? 0, history.forgottenSlot + 1)

function blockAtSlot({ blocks }: Bank, slot: number): Block {
  if (slot > blocks.tip.slot) throw new RpcError(-32_004, `Block not available for slot ${slot}`)
  const [first] = blocks.all
  if (first === undefined || slot < first.slot)
    throw new RpcError(
      -32_001,
      `Block ${slot} cleaned up, does not exist on node. First available block: ${first?.slot}`,
      { firstAvailableBlock: first?.slot },
    )
  const found = blocks.all.findLast((block) => block.slot === slot)
  if (found !== undefined) return found
  throw new RpcError(
    -32_007,
    `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
  )
}

function readMessage(text: string): DecodedMessage {
  const bytes = readBytes(text, 'base64')
  try {
    return decodeMessage(bytes)
  } catch (error) {
    throw invalidParams(
      `failed to deserialize solana_message::versions::VersionedMessage: ${(error as Error).message}`,
    )
  }
}
