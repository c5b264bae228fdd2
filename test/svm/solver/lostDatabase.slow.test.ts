import { type Hex, hexToBytes } from 'viem'
import { describe, expect, it, vi } from 'vitest'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { svmSolver } from '#src/devnet/svm/svmAccounts.ts'
import { fillMarkerAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { decodeAdvanceNonce } from '#src/protocol/svm/systemProgram.ts'
import { decodeTransaction } from '#src/protocol/svm/transaction.ts'
import { patience } from '#test/support/patience.ts'
import { svmCrossings } from '#test/support/svm/svmCrossings.ts'

const crossings = svmCrossings()
const { ethereum, rollup, solana } = crossings
const node = () => crossings.svmNode()

/** Chain time after which a fill that was signed before cannot land any more. */
const passDeadlines = () => node().warp({ seconds: 130 })

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

  it('while the fill is on its way: of it and the fill that the next solver sends, one lands', async () => {
    const recipient = crossings.accountOn(solana, 2)
    const before = await crossings.balance(to, recipient)
    // The nonce accounts of the two fills must differ: only the mark then prevents the second one.
    const [decoy, quoted] = [
      await crossings.quote([rollup, 'USDC'], [solana, 'USDC'], 100_000_000n),
      await crossings.quote(from, to, amount, { recipient }),
    ]
    const request = await crossings.find(crossings.requestIdOf(quoted))
    const { requestId } = request
    const [lost, next] = await node().loseTransactions(async () => {
      await crossings.execute(decoy)
      await crossings.fillSent(crossings.requestIdOf(decoy))
      await crossings.execute(quoted)
      const fill = await crossings.fillSent(requestId)
      await crossings.loseDatabase([request])
      const next = await crossings.fillSent(requestId)
      expect(nonceOf(next)).not.toEqual(nonceOf(fill))
      // Only the lost one reaches the next leader.
      node().warp({ slots: 1 })
      await crossings.client().send(hexToBytes(fill.raw))
      return [fill, next]
    })
    node().warp({ slots: 1 })
    expect(await crossings.ended(requestId)).toBe('success')
    // Anybody may send them again.
    for (const { raw } of [lost, next])
      await crossings
        .client()
        .send(hexToBytes(raw))
        .catch(() => undefined)
    node().warp({ slots: 1 })
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

/** The nonce account of an attempt. */
const nonceOf = ({ raw }: Readonly<{ raw: Hex }>) => {
  const [first] = decodeTransaction(hexToBytes(raw)).instructions
  return first && decodeAdvanceNonce(first)?.nonceAccount
}
