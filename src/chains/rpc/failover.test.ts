import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUsualLatency } from './endpointHealth.ts'
import { askForAgreement, hedge, type Vote } from './failover.ts'

describe('failover', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const answerAfter = (ms: number, kind: string, from: string) =>
    new Promise<Readonly<{ kind: string; from: string }>>((resolve) => {
      setTimeout(() => resolve({ kind, from }), ms)
    })

  describe('a hedged request', () => {
    it.each([
      { first: [20, 'answer'], second: [10, 'answer'], from: 'first', asksBoth: false },
      { first: [90, 'answer'], second: [10, 'answer'], from: 'second', asksBoth: true },
      { first: [55, 'answer'], second: [10, 'answer'], from: 'first', asksBoth: true },
      { first: [90, 'answer'], second: [10, 'absent'], from: 'first', asksBoth: true },
      { first: [90, 'failed'], second: [99, 'answer'], from: 'second', asksBoth: true },
      { first: [90, 'failed'], second: [10, 'absent'], from: 'first', asksBoth: true },
    ] as const)(
      'takes the first answer: $first, $second',
      async ({ first, second, from, asksBoth }) => {
        const spare = vi.fn(() => answerAfter(second[0], second[1], 'second'))
        const outcome = hedge(() => answerAfter(first[0], first[1], 'first'), spare, 50)
        await vi.runAllTimersAsync()
        expect(await outcome).toMatchObject({ from })
        expect(spare).toHaveBeenCalledTimes(Number(asksBoth))
      },
    )

    it('fails as the first request does, and waits for it if there is no spare endpoint', async () => {
      const fail = async (): Promise<{ kind: string; from: string }> => {
        await answerAfter(90, '', '')
        throw new Error('reverted')
      }
      const both = hedge(fail, () => answerAfter(10, 'absent', 'second'), 50).catch(String)
      const alone = hedge(
        () => answerAfter(90, 'answer', 'first'),
        () => undefined,
        50,
      )
      await vi.runAllTimersAsync()
      expect(await both).toBe('Error: reverted')
      expect(await alone).toMatchObject({ from: 'first' })
    })
  })

  describe('the threshold of a slow answer', () => {
    it('follows the latency of each method', () => {
      const { record, slowAfterMs } = createUsualLatency()
      for (let count = 0; count < 7; count += 1) record('eth_call', 80)
      expect(slowAfterMs('eth_call')).toBe(1_000)
      for (let count = 0; count < 50; count += 1) record('eth_call', count % 2 === 0 ? 80 : 100)
      expect(slowAfterMs('eth_call')).toBeGreaterThan(100)
      expect(slowAfterMs('eth_call')).toBeLessThan(160)
      for (let count = 0; count < 50; count += 1) record('eth_getLogs', 2)
      expect(slowAfterMs('eth_getLogs')).toBe(50)
      for (let count = 0; count < 50; count += 1) record('eth_getLogs', 9_000)
      expect(slowAfterMs('eth_getLogs')).toBe(2_000)
    })
  })
})

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
