import fc from 'fast-check'
import type { Hash } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createTracker } from '#src/requests/tracker/createTracker.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'
import {
  createPaymentsChain,
  type EndpointFaults,
  noise,
  type Payment,
  plainTransfer,
  recordedDeposit,
  transferLog,
} from '#test/support/chains/paymentsChain.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { patience } from '#test/support/patience.ts'
import { runs } from '#test/support/runs.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

const idOf = (at: number): Hash => `0x${at.toString(16).padStart(64, '0')}`
const accountOf = (at: number): Address => toAddress(`0x${at.toString(16).padStart(40, '0')}`)

const [user, other, currency, hostile] = [0xa1, 0xa2, 0xc1, 0xc2].map(accountOf) as [
  Address,
  Address,
  Address,
  Address,
]
const contracts = {
  depository: accountOf(0xd1),
  router: accountOf(0xd2),
  approvalProxy: accountOf(0xd3),
}
const chainId = toChainId(990_001)
const finalityDepth = 12
const timestamp = 1_790_000_000
const ordered = 1_000n
/** More than are read block by block, and than are not final. */
const partBlocks = 90

/** Requests for a deposit each, and one that the user executes: a send of the currency. */
const deposited = [1, 2, 3].map((at): QuotedRequest => {
  const quoted = quotedRequest(idOf(at))
  if (quoted.execution !== 'solver') throw new Error('Not what the solver fills')
  const terms = { depositCurrency: currency, leastDeposit: toAmount(ordered) }
  return { ...quoted, inputs: quoted.inputs.map((each) => ({ ...each, ...terms })) }
})
const sendOf = (name: string) =>
  plainTransfer(other, { name, from: user, currency, amount: ordered, id: idOf(9) })

function sentRequest(): QuotedRequest {
  const { orderId, order, inputs, fill, ...shared } = quotedRequest(idOf(9)) as Extract<
    QuotedRequest,
    { execution: 'solver' }
  >
  const steps = shared.steps.slice(-1).map((step) => ({
    ...step,
    items: step.items.map((item) => ({
      ...item,
      data: { ...item.data, from: user, to: currency, data: sendOf('').input },
    })),
  }))
  const amountIn = toAmount(ordered)
  return {
    ...{ ...shared, steps, user, amountIn, execution: 'user', originCurrency: currency },
    destinationChainId: shared.originChainId,
  }
}

const kinds = ['recorded', 'plain', 'send', 'hostile', 'poison', 'foreign'] as const

type Paid = Readonly<{ kind: (typeof kinds)[number]; order: number; amount: bigint; at: number }>

function paymentOf({ kind, order, amount }: Paid, name: string): Payment {
  const paid = { name, from: other, currency, amount, id: idOf(order) }
  switch (kind) {
    case 'recorded':
      return recordedDeposit(contracts.depository, paid)
    case 'plain':
      return plainTransfer(contracts.depository, paid)
    case 'send':
      return sendOf(name)
    // Logs that look like payments, of a currency that nobody accepts.
    case 'hostile':
      return plainTransfer(contracts.depository, { ...paid, currency: hostile })
    // A transfer of nothing out of the user's account, by somebody else.
    case 'poison':
      return noise(name, other, [transferLog(currency, { from: user, to: other, amount: 0n })])
    case 'foreign':
      return noise(name, other, [
        transferLog(currency, { from: other, to: accountOf(0xa3), amount }),
      ])
  }
}

type Chain = ReturnType<typeof createPaymentsChain>

const deps = { log: silentLog, bus: createLocalBus(), now: () => timestamp * 1_000 }

