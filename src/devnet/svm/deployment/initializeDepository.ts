import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import { outflowLimit, worth } from '#src/devnet/plan/chainPlan.ts'
import type { SvmNode } from '#src/devnet/svm/startSvmNode.ts'
import { exitSeconds } from '#src/protocol/contracts/protocolContracts.ts'
import { vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { initializeCall, setLimitCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { createTokenAccount } from '#src/protocol/svm/tokenProgram.ts'

type Depository = Readonly<{
  program: Pubkey
  /** Signs payouts. */
  allocator: Pubkey
  /** Gets settlements. */
  payee: Pubkey
  /** What can be deposited, with the limits of payouts that EVM chains have. */
  currencies: readonly Readonly<{ address: Pubkey; decimals: number; price: UsdPrice }>[]
}>

/** Names the roles of the depository, and opens it for currencies, in one block. `owner` may upgrade the program. */
export async function initializeDepository(
  node: SvmNode,
  owner: SvmSigner,
  { program, allocator, payee, currencies }: Depository,
): Promise<void> {
  const authority = owner.pubkey
  const roles = { owner: authority, allocator, payee }
  const vault = vaultAddress(program)
  const openings = currencies.map(({ address: currency, ...priced }) => [
    ...(currency === svmNative
      ? []
      : [createTokenAccount({ payer: authority, owner: vault, mint: currency })]),
    setLimitCall(program, { owner: authority, currency, hourly: worth(outflowLimit, priced) }),
  ])
  const initialize = initializeCall(program, {
    ...roles,
    authority,
    exitSeconds: BigInt(exitSeconds),
  })
  await node.land(
    [[initialize], ...openings].map((instructions) => ({ signers: [owner], instructions })),
  )
}
