import { getTransactionEncoder } from '@solana/kit'
import { z } from 'zod'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { type Method, method, readTransaction } from './params.ts'

/**
 * Methods that clusters lack: the node signs for accounts whose keys anybody knows, as a development node of an EVM
 * chain does. A page needs no key of them.
 */
export const userMethods = (signers: readonly SvmSigner[]): Record<string, Method> => ({
  devnet_accounts: method(z.tuple([]), () => signers.map(({ pubkey }) => pubkey)),
  devnet_signTransaction: method(z.tuple([z.string()]), async ([text]) => {
    const { transaction } = readTransaction(text, 'base64')
    const signatures: Record<string, unknown> = { ...transaction.signatures }
    for (const { pubkey, sign } of signers)
      if (pubkey in signatures)
        signatures[pubkey] = await sign(Uint8Array.from(transaction.messageBytes))
    const signed = { ...transaction, signatures: signatures as typeof transaction.signatures }
    return Buffer.from(getTransactionEncoder().encode(signed)).toString('base64')
  }),
})
