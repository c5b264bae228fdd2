import { setImmediate } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { patience } from '#test/support/patience.ts'
import { createRounds } from './rounds.ts'

/** Rounds of an account whose chain has `unknown` transactions, or whose round throws `error`. No block comes. */
function startRounds() {
  const chainId = toChainId(1)
  const lines: string[] = []
  const logAs = (level: string) => (_: object, text: string) => lines.push(`${level}: ${text}`)
  const log = {
    debug: logAs('debug'),
    info: logAs('info'),
    warn: logAs('warn'),
    error: logAs('error'),
  }
  const stopping = new AbortController()
  let count = 0
  let next: number | Error = 0
  const bus = createLocalBus()
  const rounds = createRounds(
    {
      log: log as never,
      bus,
      client: { onHead: () => () => {} },
      verifiedChains: { reset: () => {}, isVerified: async () => true },
    },
    {
      name: 'relayer',
      chain: { id: chainId, blockSeconds: 3_600 },
      account: toAddress(`0x${'11'.repeat(20)}`),
      concerns: ({ isSubmitted }) => isSubmitted === true,
      runRound: async () => {
        count += 1
        if (next instanceof Error) throw next
        rounds.reportUnknown(next, { nonces: { mined: 0, pending: 0 } })
      },
      ended: async () => lines.push('ended'),
    },
  )
  const ended = rounds.run(stopping.signal)
  return {
    rounds,
    lines,
    bus,
    /** Runs one more round. */
    round: async (result: number | Error) => {
      const before = count
      next = result
      bus.publish([{ kind: 'missed' }])
      await vi.waitUntil(() => count > before, patience)
    },
    count: () => count,
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

it('logs unknown transactions once, and that all are known again', async () => {
  const { rounds, round, lines, stop } = startRounds()
  for (const unknown of [0, 2, 2, 3, 0, 0]) await round(unknown)
  expect(rounds.unknownNonces()).toBe(0)
  await stop()
  const stopped =
    'error: The relayer has sent transactions that the store does not have: stopped until an operator reconciles them'
  expect(lines).toEqual([
    ...[stopped, stopped],
    'info: All transactions of the relayer are known',
    'ended',
  ])
})

it('counts failures, warns of the first expected one alone, and goes on', async () => {
  const { rounds, round, lines, stop } = startRounds()
  const expected = new AppError('SERVICE_UNAVAILABLE', 'The node is away.')
  for (const error of [expected, expected, new Error('a bug')]) await round(error)
  await vi.waitUntil(() => rounds.failures() === 3, patience)
  await round(0)
  await vi.waitUntil(() => rounds.failures() === 0, patience)
  await stop()
  expect(lines).toEqual([
    'warn: The relayer cannot work; will retry',
    'debug: The relayer cannot work; will retry',
    'error: The relayer failed; will retry',
    'info: The relayer works again',
    'ended',
  ])
})

it('begins a round for a change that concerns it, and for no other', async () => {
  const { bus, round, count, stop } = startRounds()
  await round(0)
  const publish = (isSubmitted: boolean) =>
    bus.publish([
      {
        kind: 'change',
        change: { requestId: '0x1', state: { status: 'waiting', isSubmitted } as never },
      },
    ])
  const roundsAfter = async (isSubmitted: boolean) => {
    const before = count()
    publish(isSubmitted)
    // A woken round needs no timer.
    await setImmediate()
    return count() - before
  }
  expect([await roundsAfter(false), await roundsAfter(true)]).toEqual([0, 1])
  await stop()
})
