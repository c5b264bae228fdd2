import { RpcRequestError } from 'viem'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { Ask } from '#src/chains/rpc/failover.ts'
import {
  RpcRefusedError,
  RpcUnavailableError,
  UnusableAnswerError,
} from '#src/chains/rpc/rpcError.ts'
import type { RpcRequest } from '#src/chains/rpc/rpcRequest.ts'
import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { type SvmSignature, svmSignatureOf } from '#src/core/units/svm/signature.ts'
import {
  type AccountsAt,
  type AddressedAccount,
  type Commitment,
  type HistoryEntry,
  type LatestBlockhash,
  type PriorityFee,
  parseAccounts,
  parseBalance,
  parseGenesis,
  parseLamports,
  parseLatestBlockhash,
  parseOwnedAccounts,
  parsePriorityFees,
  parseSignature,
  parseSimulation,
  parseSlot,
  parseStatuses,
  type SignatureStatus,
  type Simulation,
} from './svmAnswers.ts'
import { type HistoryCursor, readHistory } from './svmHistory.ts'
import { parseTransaction, type SvmTransaction } from './svmTransaction.ts'

/** A transaction of a version that this service does not read. No wallet makes one for a quote. */
export class UnsupportedVersionError extends RpcRefusedError {}

/** Typed requests. Each throws RpcUnavailableError and RpcRefusedError. Amounts are lamports. */
export type SvmRpc = Readonly<{
  /** The hash of the first block. */
  getGenesis: () => Promise<Blockhash>
  getSlot: (commitment: Commitment) => Promise<bigint>
  /** The number of blocks, which is below the slot: slots may stay empty. Block hashes expire by it. */
  getBlockHeight: (commitment: Commitment) => Promise<bigint>
  getLatestBlockhash: (commitment: Commitment) => Promise<LatestBlockhash>
  getBalance: (account: Pubkey, commitment: Commitment) => Promise<bigint>
  /** More than 100 accounts are read in parts, and `slot` is the lowest of theirs. */
  getAccounts: (accounts: readonly Pubkey[], commitment: Commitment) => Promise<AccountsAt>
  /** The token accounts of `owner` for one currency. */
  getTokenAccounts: (
    owner: Pubkey,
    mint: Pubkey,
    commitment: Commitment,
  ) => Promise<readonly AddressedAccount[]>
  /** The accounts of a program with so many bytes of data. Many public nodes refuse it. */
  getProgramAccounts: (
    program: Pubkey,
    bytes: number,
    commitment: Commitment,
  ) => Promise<readonly AddressedAccount[]>
  /** The lamports that keep an account of `bytes` alive. */
  getRent: (bytes: number) => Promise<bigint>
  /** Of the last 150 blocks, for transactions that write to all of `accounts`. */
  getPriorityFees: (accounts: readonly Pubkey[]) => Promise<readonly PriorityFee[]>
  /** As `readHistory` says. @throws HistoryGapError */
  getHistory: (
    account: Pubkey,
    after: HistoryCursor,
    until?: bigint,
    commitment?: 'confirmed' | 'finalized',
  ) => Promise<readonly HistoryEntry[]>
  /** Undefined if no endpoint has it at this commitment. @throws UnsupportedVersionError */
  getTransaction: (
    signature: SvmSignature,
    commitment: 'confirmed' | 'finalized',
  ) => Promise<SvmTransaction | undefined>
  /** In the order of the request. Undefined: the endpoint that was asked does not know the transaction. */
  getStatuses: (
    signatures: readonly SvmSignature[],
  ) => Promise<readonly (SignatureStatus | undefined)[]>
  /** Runs a transaction on the state at `processed`, with a fresh block hash and without checking its signatures. */
  simulate: (transaction: Uint8Array) => Promise<Simulation>
  /** Sends without a simulation. That the node takes it does not mean that it lands. */
  send: (transaction: Uint8Array) => Promise<SvmSignature>
}>

type Chain = Readonly<{ id: number; displayName: string }>

const maxAccounts = 100
const maxStatuses = 256
/** @source agave: JSON_RPC_SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION */
const unsupportedVersion = -32_015

