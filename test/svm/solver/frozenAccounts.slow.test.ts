import { expect, it, vi } from 'vitest'
import { type Pubkey, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { svmOwner } from '#src/devnet/svm/svmAccounts.ts'
import { vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { createTokenAccount } from '#src/protocol/svm/tokenProgram.ts'
import { patience } from '#test/support/patience.ts'
import { setFrozen } from '#test/support/svm/freezing.ts'
import { svmCrossings } from '#test/support/svm/svmCrossings.ts'
import { instructionsOfSteps } from '#test/support/svm/svmWallet.ts'

const crossings = svmCrossings()
const { rollup, solana } = crossings
const usdc = 10n ** 6n
const mint = () => toPubkey(crossings.stack().currencyOn(solana, 'USDC'))

const change = (kind: 'freeze' | 'thaw', owner: Pubkey) =>
  setFrozen(kind, { mint: mint(), owner, authority: svmOwner.pubkey })

const transactionsOf = (requestId: string) => crossings.stack().store.transactionsOf(requestId)

/** Waits until the refund of the only deposit has failed, which costs nobody a fee. Nothing else may be sent. */
async function refundRefused(requestId: string): Promise<void> {
  const { depositsOf } = crossings.stack().store
  await vi.waitFor(async () => {
    const [deposit] = await depositsOf(requestId)
    const sent = await transactionsOf(requestId)
    expect(deposit?.refundTries ?? sent.length).toBeGreaterThan(0)
  }, patience)
  expect(await transactionsOf(requestId)).toEqual([])
  expect(await depositsOf(requestId)).toMatchObject([{ status: 'refundable', refundTries: 1 }])
}

it('an order whose recipient is frozen is refunded, and no fill is paid for', async () => {
  const quoted = await crossings.quote([rollup, 'USDC'], [solana, 'USDC'], 50n * usdc)
  const requestId = crossings.requestIdOf(quoted)
  const recipient = crossings.user(1).pubkey
  const created = createTokenAccount({ payer: svmOwner.pubkey, owner: recipient, mint: mint() })
  await crossings.send([svmOwner], [created, change('freeze', recipient)])
  crossings.svmNode().warp({ seconds: 130 })
  await crossings.execute(quoted)
  expect(await crossings.ended(requestId)).toBe('refund')
  expect((await crossings.find(requestId)).state.failReason).toBe('EXECUTION_REVERTED')
  expect(await crossings.fillsOf(requestId)).toEqual([])
  await crossings.send([svmOwner], [change('thaw', recipient)])
})

it('the refund of a frozen depositor waits, and is paid once it is thawed', async () => {
  const { pubkey } = crossings.user()
  const terms = { referrer: 'debug-force-refund' }
  const quoted = await crossings.quote([solana, 'USDC'], [rollup, 'USDC'], 50n * usdc, terms)
  const requestId = crossings.requestIdOf(quoted)
  const paying = instructionsOfSteps(quoted.steps)
  await crossings.send([crossings.user(), svmOwner], [...paying, change('freeze', pubkey)])
  await refundRefused(requestId)
  await crossings.send([svmOwner], [change('thaw', pubkey)])
  expect(await crossings.ended(requestId)).toBe('refund')
  expect(await transactionsOf(requestId)).toMatchObject([{ purpose: 'refund', status: 'final' }])
})

it('no order is filled whose deposit is frozen in the vault', async () => {
  const vault = vaultAddress(toPubkey(crossings.svmChain().programId))
  const quoted = await crossings.quote([solana, 'USDC'], [rollup, 'USDC'], 50n * usdc)
  const requestId = crossings.requestIdOf(quoted)
  const paying = instructionsOfSteps(quoted.steps)
  await crossings.send([crossings.user(), svmOwner], [...paying, change('freeze', vault)])
  await refundRefused(requestId)
  await crossings.send([svmOwner], [change('thaw', vault)])
  expect(await crossings.ended(requestId)).toBe('refund')
  expect(await transactionsOf(requestId)).toMatchObject([{ purpose: 'refund', status: 'final' }])
})
