import { concatBytes, sha256, stringToBytes } from 'viem'
import { type Pubkey, pubkeyBytes, pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { readLayout, u32, u64 } from './bytes.ts'
import { type CalledInstruction, type Instruction, reads, signs, writes } from './instruction.ts'
import { programIds, sysvars } from './programIds.ts'

/** @source solana-system-interface: SystemInstruction, in the order of its variants */
const tags = {
  createAccount: 0,
  transfer: 2,
  advanceNonce: 4,
  withdrawNonce: 5,
  initializeNonce: 6,
  allocateWithSeed: 9,
  transferWithSeed: 11,
} as const

const call = (
  tag: keyof typeof tags,
  keys: Instruction['keys'],
  args: readonly Uint8Array[] = [],
): Instruction => ({
  programId: programIds.system,
  keys,
  data: concatBytes([u32(tags[tag]), ...args]),
})

/** A payment of lamports. */
export type LamportTransfer = Readonly<{ from: Pubkey; to: Pubkey; lamports: bigint }>

/** Fails on chain if it leaves a new account below the rent minimum. */
export const transferLamports = ({ from, to, lamports }: LamportTransfer): Instruction =>
  call('transfer', [signs(writes(from)), writes(to)], [u64(lamports)])

/** `account` signs too. */
export const createAccount = ({
  payer,
  account,
  lamports,
  space,
  owner,
}: Readonly<{
  payer: Pubkey
  account: Pubkey
  lamports: bigint
  space: bigint
  /** The program that the account belongs to. */
  owner: Pubkey
}>): Instruction =>
  call(
    'createAccount',
    [signs(writes(payer)), signs(writes(account))],
    [u64(lamports), u64(space), pubkeyBytes(owner)],
  )

/** An account without a key of its own: `base` signs for it. @source solana-pubkey: Pubkey::create_with_seed */
export const seededAddress = (base: Pubkey, seed: string): Pubkey =>
  pubkeyOf(
    sha256(
      concatBytes([pubkeyBytes(base), stringToBytes(seed), pubkeyBytes(programIds.system)]),
      'bytes',
    ),
  )

/** Gives an empty account of the system program its space. That anyone has sent it lamports does no harm. */
export const allocateWithSeed = ({
  base,
  seed,
  space,
}: Readonly<{ base: Pubkey; seed: string; space: bigint }>): Instruction =>
  call(
    'allocateWithSeed',
    [writes(seededAddress(base, seed)), signs(reads(base))],
    [
      pubkeyBytes(base),
      u64(BigInt(seed.length)),
      stringToBytes(seed),
      u64(space),
      pubkeyBytes(programIds.system),
    ],
  )

/** A nonce account and the account that may use it. */
export type NonceOwner = Readonly<{ nonceAccount: Pubkey; authority: Pubkey }>

/** Makes a nonce account of an account of 80 bytes that the system program owns. */
export const initializeNonce = ({ nonceAccount, authority }: NonceOwner): Instruction =>
  call(
    'initializeNonce',
    [writes(nonceAccount), reads(sysvars.recentBlockhashes), reads(sysvars.rent)],
    [pubkeyBytes(authority)],
  )

/** As the first instruction of a transaction it lets the nonce's value stand in place of a block hash. */
export const advanceNonce = ({ nonceAccount, authority }: NonceOwner): Instruction =>
  call('advanceNonce', [
    writes(nonceAccount),
    reads(sysvars.recentBlockhashes),
    signs(reads(authority)),
  ])

/** All of its lamports close the account. */
export const withdrawNonce = ({
  nonceAccount,
  authority,
  to,
  lamports,
}: NonceOwner & Readonly<{ to: Pubkey; lamports: bigint }>): Instruction =>
  call(
    'withdrawNonce',
    [
      writes(nonceAccount),
      writes(to),
      reads(sysvars.recentBlockhashes),
      reads(sysvars.rent),
      signs(reads(authority)),
    ],
    [u64(lamports)],
  )

/** Undefined for other instructions. Lamports also move by the creation of accounts, by nonces and by other programs. */
export function decodeLamportTransfer({
  programId,
  accounts,
  data,
}: CalledInstruction): LamportTransfer | undefined {
  if (programId !== programIds.system) return undefined
  return readLayout(data, (reader) => {
    const tag = reader.u32()
    if (tag !== tags.transfer && tag !== tags.transferWithSeed) return undefined
    const [from, second, third] = accounts
    // With a seed, the second account is the base of the first.
    const to = tag === tags.transfer ? second : third
    if (from === undefined || to === undefined) return undefined
    return { from, to, lamports: reader.u64() }
  })
}

/** Undefined for other instructions. */
export function decodeAdvanceNonce({
  programId,
  accounts,
  data,
}: CalledInstruction): NonceOwner | undefined {
  const [nonceAccount, , authority] = accounts
  if (programId !== programIds.system || nonceAccount === undefined || authority === undefined)
    return undefined
  return readLayout(data, (reader) =>
    reader.u32() === tags.advanceNonce ? { nonceAccount, authority } : undefined,
  )
}
