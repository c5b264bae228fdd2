import { expect, it } from 'vitest'
import type { Price } from '#src/page/api/answers.ts'
import { isCovered, lossOf } from './loss.js'

const impact = (percent: string, usd: string) => ({ percent, usd })
const lossAt = (percent: string, swap = percent) =>
  lossOf({
    details: { totalImpact: impact(percent, '-2157.123456'), swapImpact: impact(swap, '-1') },
  } as Price)

it('warns from 3 %, and asks from 5 %', () => {
  expect(['0.20', '-2.99', '-3.00', '-4.99', '-5.00'].map((at) => lossAt(at)?.level)).toEqual([
    undefined,
    undefined,
    'high',
    'high',
    'severe',
  ])
})

it('says in words how much is lost, and why', () => {
  expect(lossAt('-12.80')?.words).toBe(
    'You get $2,157.12 less than you pay, 12.8%: the pools are shallow for this amount.',
  )
  expect(lossAt('-12.80', '-0.10')).toMatchObject({ level: 'high', title: 'High fees' })
})

it('asks again when the accepted loss has grown', () => {
  const loss = lossAt('-12.80')
  expect(loss && [12.8, 12.4, 12, 0].map((accepted) => isCovered(loss, accepted))).toEqual([
    true,
    true,
    false,
    false,
  ])
})
