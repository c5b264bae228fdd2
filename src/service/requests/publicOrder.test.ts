import { expect, it } from 'vitest'
import { answerOf, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import { publicOrderId } from './publicOrder.ts'

it('reveals the order id only after a deposit is found', () => {
  const shown = (seq: number, execution: 'solver' | 'user') =>
    publicOrderId(answerOf(stateAt(seq), { execution }))
  expect([0, 1, 2, 4].map((seq) => shown(seq, 'solver') !== undefined)).toEqual([
    false,
    true,
    true,
    true,
  ])
  expect([0, 1].map((seq) => shown(seq, 'user'))).toEqual([undefined, undefined])
})
