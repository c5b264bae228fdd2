import { z } from 'zod'
import { parse } from '#src/chains/rpc/rpcAnswer.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import { decodeBase58 } from '#src/core/units/svm/base58.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'
import {
  errorShape,
  lamportShape,
  pubkeyShape,
  safeCount,
  signatureShape,
  slotShape,
} from './svmAnswers.ts'

/** An instruction that ran. */
type ExecutedInstruction = Readonly<{
  programId: Pubkey
  accounts: readonly Pubkey[]
  /** Empty if it has more than 1,024 bytes: no instruction that is read here has. */
  data: Uint8Array
  /** The place of its caller in the list; undefined for an instruction of the transaction itself. */
  parent: number | undefined
}>

/** The amounts of an account before and after the transaction. */
type BalanceChange = Readonly<{ before: bigint; after: bigint }>

/** The tokens of a token account before and after the transaction. */
type TokenChange = BalanceChange &
  Readonly<{
    mint: Pubkey
    /** Whose tokens they are; undefined if the node does not say. */
    owner: Pubkey | undefined
    /** The token program; undefined if the node does not say. */
    programId: Pubkey | undefined
  }>

/** A transaction in a block. */
export type SvmTransaction = Readonly<{
  signature: SvmSignature
  slot: bigint
  /** Unix time in seconds; undefined if the node does not know it. */
  blockTime: number | undefined
  /** Undefined if it succeeded. A failed one has changed nothing but the fee and its nonce. */
  error: string | undefined
  /** Lamports that its payer paid. */
  fee: bigint
  /** The first one is the payer. */
  signers: readonly Pubkey[]
  /** In the order in which they began. */
  instructions: readonly ExecutedInstruction[]
  /** Lamports by account. */
  lamports: ReadonlyMap<Pubkey, BalanceChange>
  /** By token account. */
  tokens: ReadonlyMap<Pubkey, TokenChange>
}>

const place = safeCount.max(255)

const calledShape = z.object({
  programIdIndex: place,
  accounts: z.array(place),
  data: z.string(),
  /** 1 for an instruction of the transaction, 2 for one that it calls, and so on. */
  stackHeight: safeCount.nullish(),
})

const tokenShape = z.object({
  accountIndex: place,
  mint: pubkeyShape,
  owner: pubkeyShape.nullish(),
  programId: pubkeyShape.nullish(),
  uiTokenAmount: z.object({
    amount: z
      .string()
      .regex(/^\d{1,20}$/)
      .transform(BigInt),
  }),
})

const transactionShape = z.object({
  slot: slotShape,
  blockTime: safeCount.nullish(),
  transaction: z.object({
    signatures: z.array(signatureShape).min(1),
    message: z.object({
      header: z.object({ numRequiredSignatures: safeCount }),
      accountKeys: z.array(pubkeyShape),
      instructions: z.array(calledShape),
    }),
  }),
  meta: z.object({
    err: errorShape,
    fee: lamportShape,
    preBalances: z.array(lamportShape),
    postBalances: z.array(lamportShape),
    preTokenBalances: z.array(tokenShape).nullish(),
    postTokenBalances: z.array(tokenShape).nullish(),
    // A node that does not record them would hide deposits that other programs make.
    innerInstructions: z.array(z.object({ index: place, instructions: z.array(calledShape) })),
    loadedAddresses: z
      .object({ writable: z.array(pubkeyShape), readonly: z.array(pubkeyShape) })
      .nullish(),
  }),
})

type Raw = z.output<typeof transactionShape>
type Called = z.output<typeof calledShape>

