import { expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createFollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { noEvents } from '#src/requests/tracker/read/readEvents.ts'
import { hashOf } from '#test/support/fixtures/observedTransactions.ts'
import { decide } from './decide.ts'

const chainId = toChainId(990001)
const blockOf = (hash: number) => ({ number: 2n, hash: hashOf(hash) })

it('names the transaction in which a deposit returns: its sender may have replaced the first one', () => {
  const observed = {
    depositId: `${chainId}:${hashOf(100)}`,
    chainId,
    txHash: hashOf(12),
    block: blockOf(22),
    logIndex: 0,
    timestamp: 1,
    orderId: hashOf(101),
    depositor: toAddress(`0x${'0'.repeat(39)}9`),
    currency: nativeAddress,
    amount: toAmount(100n),
    record: { index: 0, exitTime: 1_000_000 },
  }
  const followed = createFollowedBlocks({ number: 1n, hash: hashOf(20) })
  followed.push({ ...observed.block, timestamp: 1n })
  for (const status of ['seen', 'credited', 'filled'] as const) {
    const known = { ...observed, status, txHash: hashOf(11), block: blockOf(21), version: 1 }
    const { batch } = decide(
      {
        deposits: [known],
        requests: [],
        transactions: [],
        payments: [],
        outcomes: new Map(),
      },
      { followed, events: { ...noEvents, deposits: [observed] }, processedUntil: undefined },
      { rules: { id: chainId, depositConfirmations: 1, fillConfirmations: 1 }, at: 1 },
    )
    expect(batch.deposits).toMatchObject([{ status, txHash: hashOf(12), block: blockOf(22) }])
  }
})
