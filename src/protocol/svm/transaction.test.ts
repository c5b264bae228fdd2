import { createPublicKey, verify } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase58 } from '#src/core/units/svm/base58.ts'
import { pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { svmSignatureOf } from '#src/core/units/svm/signature.ts'
import { blockhash, lamports, pubkey, rawBytes } from '#test/support/arbitraries/svmArbitrary.ts'
import { memo } from './memo.ts'
import { encodeMessage } from './message.ts'
import { keySigner } from './signer.ts'
import { decodeAdvanceNonce, decodeLamportTransfer, transferLamports } from './systemProgram.ts'
import {
  decodeTransaction,
  maxTransactionBytes,
  signTransaction,
  TransactionTooLargeError,
  transactionSize,
  unsignedTransaction,
  withNonce,
} from './transaction.ts'

const isValid = (signature: string, message: Uint8Array, publicKey: Uint8Array) => {
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey])
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return verify(null, message, key, decodeBase58(signature))
}

describe('a transaction', () => {
  it('has a valid signature of every signer, and the first one as its id', async () => {
    await fc.assert(
      fc.asyncProperty(rawBytes(32), rawBytes(32), pubkey, blockhash, lamports, async (...args) => {
        const [one, other, to, lifetime, amount] = args
        fc.pre(String(one) !== String(other))
        const [payer, from] = [keySigner(one), keySigner(other)]
        const transfer = { from: from.pubkey, to, lamports: amount }
        const message = {
          payer: payer.pubkey,
          lifetime,
          instructions: [transferLamports(transfer)],
        }
        const { bytes, signature } = await signTransaction(message, [from, payer])
        const decoded = decodeTransaction(bytes)
        expect(bytes).toHaveLength(transactionSize(message))
        const { signatures, ...unsigned } = decodeTransaction(unsignedTransaction(message))
        expect(decoded).toMatchObject(unsigned)
        expect(signatures).toEqual(Array(2).fill(svmSignatureOf(new Uint8Array(64))))
        expect(decoded.signers).toEqual([payer.pubkey, from.pubkey])
        expect(decoded.signatures[0]).toBe(signature)
        for (const [at, each] of decoded.signatures.entries()) {
          const signer = decoded.signers[at] ?? to
          expect(isValid(each, encodeMessage(message), pubkeyBytes(signer))).toBe(true)
        }
        expect(decoded.instructions.map(decodeLamportTransfer)).toEqual([transfer])
      }),
      { numRuns: 20 },
    )
  })

  it('with a nonce advances it first', async () => {
    await fc.assert(
      fc.asyncProperty(rawBytes(32), pubkey, blockhash, async (key, nonceAccount, nonce) => {
        const signer = keySigner(key)
        const owner = { nonceAccount, authority: signer.pubkey }
        const message = withNonce({ ...owner, nonce }, { payer: signer.pubkey, instructions: [] })
        const decoded = decodeTransaction((await signTransaction(message, [signer])).bytes)
        expect(decoded.lifetime).toBe(nonce)
        expect(decoded.instructions.map(decodeAdvanceNonce)).toEqual([owner])
      }),
      { numRuns: 10 },
    )
  })

  it('fits into a packet, or is refused', async () => {
    const signer = keySigner(new Uint8Array(32).fill(1))
    const [lifetime] = fc.sample(blockhash, 1)
    if (lifetime === undefined) throw new Error('no sample')
    const of = (length: number) => ({
      payer: signer.pubkey,
      lifetime,
      instructions: [memo('a'.repeat(length))],
    })
    const rest = maxTransactionBytes - transactionSize(of(1_000))
    const { bytes } = await signTransaction(of(1_000 + rest), [signer])
    expect(bytes).toHaveLength(maxTransactionBytes)
    await expect(signTransaction(of(1_001 + rest), [signer])).rejects.toThrow(
      TransactionTooLargeError,
    )
  })

  it('is not signed without one of its signers', async () => {
    const [one, other] = [1, 2].map((byte) => keySigner(new Uint8Array(32).fill(byte)))
    const [lifetime] = fc.sample(blockhash, 1)
    if (one === undefined || other === undefined || lifetime === undefined) throw new Error('none')
    const transfer = transferLamports({ from: other.pubkey, to: one.pubkey, lamports: 1n })
    await expect(
      signTransaction({ payer: one.pubkey, lifetime, instructions: [transfer] }, [one]),
    ).rejects.toThrow(`The signature of ${other.pubkey} is missing`)
  })
})

describe('a key', () => {
  it('is also read with its public key behind it', () => {
    fc.assert(
      fc.property(rawBytes(32), (seed) => {
        const { pubkey: account } = keySigner(seed)
        const file = Uint8Array.from([...seed, ...pubkeyBytes(account)])
        expect(keySigner(file).pubkey).toBe(account)
        const [last = 0] = file.slice(-1)
        expect(() => keySigner(Uint8Array.from([...file.slice(0, -1), last ^ 1]))).toThrow(
          'The second half of the key is not the public key of the first',
        )
      }),
      { numRuns: 10 },
    )
  })

  it('has 32 or 64 bytes', () => {
    expect(() => keySigner(new Uint8Array(33))).toThrow('A key has 32 or 64 bytes, not 33')
  })
})
