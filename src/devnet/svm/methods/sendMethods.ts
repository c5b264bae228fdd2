import { z } from 'zod'
import { type Bank, lamportsOf, type Simulation } from '#src/devnet/svm/node/bank.ts'
import type { Block } from '#src/devnet/svm/node/blockList.ts'
import type { DecodedTransaction } from '#src/devnet/svm/node/decodedTransaction.ts'
import { feeOf } from '#src/devnet/svm/node/fees.ts'
import type { LoadedAddresses } from '#src/devnet/svm/node/history.ts'
import { allKeys, loadAddresses } from '#src/devnet/svm/node/loadedKeys.ts'
import type { GetAccount } from '#src/devnet/svm/node/runtime.ts'
import { tokenBalances } from '#src/devnet/svm/node/tokens.ts'
import type { TransactionError } from '#src/devnet/svm/node/transactionError.ts'
import type { TransactionPool } from '#src/devnet/svm/node/transactionPool.ts'
import { accountJson } from './accountJson.ts'
import {
  address,
  blockFor,
  commitment,
  inContext,
  type Method,
  method,
  options,
  reading,
  readTransaction,
  whole,
  wireEncoding,
} from './params.ts'
import { invalidParams, RpcError } from './rpcError.ts'
import { innerJson, returnDataJson } from './transactionJson.ts'

type Faucet = (recipient: string, lamports: bigint) => Promise<DecodedTransaction>

const sendOptions = options({
  encoding: wireEncoding,
  skipPreflight: z.boolean().nullish(),
  preflightCommitment: commitment.nullish(),
  maxRetries: whole.nullish(),
  minContextSlot: whole.nullish(),
})

const simulateOptions = options({
  ...reading,
  encoding: wireEncoding,
  sigVerify: z.boolean().nullish(),
  replaceRecentBlockhash: z.boolean().nullish(),
  innerInstructions: z.boolean().nullish(),
  accounts: z
    .strictObject({
      addresses: z.array(address),
      encoding: z.enum(['base64', 'jsonParsed']).nullish(),
    })
    .nullish(),
})

type SimulateOptions = z.output<typeof simulateOptions>

/** Methods that send or try transactions. */
export const sendMethods = (
  bank: Bank,
  pool: TransactionPool,
  faucet: Faucet,
): Record<string, Method> => ({
  sendTransaction: method(z.tuple([z.string(), sendOptions]), ([text, read]) => {
    const transaction = readTransaction(text, read?.encoding)
    if (!read?.skipPreflight) {
      const at = { commitment: read?.preflightCommitment, minContextSlot: read?.minContextSlot }
      checkBeforeSending(bank, blockFor(bank, at), transaction)
    }
    pool.submit(transaction, read?.maxRetries ?? undefined)
    return transaction.signature
  }),
  simulateTransaction: method(z.tuple([z.string(), simulateOptions]), ([text, read]) => {
    const transaction = readTransaction(text, read?.encoding)
    if (read?.sigVerify && read.replaceRecentBlockhash)
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash')
    const block = blockFor(bank, read)
    const simulation = bank.simulate(transaction, block, {
      verifies: read?.sigVerify ?? false,
      anyLifetime: read?.replaceRecentBlockhash ?? false,
    })
    checkSignatures(simulation)
    return inContext(block, simulationJson(bank, block, transaction, simulation, read))
  }),
  requestAirdrop: method(
    z.tuple([address, whole, options({ commitment: commitment.nullish() })]),
    async ([recipient, lamports]) => {
      const transaction = await faucet(recipient, BigInt(lamports))
      pool.submit(transaction, undefined)
      return transaction.signature
    },
  ),
})

function checkBeforeSending(bank: Bank, block: Block, transaction: DecodedTransaction): void {
  const simulation = bank.simulate(transaction, block, { verifies: true, anyLifetime: false })
  checkSignatures(simulation)
  const { err } = simulation.outcome
  if (err === null) return
  const data = simulationJson(bank, block, transaction, simulation, undefined)
  throw new RpcError(-32_002, `Transaction simulation failed: ${textOf(err)}`, data)
}

function checkSignatures({ outcome: { err } }: Simulation): void {
  if (err === 'SignatureFailure')
    throw new RpcError(-32_003, 'Transaction signature verification failure')
  if (err === 'SanitizeFailure')
    throw invalidParams(
      'invalid transaction: Transaction failed to sanitize accounts offsets correctly',
    )
}

function simulationJson(
  bank: Bank,
  block: Block,
  transaction: DecodedTransaction,
  { outcome, get }: Simulation,
  read: SimulateOptions,
) {
  const { message } = transaction
  const before = bank.accountsAt(block).get
  const loadedAddresses = loadAddresses(message.compiled, before)
  const keys = allKeys(message.compiled, loadedAddresses)
  const { blockhash } = block
  return {
    err: outcome.err,
    logs: outcome.logs,
    accounts: accountsJson(outcome.err, get, keys.length, read?.accounts),
    unitsConsumed: outcome.computeUnits,
    returnData: returnDataJson(outcome),
    innerInstructions: read?.innerInstructions ? innerJson(outcome) : null,
    replacementBlockhash: read?.replaceRecentBlockhash
      ? { blockhash, lastValidBlockHeight: bank.blocks.lastValidHeight(blockhash, block) }
      : null,
    fee: feeOf(message),
    ...balancesJson(keys, before, get),
    loadedAddresses: loadedAddresses satisfies LoadedAddresses,
  }
}

function balancesJson(
  keys: readonly Parameters<GetAccount>[0][],
  before: GetAccount,
  after: GetAccount,
) {
  const pre = keys.map(before)
  const post = keys.map(after)
  return {
    preBalances: pre.map(lamportsOf),
    postBalances: post.map(lamportsOf),
    preTokenBalances: tokenBalances(pre, before),
    postTokenBalances: tokenBalances(post, after),
  }
}

function accountsJson(
  err: TransactionError | null,
  get: GetAccount,
  max: number,
  wanted: NonNullable<SimulateOptions>['accounts'],
) {
  if (!wanted) return null
  if (wanted.addresses.length > max) throw invalidParams(`Too many accounts provided; max ${max}`)
  const format = { encoding: wanted.encoding ?? ('base64' as const) }
  return wanted.addresses.map((each) => (err === null ? accountJson(get(each), format, get) : null))
}

/** The errors that people meet most, in the words of a real node. */
function textOf(err: TransactionError): string {
  if (err === 'BlockhashNotFound') return 'Blockhash not found'
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed'
  if (err === 'AccountNotFound')
    return 'Attempt to debit an account but found no record of a prior credit.'
  if (typeof err === 'string') return err
  if (!('InstructionError' in err)) return JSON.stringify(err)
  const [index, cause] = err.InstructionError
  const custom = typeof cause === 'object' && 'Custom' in cause ? cause.Custom : undefined
  const reason =
    custom === undefined ? JSON.stringify(cause) : `custom program error: 0x${custom.toString(16)}`
  return `Error processing Instruction ${index}: ${reason}`
}
