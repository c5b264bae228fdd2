import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmNode, Unsigned } from '#src/devnet/svm/startSvmNode.ts'
import { accountSizes } from '#src/protocol/svm/accounts.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { createAccount } from '#src/protocol/svm/systemProgram.ts'
import { createTokenAccount } from '#src/protocol/svm/tokenProgram.ts'
import { initializeMint, mintTo } from './mintInstructions.ts'

export type PlannedMint = Readonly<{ signer: SvmSigner; decimals: number }>

/** What each holder gets of each currency, in whole units. */
export type Holdings = Readonly<{ holders: readonly Pubkey[]; amount: bigint }>

/** Makes the mints, and a token account with a balance for each holder, in one block. `owner` pays, and may mint. */
export async function createMints(
  node: SvmNode,
  owner: SvmSigner,
  mints: readonly PlannedMint[],
  { holders, amount }: Holdings,
): Promise<void> {
  const authority = owner.pubkey
  const creations = mints.map(
    ({ signer, decimals }): Unsigned => ({
      signers: [owner, signer],
      instructions: [
        createAccount({
          payer: authority,
          account: signer.pubkey,
          lamports: node.rentMinimum(accountSizes.mint),
          space: BigInt(accountSizes.mint),
          owner: programIds.token,
        }),
        initializeMint(signer.pubkey, { decimals, authority }),
      ],
    }),
  )
  const fundings = mints.flatMap(({ signer: { pubkey: mint }, decimals }) =>
    holders.map((holder): Unsigned => {
      const tokenAccount = associatedTokenAddress(holder, mint)
      const minted = amount * 10n ** BigInt(decimals)
      return {
        signers: [owner],
        instructions: [
          createTokenAccount({ payer: authority, owner: holder, mint }),
          mintTo({ mint, tokenAccount, authority, amount: minted }),
        ],
      }
    }),
  )
  await node.land([...creations, ...fundings])
}
