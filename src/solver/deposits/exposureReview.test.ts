import { expect, it } from 'vitest'
import { toUsd } from '#src/core/units/usd.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createExposureReview } from './exposureReview.ts'

const seconds = 1_800_000_000

/** An exposed deposit at this height. */
const exposedAt = (height: number, change: Partial<Deposit> = {}) =>
  ({
    depositId: `1:${height}`,
    timestamp: seconds,
    block: { number: BigInt(height), hash: '0xab' },
    exposure: { usd: toUsd(1n), height: BigInt(height) },
    ...change,
  }) as Deposit

it('lost deposits, however many, delay the review of no other', async () => {
  const lost = Array.from({ length: 150 }, (_, at) => exposedAt(at, { block: undefined as never }))
  const exposed = [...lost, exposedAt(1_000)]
  const ended: string[] = []
  const { review } = createExposureReview(
    {
      store: {
        exposedDeposits: async (_: unknown, limit: number) =>
          exposed.filter(({ depositId }) => !ended.includes(depositId)).slice(0, limit),
        exposureUsd: async () => toUsd(0n),
        save: async ({ deposits = [] }: Batch) => {
          ended.push(...deposits.map(({ depositId }) => depositId))
          return 'saved'
        },
      } as never,
      log: silentLog,
      now: () => seconds * 1000,
      depositChecks: { verdict: async () => 'yes' },
    },
    { chain: { id: 1, agreeingEndpoints: 1, rpcUrls: [''] } } as never,
  )
  for (let round = 0; round < 3; round += 1)
    await review({ finalHeight: async () => 2_000n } as ChainView)
  expect(ended).toEqual(['1:1000'])
})
