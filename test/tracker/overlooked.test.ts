import { expect, it, vi } from 'vitest'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { hashOf } from '#test/support/chains/payments.ts'
import { createPaymentsChain, type PaymentsChain } from '#test/support/chains/paymentsChain.ts'
import { patience } from '#test/support/patience.ts'
import {
  chainId,
  currency,
  finalityDepth,
  idOf,
  openStore,
  ordered,
  paymentOf,
  timestamp,
  track,
} from '#test/support/rigs/backlogRig.ts'

const deposit = paymentOf({ kind: 'plain', order: 1, amount: ordered, at: 0 }, 'deposit')
/** Logs of another currency, so that the bloom filter of the deposit's block is not empty. */
const noise = paymentOf({ kind: 'hostile', order: 2, amount: ordered, at: 0 }, 'noise')
const shown = paymentOf({ kind: 'plain', order: 2, amount: ordered, at: 0 }, 'shown')
const recorded = paymentOf({ kind: 'recorded', order: 3, amount: ordered, at: 0 }, 'recorded')

/** Final blocks between two searches. */
const searchEvery = 64

/** Mines blocks, each of which is followed before the next. */
async function mine(chain: PaymentsChain, blocks: number, settle: () => Promise<void>) {
  for (let block = 0; block < blocks; block += 1) {
    chain.mine()
    await settle()
  }
}

const isFound = async (store: RequestStore, order = 1) =>
  (await store.find(idOf(order)))?.state.status === 'pending'

const overlookedIn = ({ lines }: Awaited<ReturnType<typeof track>>) =>
  lines.filter(({ msg }) => String(msg).startsWith('Inspects deposits'))

/** Waits until the deposit is found, in a block whose bloom filter has or lacks it. */
async function follow(bloomHasDeposit: boolean, move?: (chain: PaymentsChain) => void) {
  const chain = createPaymentsChain({
    timestamp,
    finalityDepth,
    bloomHas: (address) => bloomHasDeposit || address !== currency,
  })
  const store = await openStore()
  chain.mine()
  const tracked = await track(chain, store, [{}], async (settle) => {
    await settle()
    // It shows that the filters of the chain are complete.
    chain.mine([noise])
    await settle()
    chain.mine([deposit, noise])
    await settle()
    move?.(chain)
    await mine(chain, finalityDepth + searchEvery, settle)
    await vi.waitUntil(() => isFound(store), patience)
  })
  await store.close()
  const searches = tracked.sent.filter(({ params }) => 'fromBlock' in Object(params?.[0]))
  return { warnings: overlookedIn(tracked), searches: searches.length }
}

it('finds a plain deposit in a block whose bloom filter lacks it', async () => {
  const { warnings } = await follow(false)
  expect(warnings).toMatchObject([{ txHashes: [hashOf('deposit')] }])
})

it('inspects no deposit again that its block has shown, and asks once in 64 final blocks', async () => {
  const { warnings, searches } = await follow(true)
  expect(warnings).toEqual([])
  // One request for recorded deposits, and one for transfers.
  expect(searches).toBeLessThanOrEqual(2 * 3)
})

it('finds a deposit that a reorg moves into a block whose bloom filter lacks it', async () => {
  const move = (chain: PaymentsChain) => {
    chain.drop(3)
    for (let block = 0; block < 4; block += 1) chain.mine(block === 2 ? [deposit, noise] : [noise])
  }
  const { warnings } = await follow(false, move)
  expect(warnings).toMatchObject([{ txHashes: [hashOf('deposit')] }])
})

it('finds a recorded deposit whose logs no node shows while its block is new', async () => {
  const chain = createPaymentsChain({ timestamp, finalityDepth })
  const store = await openStore()
  chain.mine()
  // Like one of the native currency, which leaves no log of a transfer.
  const events = recorded.events.filter(({ address }) => address !== currency)
  const tracked = await track(chain, store, [{ hidesNewLogs: true }], async (settle) => {
    await settle()
    chain.mine([{ ...recorded, events }])
    await mine(chain, finalityDepth + searchEvery, settle)
    await vi.waitUntil(() => isFound(store, 3), patience)
  })
  await store.close()
  expect(overlookedIn(tracked)).toMatchObject([{ txHashes: [hashOf('recorded')] }])
})

it('finds a deposit below the cursor after a restart, but none that is stored', async () => {
  let shownAt = 0n
  const chain = createPaymentsChain({
    timestamp,
    finalityDepth,
    bloomHas: (address, height) => address !== currency || height === shownAt,
  })
  const store = await openStore()
  let hiddenAt = 0n
  await track(chain, store, [{}], async (settle) => {
    chain.mine([noise])
    await settle()
    shownAt = chain.head().number + 1n
    chain.mine([shown, noise])
    chain.mine([deposit, noise])
    hiddenAt = chain.head().number
    await mine(chain, finalityDepth, settle)
    // Its changes are saved with the cursor.
    chain.mine([recorded])
    await settle()
  })
  const cursor = await store.cursor(chainId)
  expect(cursor?.block.number).toBeGreaterThan(hiddenAt)
  expect(await isFound(store)).toBe(false)
  const tracked = await track(chain, store, [{}], async (settle) => {
    await mine(chain, finalityDepth + searchEvery, settle)
    await vi.waitUntil(() => isFound(store), patience)
  })
  await store.close()
  expect(overlookedIn(tracked)).toMatchObject([{ txHashes: [hashOf('deposit')] }])
})
