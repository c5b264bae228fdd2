import { expect, it, vi } from 'vitest'
import { type Pubkey, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import { createTokenAccount, transferTokens } from '#src/protocol/svm/tokenProgram.ts'
import { topUpSeconds } from '#src/solver/sweeps/sweepCandidates.ts'
import { patience } from '#test/support/patience.ts'
import { type Place, svmCrossings } from '#test/support/svm/svmCrossings.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

// The rules are those of test/solver/depositAddresses.test.ts.

const crossings = svmCrossings()
const { rollup, solana } = crossings
const usdc: Place = [solana, 'USDC']
const output: Place = [rollup, 'USDC']
const sol = 10n ** 9n
const hundred = 100_000_000n

async function quoteAddress(from: Place, amount: bigint) {
  const recipient = newAccount()
  const terms = { useDepositAddress: true, strict: true, refundTo: crossings.user().pubkey }
  const quoted = await crossings.quote(from, output, amount, { ...terms, recipient })
  const { requestId, amountOut } = await crossings.find(crossings.requestIdOf(quoted))
  const address = toPubkey(quoted.steps[0]?.depositAddress ?? '')
  return { requestId, amountOut, address, recipient, from }
}

async function pay([, symbol]: Place, address: Pubkey, amount: bigint): Promise<void> {
  const user = crossings.user()
  if (symbol === 'SOL')
    return crossings.send(
      [user],
      [transferLamports({ from: user.pubkey, to: address, lamports: amount })],
    )
  const mint = toPubkey(crossings.stack().currencyOn(solana, symbol))
  return crossings.send(
    [user],
    [
      createTokenAccount({ payer: user.pubkey, owner: address, mint }),
      transferTokens({
        source: associatedTokenAddress(user.pubkey, mint),
        destination: associatedTokenAddress(address, mint),
        ...{ authority: user.pubkey, mint, amount, decimals: 6 },
      }),
    ],
  )
}

const reasonsOf = async (requestId: string) =>
  (await crossings.stack().store.depositsOf(requestId)).map(({ reason }) => reason)

it.each<[string, Place, bigint, bigint]>([
  ['SOL', [solana, 'SOL'], 2n * sol, 7n],
  ['USDC', usdc, hundred, 7n],
])(
  '%s: a large payment is filled with its surplus, and a second one is refunded',
  async (_, from, amount, surplus) => {
    const { requestId, address, amountOut, recipient } = await quoteAddress(from, amount)
    await pay(from, address, amount + surplus)
    expect(await crossings.ended(requestId)).toBe('success')
    const received = await crossings.balance(output, recipient)
    // Of SOL the fill swaps, at the prices of its block.
    if (from === usdc) expect(received).toBe(amountOut + surplus)
    else expect(received).toBeGreaterThan((amountOut * 99n) / 100n)
    const before = await crossings.balance(from, crossings.user().pubkey)
    await pay(from, address, amount)
    await crossings.depositsEnd(requestId, ['settled', 'refunded'])
    expect(await reasonsOf(requestId)).toEqual([undefined, 'DOUBLE_SPEND'])
    const lost = before - (await crossings.balance(from, crossings.user().pubkey))
    expect(lost).toBeGreaterThan(0n)
    expect(lost).toBeLessThan(amount / 50n)
    expect(await crossings.balance(output, recipient)).toBe(received)
  },
)

it('a small payment waits for the rest, so that nobody can end a request with it, and is refunded otherwise', async () => {
  const [topped, short] = [await quoteAddress(usdc, hundred), await quoteAddress(usdc, hundred)]
  await pay(usdc, topped.address, 60_000_000n)
  await pay(usdc, short.address, 60_000_000n)
  crossings.svmNode().warp({ slots: 30 })
  await pay(usdc, topped.address, 40_000_000n)
  expect(await crossings.ended(topped.requestId)).toBe('success')
  expect(await crossings.balance(output, topped.recipient)).toBe(topped.amountOut)
  expect(await crossings.stack().store.depositsOf(short.requestId)).toEqual([])
  crossings.svmNode().warp({ seconds: topUpSeconds + 1 })
  await crossings.depositsEnd(short.requestId, ['refunded'])
  expect(await reasonsOf(short.requestId)).toEqual(['DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'])
  expect((await crossings.find(short.requestId)).state.status).toBe('waiting')
})

it('a payment after the end is refunded', async () => {
  const { requestId, address, recipient } = await quoteAddress(usdc, hundred)
  const { deadline } = await crossings.find(requestId)
  // The price feeds of the chain are on this one.
  const feeding = crossings.wallet().clientOn(crossings.ethereum)
  const call = (method: string, params: readonly unknown[]) =>
    feeding.request({ method, params } as never)
  await call('evm_setNextBlockTimestamp', [deadline + 60])
  await call('evm_mine', [])
  crossings.svmNode().warp({ seconds: deadline - Math.floor(Date.now() / 1000) + 60 })
  await pay(usdc, address, hundred)
  expect(await crossings.ended(requestId)).toBe('refund')
  await vi.waitFor(
    async () => expect(await reasonsOf(requestId)).toEqual(['ORDER_EXPIRED']),
    patience,
  )
  expect(await crossings.balance(output, recipient)).toBe(0n)
})
