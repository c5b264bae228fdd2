import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { hashOf } from '#test/support/chains/payments.ts'
import { createPaymentsChain, type EndpointFaults } from '#test/support/chains/paymentsChain.ts'
import { patience } from '#test/support/patience.ts'
import {
  chainId,
  finalityDepth,
  idOf,
  kinds,
  nativeSend,
  nativeSendRequest,
  openStore,
  ordered,
  type Paid,
  paymentOf,
  stored,
  timestamp,
  track,
} from '#test/support/rigs/backlogRig.ts'
import { runs } from '#test/support/runs.ts'

/** More than are read block by block, and than are not final. */
const partBlocks = 84
/** The farthest that an endpoint is behind. Where it is asked first, it names final blocks as late. */
const maxLag = 30

const paid: fc.Arbitrary<Paid> = fc.record({
  kind: fc.constantFrom(...kinds),
  order: fc.integer({ min: 1, max: 4 }),
  amount: fc.constantFrom(ordered - 1n, ordered, ordered + 1n),
  at: fc.nat(partBlocks - 1),
})

const anyScript = fc.record({
  hasBloom: fc.boolean(),
  before: fc.array(paid, { maxLength: 12 }),
  /** Blocks that are orphaned while no tracker runs. */
  reorgDepth: fc.nat(finalityDepth - 2),
  /** Which of their payments come back, and how many blocks later. */
  returns: fc.boolean(),
  later: fc.nat(3),
  after: fc.array(paid, { maxLength: 8 }),
  endpoints: fc.constantFrom<readonly EndpointFaults[]>(
    [{}],
    [{ maxRange: 7 }],
    [{ lagBlocks: maxLag }, {}],
    [{ hidesLogs: true }, {}],
    [{ maxRange: 0 }, { maxRange: 50 }],
    [{ lagBlocks: 3 }, { hidesLogs: true, lagBlocks: 1 }, {}],
  ),
})

/**
 * Without plain deposits that have a rival for their order: of two deposits the one that counts first wins. A plain one
 * counts once it is known to be final, and a tracker with a backlog learns that at any time.
 */
const script = anyScript.map(({ before, after, ...rest }) => {
  const recorded = new Set(
    [...before, ...after].filter(({ kind }) => kind === 'recorded').map(({ order }) => order),
  )
  const paidPlainly = new Set<number>()
  const withoutRivals = (some: readonly Paid[]) =>
    some.filter(({ kind, order }) => {
      if (kind !== 'plain') return true
      const isFirst = !recorded.has(order) && !paidPlainly.has(order)
      paidPlainly.add(order)
      return isFirst
    })
  return { ...rest, before: withoutRivals(before), after: withoutRivals(after) }
})

type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Every kind of payment, all of which a reorg moves; then small deposits before complete ones, some of which come too late.
 */
const mixed: Script = {
  hasBloom: true,
  reorgDepth: 10,
  returns: true,
  later: 1,
  before: kinds.map((kind, at) => ({ kind, order: 1, amount: ordered, at: partBlocks - 9 + at })),
  after: [
    ...[
      { order: 2, amount: ordered - 1n, at: 1 },
      { order: 2, amount: ordered, at: 9 },
    ],
    ...[
      { order: 3, amount: ordered - 1n, at: 2 },
      { order: 3, amount: ordered, at: 40 },
    ],
  ].map((each) => ({ ...each, kind: 'recorded' })),
  endpoints: [{ hidesLogs: true, lagBlocks: maxLag }, {}],
}

/** A plain deposit that an endpoint which is behind names as final last of all. */
const lastFinal: Script = {
  hasBloom: false,
  reorgDepth: 0,
  returns: false,
  later: 0,
  before: [],
  after: [{ kind: 'plain', order: 1, amount: ordered - 1n, at: partBlocks - 15 }],
  endpoints: [{ lagBlocks: maxLag }, {}],
}

/** A reorg orphans a user's own send while no tracker runs, and the user sends again. */
const sentAgain: Script = {
  hasBloom: false,
  reorgDepth: 2,
  returns: false,
  later: 0,
  endpoints: [{}],
  before: [{ kind: 'send', order: 1, amount: ordered, at: partBlocks - 1 }],
  after: [{ kind: 'send', order: 1, amount: ordered, at: 5 }],
}

/** Runs a script on a new chain that is read through these endpoints, and tells what is stored in the end. */
async function play(
  { hasBloom, before, reorgDepth, returns, later, after }: Omit<Script, 'endpoints'>,
  endpoints: readonly EndpointFaults[],
) {
  const chain = createPaymentsChain({ timestamp, finalityDepth, bloomHas: () => hasBloom })
  const mineAll = (payments: readonly Paid[], name: string) => {
    for (let at = 0; at < partBlocks; at += 1)
      chain.mine(
        payments.flatMap((each, place) =>
          each.at === at ? paymentOf(each, `${name} ${place}`) : [],
        ),
      )
  }
  const store = await openStore()
  mineAll(before, 'before')
  await track(chain, store, endpoints)
  const gone = chain.drop(reorgDepth)
  for (let block = 0; block < later; block += 1) chain.mine()
  for (const { payments } of gone) chain.mine(returns ? payments : [])
  mineAll(after, 'after')
  await track(chain, store, endpoints, async (settle) => {
    await settle()
    // Until everything is confirmed, final and decided.
    for (let block = 0; block < 2 * finalityDepth + maxLag; block += 1) chain.mine()
    await settle()
    await settle()
  })
  const found = await stored(store)
  await store.close()
  return found
}

