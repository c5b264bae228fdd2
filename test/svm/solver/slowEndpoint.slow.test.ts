import { afterAll, expect, it, vi } from 'vitest'
import { decodeDepositoryCall } from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import { decodeTransaction } from '#src/protocol/svm/transaction.ts'
import { type RpcCall, type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { patience } from '#test/support/patience.ts'
import { svmCrossings } from '#test/support/svm/svmCrossings.ts'

let proxy: RpcProxy
const crossings = svmCrossings(async (svmNode, { svmChains = [] }) => {
  proxy = await startRpcProxy(svmNode.url)
  return { svmChains: svmChains.map((chain) => ({ ...chain, rpcUrls: [proxy.url] })) }
})
afterAll(() => proxy?.stop())
const { rollup, solana } = crossings
const usdc = 10n ** 6n

/** What a simulated transaction asks of the depository. */
function simulated({ method, params }: RpcCall) {
  if (method !== 'simulateTransaction') return []
  const { instructions } = decodeTransaction(Buffer.from(`${params[0]}`, 'base64'))
  const { programId } = crossings.svmChain()
  return instructions.map((each) => decodeDepositoryCall(programId, each)?.kind)
}

it('a refund whose endpoint is slow delays no fill, and pays once', async () => {
  const released = Promise.withResolvers<void>()
  let held = 0
  let filledMeanwhile = 0
  proxy.behave({
    before: async (call, closed) => {
      const kinds = simulated(call)
      if (kinds.includes('markFilled') && held > 0) filledMeanwhile += 1
      if (!kinds.includes('refund')) return
      held += 1
      await Promise.race([released.promise, closed])
      held -= 1
    },
  })
  const terms = { referrer: 'debug-force-refund' }
  const refunded = await crossings.quote([solana, 'SOL'], [rollup, 'USDC'], 10n ** 9n, terms)
  await crossings.execute(refunded)
  // A refund that waits too long for its endpoint fails, and is tried again: the first fill may come in between.
  for (let tries = 0; tries < 3 && filledMeanwhile === 0; tries += 1) {
    await vi.waitFor(() => expect(held).toBe(1), patience)
    const { status } = await crossings.run([rollup, 'USDC'], [solana, 'USDC'], 50n * usdc)
    expect(status).toBe('success')
  }
  expect(filledMeanwhile).toBeGreaterThan(0)

  released.resolve()
  proxy.behave('pass')
  const requestId = crossings.requestIdOf(refunded)
  expect(await crossings.ended(requestId)).toBe('refund')
  const transactions = await crossings.stack().store.transactionsOf(requestId)
  expect(transactions).toMatchObject([{ purpose: 'refund', status: 'final' }])
})
