import type { DecodedTransaction } from '#src/devnet/svm/node/decodedTransaction.ts'
import type { LandedTransaction } from '#src/devnet/svm/node/history.ts'
import type { Outcome } from '#src/devnet/svm/node/runtime.ts'
import type { TransactionError } from '#src/devnet/svm/node/transactionError.ts'
import { toBase58, toBase64 } from './params.ts'

export const statusJson = (err: TransactionError | null) =>
  err === null ? { Ok: null } : { Err: err }

export const metaJson = (landed: LandedTransaction) => ({
  err: landed.err,
  status: statusJson(landed.err),
  fee: landed.fee,
  ...landed.balances,
  innerInstructions: innerJson(landed),
  logMessages: landed.logs,
  rewards: [],
  loadedAddresses: landed.loadedAddresses,
  computeUnitsConsumed: landed.computeUnits,
  ...(landed.returnData !== null && { returnData: returnDataJson(landed) }),
})

export const innerJson = ({ innerInstructions }: Outcome) =>
  innerInstructions.flatMap((group, index) =>
    group.length === 0
      ? []
      : [{ index, instructions: group.map((each) => ({ ...each, data: toBase58(each.data) })) }],
  )

export const returnDataJson = ({ returnData }: Outcome) =>
  returnData && { programId: returnData.programId, data: [toBase64(returnData.data), 'base64'] }

export function transactionJson(
  transaction: DecodedTransaction,
  encoding: 'json' | 'base58' | 'base64',
): unknown {
  if (encoding === 'base64') return [toBase64(transaction.wire), encoding]
  if (encoding === 'base58') return [toBase58(transaction.wire), encoding]
  const { compiled, lifetime } = transaction.message
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } =
    compiled.header
  return {
    signatures: transaction.signatures,
    message: {
      header: {
        numRequiredSignatures: numSignerAccounts,
        numReadonlySignedAccounts: numReadonlySignerAccounts,
        numReadonlyUnsignedAccounts: numReadonlyNonSignerAccounts,
      },
      accountKeys: compiled.staticAccounts,
      recentBlockhash: lifetime,
      instructions: compiled.instructions.map((instruction) => ({
        programIdIndex: instruction.programAddressIndex,
        accounts: instruction.accountIndices ?? [],
        data: toBase58(new Uint8Array(instruction.data ?? [])),
        stackHeight: 1,
      })),
      ...(compiled.version === 0 && {
        addressTableLookups: (compiled.addressTableLookups ?? []).map((lookup) => ({
          accountKey: lookup.lookupTableAddress,
          writableIndexes: lookup.writableIndexes,
          readonlyIndexes: lookup.readonlyIndexes,
        })),
      }),
    },
  }
}

const memoPrograms: ReadonlySet<string> = new Set([
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
])

/** The memos of a transaction, each with its length. Null without one. */
export function memoOf({ message: { compiled } }: DecodedTransaction): string | null {
  const memos = compiled.instructions.flatMap(({ programAddressIndex, data }) =>
    memoPrograms.has(compiled.staticAccounts[programAddressIndex] ?? '')
      ? [Buffer.from(data ?? [])]
      : [],
  )
  if (memos.length === 0) return null
  return memos.map((memo) => `[${memo.length}] ${memo.toString('utf8')}`).join('; ')
}