/** Follows the chain until its head, and what happens there meanwhile, is stored. */
async function track(
  chain: Chain,
  store: RequestStore,
  endpoints: readonly EndpointFaults[],
  act: (settle: () => Promise<void>) => Promise<void> = (settle) => settle(),
) {
  const { client, sent } = chain.connect(endpoints)
  const config = {
    ...{ id: chainId, finalityDepth, blockSeconds: 0.2, contracts, wrappedNative: accountOf(0xc3) },
    ...{ depositConfirmations: 1, fillConfirmations: 2 },
  } as unknown as Parameters<typeof createTracker>[1]['chain']
  const { log, lines } = recordLog()
  const tracker = createTracker(
    { ...deps, log, client, store },
    { chain: config, depositCurrencies: new Set([currency]), isDevnet: false },
  )
  const ending = new AbortController()
  const run = tracker.run(ending.signal)
  const reached = () =>
    vi.waitUntil(() => tracker.status().head === chain.head().number, { ...patience, interval: 2 })
  await act(async () => {
    await reached()
    // A block is stored once the next one is followed.
    chain.mine()
    await reached()
  })
  ending.abort()
  await run
  return { sent, lines }
}

/** What the store says of all requests and deposits. */
async function stored(store: RequestStore) {
  const ids = [...deposited.map(({ requestId }) => requestId), idOf(9)]
  const requests = await store.findAll(ids)
  const deposits = await store.openDeposits(chainId, -1n)
  return {
    deposits: deposits
      .map(({ version: _, ...deposit }) => deposit)
      .toSorted((one, two) => one.depositId.localeCompare(two.depositId)),
    requests: await Promise.all(
      requests
        .toSorted((one, two) => one.requestId.localeCompare(two.requestId))
        .map(async ({ requestId, state }) => ({
          requestId,
          state,
          statuses: (await store.changesAfter(requestId, 0)).map((each) => each.state.status),
        })),
    ),
  }
}

async function openStore() {
  const store = await openEmptyStore({ log: silentLog, bus: deps.bus })
  for (const request of [...deposited, sentRequest()]) await store.put(request)
  return store
}

const paid: fc.Arbitrary<Paid> = fc.record({
  kind: fc.constantFrom(...kinds),
  order: fc.integer({ min: 1, max: 4 }),
  amount: fc.constantFrom(ordered - 1n, ordered, ordered + 1n),
  at: fc.nat(partBlocks - 1),
})

const script = fc.record({
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
    [{ lagBlocks: 30 }, {}],
    [{ hidesLogs: true }, {}],
    [{ maxRange: 0 }, { maxRange: 50 }],
    [{ lagBlocks: 3 }, { hidesLogs: true, lagBlocks: 1 }, {}],
  ),
})

type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never

/** Runs a script on a new chain that is read through these endpoints, and tells what is stored in the end. */
async function play(
  { hasBloom, before, reorgDepth, returns, later, after }: Omit<Script, 'endpoints'>,
  endpoints: readonly EndpointFaults[],
) {
  const chain = createPaymentsChain({ timestamp, finalityDepth, hasBloom })
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
  const { sent } = await track(chain, store, endpoints, async (settle) => {
    await settle()
    // Until everything is confirmed, final and decided.
    for (let block = 0; block < 2 * finalityDepth; block += 1) chain.mine()
    await settle()
    await settle()
  })
  const found = await stored(store)
  await store.close()
  return { found, sent }
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
        expect(byRange.found).toEqual(byBlock.found)
        expect(byRange.sent.length).toBeLessThan(byBlock.sent.length)
        for (const { status } of byRange.found.deposits)
          if (status === 'credited' || status === 'refundable') met[status] += 1
        if (byRange.found.requests.at(-1)?.state.status === 'success') met.sent += 1
      }),
      { numRuns: runs(100, 8) },
    )
    expect(Object.values(met).every((times) => times > 0)).toBe(true)
  }, 120_000)

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
    // About half of them find where to start, and follow the blocks that are not final.
    expect(sent.length).toBeLessThan(130)
    const { requests } = await stored(store)
    expect(requests.map(({ state }) => state.status)).toEqual([
      ...['pending', 'pending', 'pending', 'waiting'],
    ])
    await store.close()
  }, 60_000)
})
