import { encodeFunctionData, erc20Abi } from 'viem'
import { describe, expect, it } from 'vitest'
import type { QuoteInput } from '#test/generated/graphql.ts'
import {
  bnb,
  ethereum,
  type Place,
  rollup,
  tradeTypes,
  units,
  useQuotes,
} from '#test/support/gateways/useQuotes.ts'
import { inTurns } from '#test/support/runs.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const { stack, wallet, rival, balanceOf, isNative, routerBalances, quoteOf } = useQuotes()

type Kind = readonly [
  title: string,
  from: Place,
  to: Place,
  input: string,
  output: string,
  Partial<QuoteInput>,
]

const kinds: readonly Kind[] = [
  [
    'native into ERC-20',
    [ethereum, 'ETH'],
    [ethereum, 'USDC'],
    units('2', 18),
    units('5000', 6),
    {},
  ],
  [
    'ERC-20 into native',
    [ethereum, 'USDC'],
    [ethereum, 'ETH'],
    units('5000', 6),
    units('1', 18),
    {},
  ],
  [
    'several hops',
    [ethereum, 'ACORN'],
    [ethereum, 'GROVE'],
    units('4000', 18),
    units('10', 24),
    {},
  ],
  [
    'no answers, reset allowances',
    [ethereum, 'USDT'],
    [ethereum, 'DAI'],
    units('900', 6),
    units('800', 18),
    {},
  ],
  ['a split', [rollup, 'USDC'], [rollup, 'WBTC'], units('90000', 6), units('1', 8), {}],
  [
    'on a chain of its own currency',
    [bnb, 'BNB'],
    [bnb, 'ETH'],
    units('3', 18),
    units('1', 18),
    {},
  ],
  ['a wrap', [ethereum, 'ETH'], [ethereum, 'WETH'], units('1', 18), units('1', 18), {}],
  ['an unwrap', [ethereum, 'WETH'], [ethereum, 'ETH'], units('1', 18), units('1', 18), {}],
  ['a native send', [ethereum, 'ETH'], [ethereum, 'ETH'], units('1', 18), units('1', 18), {}],
  ['an ERC-20 send', [ethereum, 'USDT'], [ethereum, 'USDT'], units('7', 6), units('7', 6), {}],
]

describe('a same-chain quote of each kind', () => {
  it.each(inTurns(tradeTypes, kinds).map(([tradeType, kind]) => [tradeType, ...kind] as const))(
    '%s, %s: pays the recipient exactly the quoted output',
    async (tradeType, _, from, to, input, output, change) => {
      const isInput = tradeType === 'EXACT_INPUT'
      const recipient = newAccount()
      const collector = [newAccount(), newAccount()] as const
      const appFees = collector.map((account, at) => ({ recipient: account, fee: `${13 + at}` }))
      for (const fees of [[], appFees]) {
        const paid = await balanceOf(to, recipient)
        const quote = await quoteOf(from, to, {
          ...change,
          tradeType,
          amount: isInput ? input : output,
          recipient,
          appFees: fees,
        })
        const before = await balanceOf(from, wallet().address)
        const receipts = await wallet().execute(quote.steps)
        expect(receipts.map(({ status }) => status)).not.toContain('reverted')
        const got = (await balanceOf(to, recipient)) - paid
        expect(got).toBe(BigInt(quote.details.currencyOut.amount))
        if (!isInput) expect(got).toBe(BigInt(output))
        const gas = receipts.reduce((sum, each) => sum + each.gasUsed * each.effectiveGasPrice, 0n)
        const spent = before - (await balanceOf(from, wallet().address))
        expect(spent - (isNative(from) ? gas : 0n)).toBeLessThanOrEqual(
          BigInt(quote.details.currencyIn.amount),
        )
        expect(await routerBalances(from[0])).toEqual([])
        if (fees.length > 0) {
          const collected = await Promise.all(collector.map((account) => balanceOf(from, account)))
          expect(collected.reduce((sum, each) => sum + each, 0n)).toBe(
            BigInt(quote.fees.app.amount),
          )
          expect(collected).not.toContain(0n)
        }
      }
    },
  )
})

