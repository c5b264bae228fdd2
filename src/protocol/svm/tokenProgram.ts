import { concatBytes } from 'viem'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { readLayout, u8, u64 } from './bytes.ts'
import { associatedTokenAddress } from './derivedAddress.ts'
import { type CalledInstruction, type Instruction, reads, signs, writes } from './instruction.ts'
import { programIds } from './programIds.ts'

/** @source spl-token-interface: TokenInstruction */
const tags = { transfer: 3, closeAccount: 9, transferChecked: 12 } as const

/** A payment between two token accounts. */
export type TokenTransfer = Readonly<{
  /** Token accounts, not their owners. */
  source: Pubkey
  destination: Pubkey
  authority: Pubkey
  /** Undefined for the older instruction, which does not name it. */
  mint: Pubkey | undefined
  amount: bigint
}>

/** Fails on chain unless `decimals` are those of the mint. */
export const transferTokens = ({
  source,
  destination,
  authority,
  mint,
  amount,
  decimals,
}: TokenTransfer & Readonly<{ mint: Pubkey; decimals: number }>): Instruction => ({
  programId: programIds.token,
  keys: [writes(source), reads(mint), writes(destination), signs(reads(authority))],
  data: concatBytes([u8(tags.transferChecked), u64(amount), u8(decimals)]),
})

/** Pays the rent of an empty token account to `destination`. */
export const closeTokenAccount = ({
  account,
  destination,
  authority,
}: Readonly<{ account: Pubkey; destination: Pubkey; authority: Pubkey }>): Instruction => ({
  programId: programIds.token,
  keys: [writes(account), writes(destination), signs(reads(authority))],
  data: u8(tags.closeAccount),
})

/** Makes the associated token account of `owner`, if it is missing. `payer` pays its rent. */
export const createTokenAccount = ({
  payer,
  owner,
  mint,
}: Readonly<{ payer: Pubkey; owner: Pubkey; mint: Pubkey }>): Instruction => ({
  programId: programIds.associatedToken,
  keys: [signs(writes(payer)), ...tokenAccountKeys(owner, mint)],
  data: u8(createIdempotent),
})

/** Fails on chain if the associated token account of `owner` is missing, or belongs to another account by now. */
export const requireTokenAccount = ({
  owner,
  mint,
}: Readonly<{ owner: Pubkey; mint: Pubkey }>): Instruction => ({
  programId: programIds.associatedToken,
  // Making it would need a payer that signs.
  keys: [writes(owner), ...tokenAccountKeys(owner, mint)],
  data: u8(createIdempotent),
})

/** The variant that succeeds if the account exists. @source spl-associated-token-account-interface */
const createIdempotent = 1

const tokenAccountKeys = (owner: Pubkey, mint: Pubkey) => [
  writes(associatedTokenAddress(owner, mint)),
  reads(owner),
  reads(mint),
  reads(programIds.system),
  reads(programIds.token),
]

/**
 * Undefined for other instructions. The token program may also move tokens in a batch, which is one instruction: hold
 * the amounts against the balances.
 */
export function decodeTokenTransfer({
  programId,
  accounts,
  data,
}: CalledInstruction): TokenTransfer | undefined {
  if (programId !== programIds.token) return undefined
  return readLayout(data, (reader) => {
    const tag = reader.u8()
    if (tag !== tags.transfer && tag !== tags.transferChecked) return undefined
    const [source, second, third, fourth] = accounts
    const isChecked = tag === tags.transferChecked
    const [mint, destination, authority] = isChecked
      ? [second, third, fourth]
      : [undefined, second, third]
    if (source === undefined || destination === undefined || authority === undefined)
      return undefined
    return { source, destination, authority, mint, amount: reader.u64() }
  })
}
