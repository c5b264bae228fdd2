import { expect, it, vi } from 'vitest'
import { createPaymentsChain, hashOf } from '#test/support/chains/paymentsChain.ts'
import { patience } from '#test/support/patience.ts'
import {
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

/** Final blocks between two searches. */
const searchEvery = 64

/** Waits until the deposit is found, in a block whose bloom filter has or lacks it. */
async function follow(
  bloomHasDeposit: boolean,
  move?: (chain: ReturnType<typeof createPaymentsChain>) => void,
) {
  const chain = createPaymentsChain({
    ...{ timestamp, finalityDepth },
    bloomHas: (address) => bloomHasDeposit || address !== currency,
  })
  const store = await openStore()
  chain.mine()
  const { lines, sent } = await track(chain, store, [{}], async (settle) => {
    await settle()
    // It shows that the filters of the chain are complete.
    chain.mine([noise])
    await settle()
    chain.mine([deposit, noise])
    await settle()
    move?.(chain)
    for (let block = 0; block < finalityDepth + searchEvery; block += 1) {
      chain.mine()
      await settle()
    }
    const isFound = async () => (await store.find(idOf(1)))?.state.status === 'pending'
    await vi.waitUntil(isFound, patience)
  })
  await store.close()
  const searches = sent.filter(({ params }) => 'fromBlock' in Object(params?.[0]))
  return {
    warnings: lines.filter(({ msg }) => String(msg).startsWith('Inspects transfers')),
    searches: searches.length,
  }
}

it('finds a plain deposit in a block whose bloom filter lacks it', async () => {
  const { warnings } = await follow(false)
  expect(warnings).toMatchObject([{ txHashes: [hashOf('deposit')] }])
})

it('inspects no deposit again that its block has shown, and asks once in 64 final blocks', async () => {
  const { warnings, searches } = await follow(true)
  expect(warnings).toEqual([])
  expect(searches).toBeLessThanOrEqual(3)
})

it('finds a deposit that a reorg moves into a block whose bloom filter lacks it', async () => {
  const move = (chain: ReturnType<typeof createPaymentsChain>) => {
    chain.drop(3)
    for (let block = 0; block < 4; block += 1) chain.mine(block === 2 ? [deposit, noise] : [noise])
  }
  const { warnings } = await follow(false, move)
  expect(warnings).toMatchObject([{ txHashes: [hashOf('deposit')] }])
})