export function createSvmRpc(
  chain: Chain,
  { read, send }: Readonly<{ read: Ask; send: Ask }>,
): SvmRpc {
  const ask = withRefusals(chain, read)
  const must = async <Value>(
    method: string,
    params: readonly unknown[],
    parse: (answer: unknown) => Value,
    via = ask,
  ): Promise<Value> => {
    const value = await via({ method, params }, parse)
    if (value === undefined) throw new RpcUnavailableError(chain)
    return value
  }

  return {
    getGenesis: () => must('getGenesisHash', [], parseGenesis),
    getSlot: (commitment) => must('getSlot', [{ commitment }], parseSlot),
    getBlockHeight: (commitment) => must('getBlockHeight', [{ commitment }], parseSlot),
    getLatestBlockhash: (commitment) =>
      must('getLatestBlockhash', [{ commitment }], parseLatestBlockhash),
    getBalance: (account, commitment) =>
      must('getBalance', [account, { commitment }], parseBalance),
    getAccounts: async (accounts, commitment) => {
      const parts = await Promise.all(
        chunksOf(accounts, maxAccounts).map((part) =>
          must('getMultipleAccounts', [part, { commitment, encoding: 'base64' }], (answer) =>
            parseAccounts(answer, part.length),
          ),
        ),
      )
      const slots = parts.map(({ slot }) => Number(slot))
      return {
        slot: slots.length === 0 ? 0n : BigInt(Math.min(...slots)),
        accounts: parts.flatMap((part) => part.accounts),
      }
    },
    getTokenAccounts: (owner, mint, commitment) =>
      must(
        'getTokenAccountsByOwner',
        [owner, { mint }, { commitment, encoding: 'base64' }],
        parseOwnedAccounts,
      ),
    getProgramAccounts: (program, bytes, commitment) => {
      const filters = [{ dataSize: bytes }]
      const options = { commitment, encoding: 'base64', filters, withContext: true }
      return must('getProgramAccounts', [program, options], parseOwnedAccounts)
    },
    getRent: (bytes) => must('getMinimumBalanceForRentExemption', [bytes], parseLamports),
    getPriorityFees: (accounts) =>
      must('getRecentPrioritizationFees', [accounts], parsePriorityFees),
    getHistory: (account, after, until, commitment) =>
      readHistory({ ask }, account, after, until, commitment),
    getTransaction: async (signature, commitment) => {
      const options = { commitment, encoding: 'json', maxSupportedTransactionVersion: 0 }
      const request = { method: 'getTransaction', params: [signature, options] }
      return ask(request, (answer) => parseTransaction(answer, signature))
    },
    getStatuses: async (signatures) => {
      const options = { searchTransactionHistory: true }
      const parts = chunksOf(signatures, maxStatuses).map((part) =>
        must('getSignatureStatuses', [part, options], (answer) =>
          parseStatuses(answer, part.length),
        ),
      )
      return (await Promise.all(parts)).flat()
    },
    simulate: (transaction) =>
      must(
        'simulateTransaction',
        [
          base64(transaction),
          {
            encoding: 'base64',
            sigVerify: false,
            replaceRecentBlockhash: true,
            commitment: 'processed',
          },
        ],
        parseSimulation,
      ),
    send: (transaction) =>
      must(
        'sendTransaction',
        [base64(transaction), { encoding: 'base64', skipPreflight: true }],
        (answer) => parseSent(answer, transaction),
        withRefusals(chain, send),
      ),
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** @throws UnusableAnswerError unless it is the id of the transaction */
function parseSent(answer: unknown, transaction: Uint8Array): SvmSignature {
  const signature = parseSignature(answer)
  // The first byte is the number of signatures: fewer than 20 fit into a packet.
  if (signature !== svmSignatureOf(transaction.slice(1, 65)))
    throw new UnusableAnswerError('the id of another transaction')
  return signature
}

/** Turns every refusal of a node into RpcRefusedError. */
const withRefusals =
  (chain: Chain, ask: Ask): Ask =>
  async (request, parse, signal) => {
    try {
      return await ask(request, parse, signal)
    } catch (error) {
      throw toRefusal(chain, request, error)
    }
  }

function toRefusal(chain: Chain, { method }: RpcRequest, error: unknown): unknown {
  // Some words of nodes count as the final answer to a call on EVM chains, for which `ask` throws an error of viem.
  if (error instanceof RpcRequestError)
    return new RpcRefusedError(chain, { method, code: error.code, reason: error.details })
  if (error instanceof RpcRefusedError && error.rpcCode === unsupportedVersion)
    return new UnsupportedVersionError(chain, { method, code: error.rpcCode, reason: error.words })
  return error
}
