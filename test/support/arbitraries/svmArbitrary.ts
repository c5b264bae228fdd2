import fc from 'fast-check'
import { blockhashOf } from '#src/core/units/svm/blockhash.ts'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { svmSignatureOf } from '#src/core/units/svm/signature.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import type { Message } from '#src/protocol/svm/message.ts'

export const rawBytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })

/** Zeros at either end are frequent, because encodings of numbers lose them. */
export const paddedBytes = (length: number) =>
  fc
    .tuple(rawBytes(length), fc.nat(length), fc.nat(length))
    .map(([bytes, start, end]) => bytes.fill(0, 0, start).fill(0, length - end))

export const pubkey = fc.oneof(rawBytes(32), paddedBytes(32)).map(pubkeyOf)
export const blockhash = rawBytes(32).map(blockhashOf)
export const signature = rawBytes(64).map(svmSignatureOf)
export const lamports = fc.bigInt(0n, 2n ** 64n - 1n)

/** Instructions that share accounts, with different rights. */
export const message: fc.Arbitrary<Message> = fc
  .uniqueArray(pubkey, { minLength: 2, maxLength: 12 })
  .chain((accounts) => {
    const account = fc.constantFrom(...accounts)
    const meta = fc.record({ pubkey: account, isSigner: fc.boolean(), isWritable: fc.boolean() })
    const instruction: fc.Arbitrary<Instruction> = fc.record({
      programId: account,
      keys: fc.array(meta, { maxLength: 8 }),
      data: fc.uint8Array({ maxLength: 200 }),
    })
    return fc.record({
      payer: account,
      instructions: fc.array(instruction, { maxLength: 4 }),
      lifetime: blockhash,
    })
  })
