import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { u8 } from '#src/protocol/svm/bytes.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { type Instruction, reads, signs, writes } from '#src/protocol/svm/instruction.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'

type Frozen = Readonly<{ mint: Pubkey; owner: Pubkey; authority: Pubkey }>

/** @source spl-token-interface: TokenInstruction */
const tags = { freeze: 10, thaw: 11 } as const

/** What the issuer of a currency, such as that of USDC, does to an owner's tokens. */
export const setFrozen = (
  change: keyof typeof tags,
  { mint, owner, authority }: Frozen,
): Instruction => ({
  programId: programIds.token,
  keys: [writes(associatedTokenAddress(owner, mint)), reads(mint), signs(reads(authority))],
  data: u8(tags[change]),
})
