import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { accountSizes, decodeNonceAccount, type NonceAccount } from '#src/protocol/svm/accounts.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import {
  allocateWithSeed,
  initializeNonce,
  seededAddress,
  transferLamports,
} from '#src/protocol/svm/systemProgram.ts'

/** Transactions of the solver that may be open at the same time. */
const count = 12

const seeds = Array.from({ length: count }, (_, at) => `crossquote nonce ${at}`)

/** The nonce accounts of the solver. Nobody has a key of theirs, and a new database finds them again. */
export const nonceAccountsOf = (solver: Pubkey): readonly Pubkey[] =>
  seeds.map((seed) => seededAddress(solver, seed))

/** An account as a node answers it. */
type Found = Parameters<typeof decodeNonceAccount>[0] & Readonly<{ lamports: bigint }>

/** The value of a nonce account of the solver; undefined if it is not made yet. */
export function nonceOf(found: Found | undefined, solver: Pubkey): Blockhash | undefined {
  const decoded: NonceAccount | undefined = found && decodeNonceAccount(found)
  return decoded?.authority === solver ? decoded.nonce : undefined
}

/**
 * Makes a nonce account. Anyone may have sent lamports to its address: then less is added.
 * @param rent lamports that it has to hold
 */
export function makeNonceAccount(
  solver: Pubkey,
  nonceAccount: Pubkey,
  { held, rent }: Readonly<{ held: bigint; rent: bigint }>,
): readonly Instruction[] {
  const seed = seeds.find((each) => seededAddress(solver, each) === nonceAccount)
  if (seed === undefined) throw new Error(`${nonceAccount} is no nonce account of ${solver}`)
  const missing = rent - held
  return [
    ...(missing > 0n
      ? [transferLamports({ from: solver, to: nonceAccount, lamports: missing })]
      : []),
    allocateWithSeed({ base: solver, seed, space: BigInt(accountSizes.nonce) }),
    initializeNonce({ nonceAccount, authority: solver }),
  ]
}
