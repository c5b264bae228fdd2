import { expect, it } from 'vitest'
import { askForAgreement, type Vote } from './agreement.ts'

type Answer = Vote | 'fails' | 'hangs' | 'backsOff'

async function voteOf(answer: Answer): Promise<Vote> {
  if (answer === 'fails') throw new Error('unavailable')
  if (answer === 'hangs') return new Promise(() => undefined)
  return answer === 'backsOff' ? 'yes' : answer
}

const askAll = (needed: number, ...answers: readonly Answer[]) => {
  const endpoints = answers.map((answer, at) => {
    return { rpc: `rpc-${at}`, isBackingOff: () => answer === 'backsOff', answer }
  })
  return askForAgreement(endpoints, needed, ({ answer }) => voteOf(answer))
}

it('agrees once enough endpoints say yes, without waiting for the others', async () => {
  expect(await askAll(2, 'yes', 'hangs', 'yes')).toMatchObject({ isAgreed: true })
  expect(await askAll(1, 'fails', 'yes')).toMatchObject({ isAgreed: true })
})

it('does not agree on the vote of one endpoint, for any outcome of the others', async () => {
  for (const other of ['no', 'notYet', 'fails', 'backsOff'] as const)
    expect(await askAll(2, 'yes', other)).toMatchObject({ isAgreed: false })
})

it('reports the vote of each endpoint', async () => {
  const { votes } = await askAll(2, 'yes', 'fails', 'no')
  expect([...votes]).toEqual([
    ['rpc-0', 'yes'],
    ['rpc-2', 'no'],
  ])
})
