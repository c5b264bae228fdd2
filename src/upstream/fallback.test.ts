import { describe, expect, it } from 'vitest'
import {
  answerFor,
  currencyInOf,
  currencyOutOf,
  order,
  parties,
  paymentOf,
  quoteAnswer,
} from '#test/support/fixtures/upstreamAnswer.ts'
import { failureOf, fallbackTo } from '#test/support/rigs/fallbackRig.ts'

const { thief } = parties

describe('a good quote', () => {
  it('is passed on with our id and our words, and stored once its steps are asked for', async () => {
    const { quote, stored, ask } = fallbackTo(quoteAnswer())
    const answer = await quote()
    expect(stored).toEqual([])
    const steps = await answer.steps()
    expect(await answer.requestId()).toBe(`0x${'7'.repeat(64)}`)
    expect(steps.map(({ description }) => description)).toEqual([
      'Sign an approval for USDC',
      'Depositing funds to the relayer to execute the swap for USDC',
    ])
    const [approve, deposit] = steps.map(({ items: [item] }) => item)
    expect([approve?.check, deposit?.check?.endpoint]).toEqual([
      undefined,
      `/intents/status/v3?requestId=0x${'7'.repeat(64)}`,
    ])
    expect(await deposit?.data.gas()).toBe(90_000n)
    expect(answer).toMatchObject({ fallbackType: 'upstream', blocks: [], rate: '0.995' })
    expect(stored).toMatchObject([
      {
        execution: 'upstream',
        upstream: { service: 'https://other.example', requestId: `0x${'5'.repeat(64)}` },
        refundTo: parties.refundTo,
      },
    ])
    expect(ask.mock.calls.map(([{ path }]) => path)).toEqual(['/quote/v2'])
    expect(ask.mock.calls[0]?.[0].body).not.toHaveProperty('useFallbacks')
  })
})

describe('the other service is asked only', () => {
  it.each([
    ['where the caller allows it', { useFallbacks: undefined }, {}],
    ['unless the caller forbids it', { useFallbacks: false }, { isOnly: true }],
    ['where our own pricing finds no way', {}, { ownCode: 'AMOUNT_TOO_LOW' }],
    ['between its configured chains', { destinationChainId: 11 }, {}],
    ['without a sponsor', { subsidizeFees: true }, {}],
    ['without permits', { usePermit: true }, {}],
    ['without deposit addresses', { useDepositAddress: true }, {}],
  ])('%s', async (_, change, options) => {
    const { price, quote, ask } = fallbackTo(quoteAnswer(), options)
    expect(await failureOf(price(change))).toContain('Our own error')
    expect(await failureOf(quote(change))).toContain('Our own error')
    expect(ask).not.toHaveBeenCalled()
  })
})

it('a gateway without chains asks the other service unless the caller forbids it', async () => {
  const { price, ask } = fallbackTo(quoteAnswer(), { isOnly: true })
  expect(await failureOf(price({ useFallbacks: undefined }))).toBe('passed on')
  expect(ask).toHaveBeenCalledTimes(1)
})

describe('a price that waits for liquidity', () => {
  it('gives way to that of the other service', async () => {
    const { priceBeforeWaiting } = fallbackTo(quoteAnswer())
    expect((await priceBeforeWaiting()).fallbackType).toBe('upstream')
  })

  it('stays where the caller forbids it, or the other service has no good answer', async () => {
    const forbidden = fallbackTo(quoteAnswer())
    expect(await forbidden.priceBeforeWaiting({ useFallbacks: false })).toEqual({
      awaitsLiquidity: true,
    })
    expect(forbidden.ask).not.toHaveBeenCalled()
    const lying = fallbackTo(quoteAnswer({}, { recipient: thief }))
    expect(await lying.priceBeforeWaiting()).toEqual({ awaitsLiquidity: true })
  })
})

describe('an answer that lies about amounts is refused', () => {
  it.each([
    ['another input', currencyInOf(100_000_001n), 'currencyIn.amount is not the exact input'],
    [
      'a minimum above the amount',
      currencyOutOf(99_500_000n, 99_500_001n),
      'currencyOut.minimumAmount is above the amount',
    ],
    [
      'a minimum below the tolerance',
      currencyOutOf(99_500_000n, 99_002_499n),
      'currencyOut.minimumAmount is below the slippage tolerance',
    ],
    ['nothing', currencyOutOf(0n, 0n), 'an amount is 0'],
    [
      'more than the input is worth',
      currencyOutOf(200_000_000n, 199_500_000n),
      'the output is worth more than the input',
    ],
    [
      'another currency',
      { currencyOut: currencyInOf(99_500_000n).currencyIn },
      'currencyOut is another currency than requested',
    ],
    ['another recipient', { recipient: thief }, 'the recipient is another account'],
    ['another sender', { sender: thief }, 'the sender is another account'],
  ])('%s', async (_, details, problem) => {
    const { price, quote, stored } = fallbackTo(quoteAnswer({}, details))
    expect(await failureOf(price())).toBe(`SWAP_QUOTE_FAILED: ${problem}`)
    expect(await failureOf(quote())).toBe(`SWAP_QUOTE_FAILED: ${problem}`)
    expect(stored).toEqual([])
  })

  it('values that differ from our own prices', async () => {
    const details = currencyInOf(100_000_000n, { amountUsd: '150' })
    expect(await failureOf(fallbackTo(quoteAnswer({}, details)).price())).toBe('passed on')
    expect(
      await failureOf(fallbackTo(quoteAnswer({}, details), { knowsPrices: true }).price()),
    ).toContain('the value of currencyIn differs from our own prices')
  })

  it('a loss, unless the caller overrides the limit', async () => {
    const details = currencyOutOf(80_000_000n, 79_900_000n)
    const changed = { ...order, output: { ...order.output, payments: [paymentOf(79_900_000n)] } }
    const answer = quoteAnswer(answerFor(changed), details)
    expect(await failureOf(fallbackTo(answer).quote())).toContain('SWAP_IMPACT_TOO_HIGH')
    expect(await failureOf(fallbackTo(answer).quote({ overridePriceImpact: true }))).toBe(
      'passed on',
    )
  })
})