describe('a backlog that is read by ranges', () => {
  it('is stored exactly as one that is read block by block', async () => {
    const met = { credited: 0, refundable: 0, sent: 0 }
    await fc.assert(
      fc.asyncProperty(script, async ({ endpoints, ...rest }) => {
        const [byRange, byBlock] = [
          await play(rest, endpoints),
          await play(rest, [{ maxRange: 0 }]),
        ]
        expect(byRange).toEqual(byBlock)
        for (const { status } of byRange.deposits)
          if (status === 'credited' || status === 'refundable') met[status] += 1
        if (byRange.requests.at(-1)?.state.status === 'success') met.sent += 1
      }),
      {
        numRuns: runs(100, 4),
        examples: [[mixed], [{ ...mixed, returns: false }], [lastFinal], [sentAgain]],
      },
    )
    expect(Object.values(met).every((times) => times > 0)).toBe(true)
  })

  it('of 10,000 blocks takes tens of requests', async () => {
    const chain = createPaymentsChain({ timestamp, finalityDepth })
    const paidAt = new Map([1, 5_000, 9_900].map((height, at) => [height, at + 1]))
    for (let height = 1; height <= 10_000; height += 1) {
      const order = paidAt.get(height) ?? 0
      const deposit = { kind: 'recorded', order, amount: ordered, at: 0 } as const
      chain.mine(order > 0 ? [paymentOf(deposit, `${height}`)] : [])
    }
    const store = await openStore()
    const { sent } = await track(chain, store, [{}])
    const firsts = sent.map(({ params }) => params?.[0])
    const ranges = firsts.filter((each) => each instanceof Object && 'fromBlock' in each)
    const blocks = firsts.filter((each) => String(each).startsWith('0x'))
    // The node takes 1,000 blocks at a time, of three filters, and of the two of deposits once more. Some larger ranges are tried.
    expect(ranges.length).toMatchInlineSnapshot(`61`)
    // One header for each bit of the height, the payments' blocks, and those that are not final.
    expect(blocks.length).toBeLessThan(50)
    const { requests } = await stored(store)
    expect(requests.map(({ state }) => state.status)).toEqual([
      ...['pending', 'pending', 'pending', 'waiting'],
    ])
    await store.close()
  })

  it('is read block by block where the only node hides logs in ranges, or refuses them', async () => {
    for (const faults of [{ hidesLogs: true }, { maxRange: 0 }]) {
      const chain = createPaymentsChain({ timestamp, finalityDepth })
      const deposit = { kind: 'recorded', order: 1, amount: ordered, at: 0 } as const
      for (let height = 1; height <= partBlocks; height += 1)
        chain.mine([
          height === partBlocks / 2
            ? paymentOf(deposit, 'deposit')
            : paymentOf({ ...deposit, kind: 'foreign' }, `${height}`),
        ])
      const store = await openStore()
      const { lines } = await track(chain, store, [faults])
      expect((await store.find(idOf(1)))?.state.status).toBe('pending')
      expect(lines.map(({ msg }) => msg)).toContain(
        'Cannot read logs by ranges; reading each block',
      )
      await store.close()
    }
  })

  it('grows during an outage, and is then read by ranges as well', async () => {
    const chain = createPaymentsChain({ timestamp, finalityDepth })
    chain.mine()
    const store = await openStore()
    const { sent, lines } = await track(chain, store, [{}], async (settle) => {
      await settle()
      chain.fall(true)
      for (let height = 0; height < 2_000; height += 1) {
        const deposit = { kind: 'recorded', order: 1, amount: ordered, at: 0 } as const
        chain.mine(height === 1_000 ? [paymentOf(deposit, 'deposit')] : [])
      }
      chain.fall(false)
      await settle()
    })
    expect((await store.find(idOf(1)))?.state.status).toBe('pending')
    expect(lines.map(({ msg }) => msg)).toContain('Reading a backlog of blocks by ranges')
    const blocks = sent.filter(({ params }) => String(params?.[0]).startsWith('0x'))
    expect(blocks.length).toBeLessThan(100)
    await store.close()
  })

  it('shows a hinted transaction without a log once it is final', async () => {
    const chain = createPaymentsChain({ timestamp, finalityDepth })
    for (let height = 1; height <= partBlocks; height += 1)
      chain.mine(height === partBlocks / 2 ? [nativeSend('send')] : [])
    const store = await openStore()
    await store.put(nativeSendRequest())
    await store.addHint({ chainId, txHash: hashOf('send') })
    await track(chain, store, [{}], async (settle) => {
      await settle()
      const isDone = async () => (await store.find(idOf(10)))?.state.status === 'success'
      await vi.waitUntil(isDone, patience)
    })
    await store.close()
  })
})
