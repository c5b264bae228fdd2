import { z } from 'zod'
import { parse } from '#src/chains/rpc/rpcAnswer.ts'
import { type Blockhash, toBlockhash } from '#src/core/units/svm/blockhash.ts'
import { type Pubkey, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { type SvmSignature, toSvmSignature } from '#src/core/units/svm/signature.ts'

/** `processed`: a fork may still drop it. `confirmed`: two thirds of the stake voted for it. `finalized`: for ever. */
export type Commitment = 'processed' | 'confirmed' | 'finalized'

/** Text that a constructor of a brand accepts. Its error names no foreign text. */
const brandOf = <Brand>(make: (text: string) => Brand) =>
  z.string().transform((text, context): Brand => {
    try {
      return make(text)
    } catch (error) {
      context.issues.push({ code: 'custom', message: String(error), input: text })
      return z.NEVER
    }
  })

export const pubkeyShape = brandOf<Pubkey>(toPubkey)
export const signatureShape = brandOf<SvmSignature>(toSvmSignature)
const blockhashShape = brandOf<Blockhash>(toBlockhash)

/** Slots, heights, times and counts. */
export const safeCount = z.int().nonnegative()
export const slotShape = safeCount.transform(BigInt)

/**
 * JSON numbers are exact up to 2^53 - 1 lamports, which are 9 million SOL. A larger balance reads as that, and a
 * payment into it as none.
 */
export const lamportShape = z
  .number()
  .nonnegative()
  .refine(Number.isInteger, 'not a whole number')
  .transform((value) => BigInt(Math.min(value, Number.MAX_SAFE_INTEGER)))

/** The error of a transaction as the node words it; undefined if it succeeded. */
export const errorShape = z
  .unknown()
  .transform((error) => (error == null ? undefined : JSON.stringify(error).slice(0, 300)))

/** An answer that says at which slot it was read. */
const withSlot = <Shape extends z.ZodType>(value: Shape) =>
  z.object({ context: z.object({ slot: slotShape }), value })

/** The content of an account. */
type SvmAccount = Readonly<{
  /** The program that it belongs to. */
  owner: Pubkey
  lamports: bigint
  data: Uint8Array
  executable: boolean
}>

const accountShape = z
  .object({
    owner: pubkeyShape,
    lamports: lamportShape,
    data: z.tuple([z.base64(), z.literal('base64')]),
    executable: z.boolean(),
  })
  .transform(
    ({ data: [data], ...account }): SvmAccount => ({
      ...account,
      data: Uint8Array.from(Buffer.from(data, 'base64')),
    }),
  )

const accountsShape = withSlot(z.array(accountShape.nullable()))

/** Accounts as they were at one slot. */
export type AccountsAt = Readonly<{
  slot: bigint
  /** In the order of the request; undefined for one that does not exist. */
  accounts: readonly (SvmAccount | undefined)[]
}>

/** @throws UnusableAnswerError unless there are `count` accounts */
export function parseAccounts(answer: unknown, count: number): AccountsAt {
  const { context, value } = parse(
    accountsShape.refine((each) => each.value.length === count, 'another number of accounts'),
    answer,
  )
  return { slot: context.slot, accounts: value.map((account) => account ?? undefined) }
}

const ownedShape = withSlot(z.array(z.object({ pubkey: pubkeyShape, account: accountShape })))

/** An account and its address. */
export type AddressedAccount = Readonly<{ pubkey: Pubkey; account: SvmAccount }>

/** @throws UnusableAnswerError */
export const parseOwnedAccounts = (answer: unknown): readonly AddressedAccount[] =>
  parse(ownedShape, answer).value

/** @throws UnusableAnswerError */
export const parseSlot = (answer: unknown): bigint => parse(slotShape, answer)

/** @throws UnusableAnswerError */
export const parseLamports = (answer: unknown): bigint => parse(lamportShape, answer)

/** @throws UnusableAnswerError */
export const parseBalance = (answer: unknown): bigint => parse(withSlot(lamportShape), answer).value

const latestShape = withSlot(
  z.object({ blockhash: blockhashShape, lastValidBlockHeight: slotShape }),
)

/** A block hash for a transaction, and the last block height at which it may land. */
export type LatestBlockhash = Readonly<{ blockhash: Blockhash; lastValidBlockHeight: bigint }>

/** @throws UnusableAnswerError */
export const parseLatestBlockhash = (answer: unknown): LatestBlockhash =>
  parse(latestShape, answer).value

const entryShape = z.object({
  signature: signatureShape,
  slot: slotShape,
  err: errorShape,
  blockTime: safeCount.nullish(),
})

/** A transaction in the history of an account. */
export type HistoryEntry = Readonly<{
  signature: SvmSignature
  slot: bigint
  /** Undefined if it succeeded. */
  error: string | undefined
}>

const historyShape = z.array(
  entryShape.transform(
    ({ signature, slot, err }): HistoryEntry => ({ signature, slot, error: err }),
  ),
)

/** Newest first. @throws UnusableAnswerError */
export const parseHistory = (answer: unknown): readonly HistoryEntry[] =>
  parse(historyShape, answer)

const statusShape = z.object({
  slot: slotShape,
  err: errorShape,
  confirmationStatus: z.enum(['processed', 'confirmed', 'finalized']).nullish(),
})

/** What became of a transaction. */
export type SignatureStatus = Readonly<{
  slot: bigint
  /** Undefined if it succeeded. */
  error: string | undefined
  commitment: Commitment
}>

const statusesShape = withSlot(z.array(statusShape.nullable()))

/** Undefined for a transaction that the node does not know. @throws UnusableAnswerError unless there are `count` */
export function parseStatuses(
  answer: unknown,
  count: number,
): readonly (SignatureStatus | undefined)[] {
  const { value } = parse(
    statusesShape.refine((each) => each.value.length === count, 'another number of statuses'),
    answer,
  )
  return value.map((status) => {
    if (status === null) return undefined
    const { slot, err, confirmationStatus } = status
    return { slot, error: err, commitment: confirmationStatus ?? 'processed' }
  })
}

const simulationShape = withSlot(
  z.object({
    err: errorShape,
    logs: z.array(z.string()).nullish(),
    unitsConsumed: safeCount.nullish(),
  }),
)

/** What a transaction would do. */
export type Simulation = Readonly<{
  /** Undefined if it would succeed. */
  error: string | undefined
  logs: readonly string[]
  /** Compute units. Undefined if the node does not say. */
  unitsConsumed: number | undefined
}>

/** @throws UnusableAnswerError */
export function parseSimulation(answer: unknown): Simulation {
  const { err, logs, unitsConsumed } = parse(simulationShape, answer).value
  return { error: err, logs: logs ?? [], unitsConsumed: unitsConsumed ?? undefined }
}

const feesShape = z.array(z.object({ slot: slotShape, prioritizationFee: lamportShape }))

/** The lowest price of a compute unit that landed in a block, in millionths of a lamport. */
export type PriorityFee = Readonly<{ slot: bigint; microLamports: bigint }>

/** @throws UnusableAnswerError */
export const parsePriorityFees = (answer: unknown): readonly PriorityFee[] =>
  parse(feesShape, answer).map(({ slot, prioritizationFee }) => ({
    slot,
    microLamports: prioritizationFee,
  }))

/** @throws UnusableAnswerError */
export const parseSignature = (answer: unknown): SvmSignature => parse(signatureShape, answer)

/** @throws UnusableAnswerError */
export const parseGenesis = (answer: unknown): Blockhash => parse(blockhashShape, answer)
