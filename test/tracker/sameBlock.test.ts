import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { hashOf } from '#test/support/chains/payments.ts'
import { createPaymentsChain } from '#test/support/chains/paymentsChain.ts'
import { patience } from '#test/support/patience.ts'
import {
  finalityDepth,
  idOf,
  openStore,
  ordered,
  paymentOf,
  stored,
  timestamp,
  track,
} from '#test/support/rigs/backlogRig.ts'
import { runs } from '#test/support/runs.ts'

const script = fc.record({
  kind: fc.constantFrom<('recorded' | 'plain')[]>('recorded', 'plain'),
  /** The ids of the deposits follow from these, in no order. */
  names: fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 4 }),
  /** Whether another process decides than the one that reads the block. */
  restarts: fc.boolean(),
})

it('the first of several complete deposits in one block funds the request, also after a restart', async () => {
  const property = fc.asyncProperty(script, async ({ kind, names, restarts }) => {
    const chain = createPaymentsChain({ timestamp, finalityDepth })
    const deposits = names.map((name) =>
      paymentOf({ kind, order: 1, amount: ordered, at: 0 }, name),
    )
    const store = await openStore()
    chain.mine()
    if (restarts)
      await track(chain, store, [{}], async (settle) => {
        await settle()
        chain.mine(deposits)
        const isRead = async () => (await stored(store)).deposits.length === names.length
        await vi.waitUntil(isRead, patience)
      })
    else chain.mine(deposits)
    await track(chain, store, [{}], async (settle) => {
      for (let block = 0; block <= finalityDepth; block += 1) chain.mine()
      await settle()
      await settle()
    })
    const found = await stored(store)
    await store.close()
    expect(found.requests[0]).toMatchObject({ requestId: idOf(1), state: { status: 'pending' } })
    const outcomes = names.map((name) =>
      found.deposits.filter(({ txHash }) => txHash === hashOf(name)).map(({ status }) => status),
    )
    expect(outcomes).toEqual(names.map((_, at) => [at === 0 ? 'credited' : 'refundable']))
  })
  const pair = { kind: 'recorded', restarts: true } as const
  await fc.assert(property, {
    numRuns: runs(60, 5),
    examples: [[{ ...pair, names: ['a', 'b'] }], [{ ...pair, names: ['b', 'a'] }]],
  })
})
