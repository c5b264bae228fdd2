import { describe, expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { patience } from '#test/support/patience.ts'
import { svmCrossings } from '#test/support/svm/svmCrossings.ts'

const crossings = svmCrossings()
const { ethereum, rollup, solana, run, settledDeposits } = crossings

describe('an order between virtual machines is filled and settled', () => {
  it.each([
    ['ETH into SOL', [ethereum, 'ETH'], [solana, 'SOL'], 10n ** 18n],
    ['ETH into USDC', [ethereum, 'ETH'], [solana, 'USDC'], 10n ** 18n],
    ['SOL into ETH', [solana, 'SOL'], [ethereum, 'ETH'], 10n * 10n ** 9n],
    ['USDC into USDC', [solana, 'USDC'], [rollup, 'USDC'], 100_000_000n],
    ['USDC into USDC on Solana', [rollup, 'USDC'], [solana, 'USDC'], 100_000_000n],
  ] as const)('%s', async (_, from, to, amount) => {
    const order = await run(from, to, amount)
    expect(order.status).toBe('success')
    expect(order.received).toBeGreaterThanOrEqual(order.minimum)
    await settledDeposits(order.requestId)
  })

  it.each([
    ['SOL', 2n * 10n ** 9n],
    ['USDC', 50_000_000n],
  ] as const)('%s paid to a strict deposit address', async (symbol, amount) => {
    const terms = { useDepositAddress: true, strict: true, refundTo: crossings.user().pubkey }
    const order = await run([solana, symbol], [rollup, 'USDC'], amount, terms)
    expect(order.status).toBe('success')
    expect(order.received).toBeGreaterThanOrEqual(order.minimum)
    await settledDeposits(order.requestId)
  })

  it('payments to an open deposit address, each for itself', async () => {
    const terms = { useDepositAddress: true, refundTo: crossings.user().pubkey }
    const quoted = await crossings.quote([solana, 'SOL'], [rollup, 'USDC'], 10n ** 9n, terms)
    const recipient = crossings.accountOn(rollup, 1)
    const before = await crossings.balance([rollup, 'USDC'], recipient)
    await crossings.execute(quoted)
    const paid = await vi.waitFor(async () => {
      const amount = (await crossings.balance([rollup, 'USDC'], recipient)) - before
      expect(amount).toBeGreaterThan(0n)
      return amount
    }, patience)
    expect(paid).toBeGreaterThanOrEqual(BigInt(quoted.details.currencyOut.minimumAmount))
  })

  it('two deposits of a multi-input order, one on each machine', async () => {
    const { stack, wallet, user } = crossings
    const quoted = await crossings.rest().post('/execute/swap/multi-input', {
      user: users[0].address,
      origins: [
        { chainId: ethereum, currency: stack().currencyOn(ethereum, 'USDC'), amount: '60000000' },
        {
          chainId: solana,
          currency: stack().currencyOn(solana, 'USDC'),
          amount: '40000000',
          user: user().pubkey,
        },
      ],
      destinationChainId: rollup,
      destinationCurrency: stack().currencyOn(rollup, 'USDC'),
      recipient: wallet().address,
      tradeType: 'EXACT_INPUT',
    })
    await crossings.execute(quoted as never)
    const requestId = crossings.requestIdOf(quoted as never)
    expect(await crossings.ended(requestId)).toBe('success')
    expect((await settledDeposits(requestId)).map(({ chainId }) => chainId).sort()).toEqual([
      ethereum,
      solana,
    ])
  })
})

describe('a deposit that is not filled goes back to its depositor', () => {
  it.each([
    ['SOL', [solana, 'SOL'], [rollup, 'USDC'], 10n ** 9n],
    ['USDC', [solana, 'USDC'], [rollup, 'USDC'], 50_000_000n],
    ['USDC of an order that pays out on Solana', [ethereum, 'USDC'], [solana, 'USDC'], 50_000_000n],
  ] as const)('%s', async (_, from, to, amount) => {
    const account = crossings.accountOn(from[0])
    const before = await crossings.balance(from, account)
    // Until then, a fill that the solver does not know might land.
    if (to[0] === solana) crossings.svmNode().warp({ seconds: 130 })
    const order = await run(from, to, amount, { referrer: 'debug-force-refund' })
    expect(order.status).toBe('refund')
    expect(order.received).toBe(0n)
    const [deposit] = await crossings.stack().store.depositsOf(order.requestId)
    expect(deposit?.status).toBe('refunded')
    const lost = before - (await crossings.balance(from, account))
    expect(lost).toBeGreaterThan(0n)
    expect(lost).toBeLessThan(amount / 10n)
  })
})