/** Undefined if the node does not have it. @throws UnusableAnswerError */
export function parseTransaction(
  answer: unknown,
  signature: SvmSignature,
): SvmTransaction | undefined {
  if (answer === null) return undefined
  const raw = parse(transactionShape, answer)
  const { slot, blockTime, transaction, meta } = raw
  const { signatures, message } = transaction
  if (signatures[0] !== signature) throw new UnusableAnswerError('another transaction')
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  const accounts = [...message.accountKeys, ...writable, ...readonly]
  if (meta.preBalances.length !== accounts.length || meta.postBalances.length !== accounts.length)
    throw new UnusableAnswerError('another number of balances than of accounts')
  return {
    signature,
    slot,
    blockTime: blockTime ?? undefined,
    error: meta.err,
    fee: meta.fee,
    signers: accounts.slice(0, message.header.numRequiredSignatures),
    instructions: executedIn(raw, accounts),
    lamports: new Map(
      accounts.map((account, at) => [
        account,
        { before: meta.preBalances[at] ?? 0n, after: meta.postBalances[at] ?? 0n },
      ]),
    ),
    tokens: tokensIn(raw, accounts),
  }
}

/** The instructions of the transaction, each followed by those that it called. */
function executedIn({ transaction, meta }: Raw, accounts: readonly Pubkey[]) {
  const inner = new Map(meta.innerInstructions.map((each) => [each.index, each.instructions]))
  const executed: ExecutedInstruction[] = []
  const outer = transaction.message.instructions
  for (const [index, instruction] of outer.entries()) {
    /** The places of the running instructions. */
    const stack = [executed.length]
    executed.push(toExecuted(instruction, accounts, undefined))
    for (const each of inner.get(index) ?? []) {
      // Older nodes do not say who called: then it counts as a call of the transaction's instruction.
      const height = each.stackHeight ?? 2
      if (height < 2 || height > stack.length + 1)
        throw new UnusableAnswerError('a call without its caller')
      stack.length = height - 1
      const parent = stack.at(-1)
      stack.push(executed.length)
      executed.push(toExecuted(each, accounts, parent))
    }
  }
  if ([...inner.keys()].some((index) => index >= outer.length))
    throw new UnusableAnswerError('calls of no instruction')
  return executed
}

/** A program may call another one with 10 kB, whose decoding would take long. Base58 has 1.37 digits for a byte. */
const maxDataDigits = 1_399

function toExecuted(
  { programIdIndex, accounts: places, data }: Called,
  accounts: readonly Pubkey[],
  parent: number | undefined,
): ExecutedInstruction {
  return {
    programId: accountAt(accounts, programIdIndex),
    accounts: places.map((each) => accountAt(accounts, each)),
    data: data.length > maxDataDigits ? new Uint8Array() : toBytes(data),
    parent,
  }
}

function toBytes(data: string): Uint8Array {
  try {
    return decodeBase58(data)
  } catch {
    throw new UnusableAnswerError('data that is not base58')
  }
}

function accountAt(accounts: readonly Pubkey[], index: number): Pubkey {
  const account = accounts[index]
  if (account === undefined) throw new UnusableAnswerError('an account that is not in the list')
  return account
}

/** An account without an entry before did not exist, and one without an entry after is closed. */
function tokensIn({ meta }: Raw, accounts: readonly Pubkey[]): ReadonlyMap<Pubkey, TokenChange> {
  const changes = new Map<Pubkey, TokenChange>()
  for (const { accountIndex, mint, owner, programId, uiTokenAmount } of meta.preTokenBalances ?? [])
    changes.set(accountAt(accounts, accountIndex), {
      mint,
      owner: owner ?? undefined,
      programId: programId ?? undefined,
      before: uiTokenAmount.amount,
      after: 0n,
    })
  for (const { accountIndex, mint, owner, programId, uiTokenAmount } of meta.postTokenBalances ??
    []) {
    const account = accountAt(accounts, accountIndex)
    const known = changes.get(account)
    changes.set(account, {
      mint,
      owner: owner ?? undefined,
      programId: programId ?? undefined,
      // The account may have been closed and made again for another currency.
      before: known?.mint === mint ? known.before : 0n,
      after: uiTokenAmount.amount,
    })
  }
  return changes
}
