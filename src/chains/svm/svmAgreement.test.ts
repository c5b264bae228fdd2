import { expect, it } from 'vitest'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { svmSignatureOf } from '#src/core/units/svm/signature.ts'
import { askForTransaction } from './svmAgreement.ts'
import type { SvmEndpoint } from './svmClient.ts'
import type { SvmTransaction } from './svmTransaction.ts'

const vault = pubkeyOf(new Uint8Array(32).fill(1))
const transaction: SvmTransaction = {
  signature: svmSignatureOf(new Uint8Array(64).fill(5)),
  slot: 7n,
  blockTime: 1,
  error: undefined,
  fee: 5_000n,
  signers: [vault],
  instructions: [
    { programId: vault, accounts: [vault], data: Uint8Array.of(1), parent: undefined },
  ],
  lamports: new Map([[vault, { before: 1n, after: 2n }]]),
  tokens: new Map(),
}

const answering = (rpc: string, answer: () => Promise<SvmTransaction | undefined>) =>
  ({ rpc, isBackingOff: () => false, getTransaction: answer }) as unknown as SvmEndpoint

const same = answering('same', async () => ({ ...transaction, blockTime: 2 }))
const copy = answering('copy', async () => structuredClone(transaction) as SvmTransaction)
const missing = answering('missing', async () => undefined)
const failing = answering('failing', () => Promise.reject(new Error('down')))
const lying = answering('lying', async () => ({
  ...transaction,
  lamports: new Map([[vault, { before: 1n, after: 3n }]]),
}))
const failed = answering('failed', async () => ({ ...transaction, error: '{}' }))

it.each([
  [[same, copy], true],
  [[same, missing, copy], true],
  [[same, failing], false],
  [[same, lying], false],
  [[same, failed], false],
  [[same], false],
])('two endpoints agree or not: %#', async (endpoints, isAgreed) => {
  expect(await askForTransaction(endpoints, 2, transaction)).toMatchObject({ isAgreed })
})

it('says how each one voted', async () => {
  const { votes } = await askForTransaction([lying, missing, failing, same], 2, transaction)
  expect(votes).toEqual(
    new Map([
      ['lying', 'no'],
      ['missing', 'notYet'],
      ['same', 'yes'],
    ]),
  )
})