describe('a same-chain quote', () => {
  it('executes the caller’s calls with the output, and pays the remainder to the recipient', async () => {
    const [recipient, third] = [newAccount(), newAccount()]
    const usdc = stack().currencyOn(ethereum, 'USDC')
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [third, 5n] })
    const quote = await quoteOf([ethereum, 'ETH'], [ethereum, 'USDC'], {
      amount: units('1', 18),
      recipient,
      txs: [{ to: usdc, value: '0', data }],
    })
    await wallet().execute(quote.steps)
    expect(await balanceOf([ethereum, 'USDC'], third)).toBe(5n)
    expect(await balanceOf([ethereum, 'USDC'], recipient)).toBe(
      BigInt(quote.details.currencyOut.amount) - 5n,
    )
  })

  // The solver holds ether and no GROVE. The user executes same-chain swaps without the solver.
  it.each([
    ['ETH', '1', 18, '0'],
    ['GROVE', '5', 24, '0'],
    ['GROVE', '5', 24, '300'],
  ])(
    'rejects calls that would revert with the output of a swap from %s',
    async (input, whole, decimals, fee) => {
      const usdc = stack().currencyOn(ethereum, 'USDC')
      const spend = (amount: bigint) => {
        const args = [newAccount(), amount] as const
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
        return quoteOf([ethereum, input], [ethereum, 'USDC'], {
          amount: units(whole, decimals),
          appFees: [{ recipient: newAccount(), fee }],
          txs: [{ to: usdc, value: '0', data }],
        })
      }
      const { details } = await spend(1n)
      const output = BigInt(details.currencyOut.amount)
      await spend(output)
      await expect(spend(output + 1n)).rejects.toThrow('DESTINATION_TX_FAILED')
    },
  )

  it('gives the caller’s calls the output that they wrap', async () => {
    const recipient = newAccount()
    const wrapped = stack().currencyOn(ethereum, 'WETH')
    const quote = await quoteOf([ethereum, 'USDC'], [ethereum, 'ETH'], {
      amount: units('100', 6),
      recipient,
      txs: [{ to: wrapped, value: '5', data: '0xd0e30db0' }],
    })
    await wallet().execute(quote.steps)
    expect(await routerBalances(ethereum)).toEqual([])
    expect(await balanceOf([ethereum, 'WETH'], recipient)).toBe(5n)
    expect(await balanceOf([ethereum, 'ETH'], recipient)).toBe(
      BigInt(quote.details.currencyOut.amount) - 5n,
    )
  })

  it('reverts and takes nothing if an earlier trade moved the price too far', async () => {
    const recipient = newAccount()
    const [from, to] = [
      [ethereum, 'WBTC'],
      [ethereum, 'CEDAR'],
    ] as const
    const quote = await quoteOf(from, to, {
      amount: units('1', 7),
      recipient,
      slippageTolerance: '10',
    })
    const other = rival()
    const first = await quoteOf(from, to, {
      amount: units('1', 8),
      user: other.address,
      overridePriceImpact: true,
    })
    await other.execute(first.steps)
    const before = await balanceOf(from, wallet().address)
    const receipts = await wallet().execute(quote.steps)
    expect(receipts.at(-1)?.status).toBe('reverted')
    expect(await balanceOf(from, wallet().address)).toBe(before)
    expect(await balanceOf(to, recipient)).toBe(0n)
  })

  it('pays at least the minimum if an earlier trade was small', async () => {
    const recipient = newAccount()
    const [from, to] = [
      [rollup, 'ETH'],
      [rollup, 'USDC'],
    ] as const
    const quote = await quoteOf(from, to, { amount: units('1', 18), recipient })
    const other = rival()
    const first = await quoteOf(from, to, { amount: units('1', 17), user: other.address })
    await other.execute(first.steps)
    await wallet().execute(quote.steps)
    const got = await balanceOf(to, recipient)
    expect(got).toBeLessThan(BigInt(quote.details.currencyOut.amount))
    expect(got).toBeGreaterThanOrEqual(BigInt(quote.details.currencyOut.minimumAmount))
  })
})
