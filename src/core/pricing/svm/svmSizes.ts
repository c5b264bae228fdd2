import type { Account } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'

type Size = Readonly<{ gas: bigint; bytes: bigint; signatures?: bigint }>

const byKind = (native: Size, token: Size) => (currency: Account) =>
  isNative(currency) ? native : token

// Limits of compute units. Measured on the runtime: up to 16,600 for a new token account, 110 to 6,200 for a transfer
// by the versions of the token program, up to 6,500 for a call of our program, and 150 for each native instruction. A
// program address takes 1,500 more for each bump that its search has to skip.

/** An account without data. Its overhead counts as data for the rent. */
const emptyAccount = 128n
/** @source `Account` of the token program: 165 bytes */
const tokenAccount = emptyAccount + 165n

const paid = byKind({ gas: 5_000n, bytes: 0n }, { gas: 15_000n, bytes: 0n })
/** The record of a deposit is closed by its last payout, so its rent comes back. */
const deposit = byKind({ gas: 40_000n, bytes: 0n }, { gas: 60_000n, bytes: 0n })
/** The marker of the order stays for ever. */
const marker = emptyAccount
const fill = byKind({ gas: 40_000n, bytes: marker }, { gas: 80_000n, bytes: marker + tokenAccount })
/** The token account of a deposit address is closed by its sweep. */
const sweep = byKind({ gas: 50_000n, bytes: 0n }, { gas: 80_000n, bytes: 0n })
/** Signed by the solver, which pays, and by the allocator. */
const settlement = byKind(
  { gas: 40_000n, bytes: 0n, signatures: 2n },
  { gas: 60_000n, bytes: 0n, signatures: 2n },
)
const refund = byKind(
  { gas: 40_000n, bytes: 0n, signatures: 2n },
  { gas: 90_000n, bytes: tokenAccount, signatures: 2n },
)

/** Sizes of transactions on a Solana chain. Nothing is swapped there, so a leg has one currency. */
export const svmSizes = {
  swap: ({ output }: Readonly<{ output: Account }>) => paid(output),
  deposit: ({ output }: Readonly<{ output: Account }>) => deposit(output),
  fill: (
    { input }: Readonly<{ input: Account }>,
    { hasTokenAccount }: Readonly<{ hasTokenAccount?: true }> = {},
  ) => (hasTokenAccount ? { ...fill(input), bytes: marker } : fill(input)),
  usualFill: { gas: 80_000n, bytes: marker + tokenAccount },
  /** Refused on these chains. */
  topup: { gas: 0n, bytes: 0n },
  addressPayment: paid,
  sweep,
  settlement,
  refund,
}
