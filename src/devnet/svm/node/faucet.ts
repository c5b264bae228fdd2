import { address } from '@solana/kit'
import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import { limitComputeUnits } from '#src/protocol/svm/computeBudget.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'
import { systemProgram } from './addresses.ts'
import { type DecodedTransaction, decodeTransaction } from './decodedTransaction.ts'
import type { Account } from './runtime.ts'

/** In lamports: a million SOL. */
const supply = 1_000_000_000_000_000n

const usedUnits = 1000

/** Pays airdrops. */
export function createFaucet() {
  const signer = svmSigner('faucet')
  let payments = 0
  const account: Account = {
    address: address(signer.pubkey),
    lamports: supply,
    owner: systemProgram,
    data: new Uint8Array(),
    isExecutable: false,
  }
  const pay = async (
    recipient: string,
    lamports: bigint,
    lifetime: Blockhash,
  ): Promise<DecodedTransaction> => {
    payments += 1
    const instructions = [
      // A limit of its own, so that two equal payments are two transactions.
      limitComputeUnits(usedUnits + payments),
      transferLamports({ from: signer.pubkey, to: toPubkey(recipient), lamports }),
    ]
    const message = { payer: signer.pubkey, instructions, lifetime }
    return decodeTransaction((await signTransaction(message, [signer])).bytes)
  }
  return { account, pay }
}
