import { expect, it } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { quote } from './quote.ts'
import { walletCallsOf } from './walletCalls.ts'

const input = quoteInput.parse({
  user: account('1'),
  originChainId: originChain,
  originCurrency: currencyOf(originChain, 'USDC').address,
  destinationChainId: destinationChain,
  destinationCurrency: currencyOf(destinationChain, 'USDC').address,
  amount: '10000000000',
  tradeType: 'EXACT_INPUT',
})

type Deps = ReturnType<typeof createQuoteDeps>['deps']

const quoteOf = (changes: Partial<Deps> = {}, held = 0n) => {
  const { deps, stored } = createQuoteDeps(changes)
  const reads = {
    ...loaders,
    balance: async () => toAmount(held),
    allowance: async () => toAmount(held),
  }
  return quote(deps, input, reads, client).then((quoted) => ({ quoted, stored }))
}

it('tells what the user lacks', async () => {
  const { quoted, stored } = await quoteOf({}, 7n)
  const { issues } = quoted
  expect([await issues.balance(), await issues.allowance()]).toMatchInlineSnapshot(`
    [
      {
        "actual": 7n,
        "currency": {
          "address": "0xcccccccccccccccccccccccccccccccc3b023769",
          "chainId": 990001,
          "decimals": 6,
          "metadata": {
            "isNative": false,
            "verified": true,
          },
          "name": "USDC",
          "symbol": "USDC",
        },
        "expected": 10000000000n,
      },
      {
        "actual": 7n,
        "currency": {
          "address": "0xcccccccccccccccccccccccccccccccc3b023769",
          "chainId": 990001,
          "decimals": 6,
          "metadata": {
            "isNative": false,
            "verified": true,
          },
          "name": "USDC",
          "symbol": "USDC",
        },
        "expected": 10000000000n,
        "spender": "0xdddddddddddddddddddddddddddddddddd990001",
      },
    ]
  `)
  expect(stored).toEqual([])
  const { quoted: rich } = await quoteOf({}, 10n ** 10n)
  expect([await rich.issues.balance(), await rich.issues.allowance()]).toEqual([
    undefined,
    undefined,
  ])
})

it('tells why a transaction has no gas limit', async () => {
  const { simulator } = createQuoteDeps().deps
  const reasonOf = async (changes: Partial<Deps['simulator']>, held: bigint) => {
    const { quoted } = await quoteOf({ simulator: { ...simulator, ...changes } }, held)
    return (await quoted.issues.gas())?.reason
  }
  const enough = 10n ** 10n
  const noGas = { estimateGas: async () => undefined }
  expect(await reasonOf({}, enough)).toBeUndefined()
  expect(await reasonOf({}, 0n)).toBe('EARLIER_TRANSACTION')
  expect(await reasonOf({ ...noGas, wouldRevert: async () => true }, enough)).toBe('WOULD_REVERT')
  expect(await reasonOf(noGas, enough)).toBe('UNKNOWN')
})

it('quotes the deadline that it stores, and when to ask again', async () => {
  let now = 1_800_000_000_999
  const { quoted, stored } = await quoteOf({ now: () => now })
  now += 60_000
  await quoted.steps()
  expect([quoted.deadline, quoted.refreshAfter]).toEqual([1_800_604_800, 1_800_000_010])
  expect(stored[0]?.deadline).toBe(quoted.deadline)
})

it('gives the transactions as one batch for a wallet, and none where a signature is needed', async () => {
  const { quoted } = await quoteOf()
  const steps = await quoted.steps()
  const calls = walletCallsOf(steps)
  expect({
    ...calls,
    calls: calls?.calls.map(({ data, ...call }) => ({ ...call, data: data.slice(0, 10) })),
  }).toMatchInlineSnapshot(`
    {
      "calls": [
        {
          "data": "0x095ea7b3",
          "to": "0xcccccccccccccccccccccccccccccccc3b023769",
          "value": "0x0",
        },
        {
          "data": "0xe8017952",
          "to": "0xdddddddddddddddddddddddddddddddddd990001",
          "value": "0x0",
        },
      ],
      "chainId": "0xf1b31",
      "from": "0x1111111111111111111111111111111111111111",
    }
  `)
  const [step] = steps
  if (step === undefined) throw new Error('No step')
  expect(walletCallsOf([{ ...step, items: [], signature: {} as never }])).toBeUndefined()
})
