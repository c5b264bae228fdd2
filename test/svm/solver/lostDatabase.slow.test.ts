import { type Hex, hexToBytes } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { svmSolver } from '#src/devnet/svm/svmAccounts.ts'
import { fillMarkerAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { patience } from '#test/support/patience.ts'
import { svmCrossings } from '#test/support/svm/svmCrossings.ts'

const crossings = svmCrossings()
const { ethereum, rollup, solana } = crossings
const node = () => crossings.svmNode()

/** Chain time after which a fill that was signed before cannot land any more. */
const passDeadlines = () => node().warp({ seconds: 100 })

/** Whether the order is marked as filled, in a final block. */
async function isMarked(orderId: Hex): Promise<boolean> {
  const program = toPubkey(crossings.svmChain().programId)
  const marker = fillMarkerAddress(program, { solver: svmSolver.pubkey, id: orderId })
  const { accounts } = await crossings.client().getAccounts([marker], 'finalized')
  return accounts[0]?.owner === program
}

describe.each([
  ['SOL', [ethereum, 'ETH'], [solana, 'SOL'], 10n ** 18n],
  ['USDC', [rollup, 'USDC'], [solana, 'USDC'], 100_000_000n],
] as const)('a database is lost: %s', (_, from, to, amount) => {
  it('after the fill landed: it is restored, and nothing is paid again', async () => {
    const recipient = crossings.accountOn(solana, 2)
    const quoted = await crossings.quote(from, to, amount, { recipient })
    const request = await crossings.find(crossings.requestIdOf(quoted))
    const before = await crossings.balance(to, recipient)
    await crossings.execute(quoted)
    await vi.waitFor(async () => expect(await isMarked(request.orderId)).toBe(true), patience)
    const received = (await crossings.balance(to, recipient)) - before

    await crossings.loseDatabase([request])
    passDeadlines()
    expect(await crossings.ended(request.requestId)).toBe('success')
    expect((await crossings.balance(to, recipient)) - before).toBe(received)
    expect(await crossings.fillsOf(request.requestId)).toMatchObject([{ status: 'final' }])
  })

  it('while the fill is on its way: either it lands, or the fill that the next solver sends', async () => {
    const recipient = crossings.accountOn(solana, 2)
    const quoted = await crossings.quote(from, to, amount, { recipient })
    const request = await crossings.find(crossings.requestIdOf(quoted))
    const { requestId } = request
    const before = await crossings.balance(to, recipient)
    const lost = await node().loseTransactions(async () => {
      await crossings.execute(quoted)
      const fill = await crossings.fillSent(requestId)
      await crossings.loseDatabase([request])
      await crossings.fillSent(requestId)
      // Only the lost one reaches the next leader.
      node().warp({ slots: 1 })
      await crossings.client().send(hexToBytes(fill.raw))
      return fill
    })
    node().warp({ slots: 1 })
    expect(await crossings.ended(requestId)).toBe('success')
    const transactions = await crossings.stack().store.transactionsOf(requestId)
    // On a busy machine the second one may come first. Usually the lost one is found on the chain.
    const paid = transactions.filter(({ status }) => status === 'final')
    expect(paid).toHaveLength(1)
    expect(transactions.every(({ purpose }) => purpose === 'fill')).toBe(true)
    const isRestored = paid[0]?.attempts.some(({ hash }) => hash === lost.hash) === true
    expect(transactions.map(({ status }) => status)).toEqual(
      isRestored ? ['reverted', 'final'] : ['final'],
    )
    const received = (await crossings.balance(to, recipient)) - before
    expect(received).toBe(request.amountOut)
  })
})
