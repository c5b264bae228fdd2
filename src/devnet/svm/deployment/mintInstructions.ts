import { concatBytes } from 'viem'
import { type Pubkey, pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { u8, u64 } from '#src/protocol/svm/bytes.ts'
import { type Instruction, reads, signs, writes } from '#src/protocol/svm/instruction.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'

/** @source spl-token-interface: TokenInstruction */
const tags = { mintTo: 7, initializeMint2: 20 } as const

/** `authority` may also freeze accounts, as the issuer of USDC may. */
export const initializeMint = (
  mint: Pubkey,
  { decimals, authority }: Readonly<{ decimals: number; authority: Pubkey }>,
): Instruction => ({
  programId: programIds.token,
  keys: [writes(mint)],
  data: concatBytes([
    ...[u8(tags.initializeMint2), u8(decimals), pubkeyBytes(authority)],
    ...[u8(1), pubkeyBytes(authority)],
  ]),
})

type Minting = Readonly<{ mint: Pubkey; tokenAccount: Pubkey; authority: Pubkey; amount: bigint }>

export const mintTo = ({ mint, tokenAccount, authority, amount }: Minting): Instruction => ({
  programId: programIds.token,
  keys: [writes(mint), writes(tokenAccount), signs(reads(authority))],
  data: concatBytes([u8(tags.mintTo), u64(amount)]),
})
