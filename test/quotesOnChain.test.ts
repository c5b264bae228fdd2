import { encodeFunctionData, erc20Abi, hashStruct, parseAbi, parseEventLogs } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { graphql } from './generated/gql.ts'
import type { QuoteInput, ToExecuteQuery, TradeType } from './generated/graphql.ts'
import { orderTypes } from './orderTypes.ts'
import { startStack } from './stack.ts'
import { createWallet, type Wallet } from './wallet.ts'

const toExecute = graphql(`
  query ToExecute($input: QuoteInput!) {
    quote(input: $input) {
      requestId
      steps {
        id
        requestId
        items {
          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }
          check { endpoint method }
        }
      }
      fees { app { amount } relayer { amount } }
      details {
        operation
        currencyIn { amount }
        currencyOut { amount minimumAmount }
        route { origin { includedSwapSources outputCurrency { amount minimumAmount currency { address } } } }
      }
      protocol { v2 { orderId orderData paymentDetails { chainId depository currency amount } } }
    }
  }
`)

type Quote = ToExecuteQuery['quote']
type Place = readonly [chainId: number, symbol: string]

const [ethereum, rollup, bnb] = [990001, 990002, 990003] as const
const tradeTypes: readonly TradeType[] = ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT']

let stack: Awaited<ReturnType<typeof startStack>>
let wallet: Wallet
beforeAll(async () => {
  stack = await startStack()
  wallet = createWallet(stack.devnet.description, users[0])
})
afterAll(async () => {
  await stack.stop()
})

/** Nobody has had it before: what it holds is what it was paid. */
const newAccount = () => privateKeyToAddress(generatePrivateKey())

/** The market knows all that has been mined. */
const settled = () =>
  vi.waitFor(async () => {
    for (const { id } of stack.devnet.description.chains)
      expect(stack.market.latest(id as never)?.block.number).toBeGreaterThanOrEqual(
        await wallet.clientOn(id).getBlockNumber(),
      )
  }, 10_000)

async function quoteOf(from: Place, to: Place, change: Partial<QuoteInput>): Promise<Quote> {
  await settled()
  const input: QuoteInput = {
    user: wallet.address,
    originChainId: from[0],
    originCurrency: stack.currencyOn(...from),
    destinationChainId: to[0],
    destinationCurrency: stack.currencyOn(...to),
    amount: '0',
    tradeType: 'EXACT_INPUT',
    ...change,
  }
  const { data, errors } = await stack.query(toExecute, { input })
  if (data == null) throw new Error(`${from} to ${to}: ${JSON.stringify(errors)}`)
  return data.quote
}

async function balanceOf([chainId, symbol]: Place, account: string): Promise<bigint> {
  const client = wallet.clientOn(chainId)
  const address = stack.currencyOn(chainId, symbol) as `0x${string}`
  if (/^0x0+$/.test(address)) return client.getBalance({ address: account as `0x${string}` })
  return client.readContract({
    address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account as `0x${string}`],
  })
}

/** What the router of a chain holds of anything: nothing, or it could be taken by anyone. */
async function routerHoldings(chainId: number): Promise<readonly string[]> {
  const { router } = stack.contractsOn(chainId)
  const chain = stack.devnet.description.chains.find(({ id }) => id === chainId)
  const symbols = [
    chain?.nativeCurrency.symbol ?? '',
    ...(chain?.currencies ?? []).map((each) => each.symbol),
  ]
  const held = await Promise.all(symbols.map((symbol) => balanceOf([chainId, symbol], router)))
  return symbols.filter((_, at) => held[at] !== 0n)
}

const units = (whole: string, decimals: number): string =>
  `${BigInt(whole) * 10n ** BigInt(decimals)}`

describe.each(tradeTypes)('on one chain, %s', (tradeType) => {
  const isInput = tradeType === 'EXACT_INPUT'
  it.each<[string, Place, Place, input: string, output: string, Partial<QuoteInput>]>([
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
  ])('%s pays the recipient to the unit', async (_, from, to, input, output, change) => {
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
      const before = await balanceOf(from, wallet.address)
      const receipts = await wallet.execute(quote.steps)
      expect(receipts.map(({ status }) => status)).not.toContain('reverted')
      const got = (await balanceOf(to, recipient)) - paid
      expect(got).toBe(BigInt(quote.details.currencyOut.amount))
      if (!isInput) expect(got).toBe(BigInt(output))
      const gas = receipts.reduce((sum, each) => sum + each.gasUsed * each.effectiveGasPrice, 0n)
      const spent = before - (await balanceOf(from, wallet.address))
      const isNative = /^0x0+$/.test(stack.currencyOn(...from))
      expect(spent - (isNative ? gas : 0n)).toBeLessThanOrEqual(
        BigInt(quote.details.currencyIn.amount),
      )
      expect(await routerHoldings(from[0])).toEqual([])
      if (fees.length > 0) {
        const collected = await Promise.all(collector.map((account) => balanceOf(from, account)))
        expect(collected.reduce((sum, each) => sum + each, 0n)).toBe(BigInt(quote.fees.app.amount))
        expect(collected).not.toContain(0n)
      }
    }
  })
})

describe('on one chain', () => {
  it('runs the caller’s calls with the output in hand, and pays the recipient what they leave', async () => {
    const [recipient, third] = [newAccount(), newAccount()]
    const usdc = stack.currencyOn(ethereum, 'USDC')
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [third, 5n] })
    const quote = await quoteOf([ethereum, 'ETH'], [ethereum, 'USDC'], {
      amount: units('1', 18),
      recipient,
      txs: [{ to: usdc, value: '0', data }],
    })
    await wallet.execute(quote.steps)
    expect(await balanceOf([ethereum, 'USDC'], third)).toBe(5n)
    expect(await balanceOf([ethereum, 'USDC'], recipient)).toBe(
      BigInt(quote.details.currencyOut.amount) - 5n,
    )
  })

  it('refuses calls that would fail', async () => {
    const third = newAccount()
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [wallet.address, third, 5n],
    })
    const usdc = stack.currencyOn(ethereum, 'USDC')
    const quote = quoteOf([ethereum, 'ETH'], [ethereum, 'USDC'], {
      amount: units('1', 18),
      txs: [{ to: usdc, value: '0', data }],
    })
    await expect(quote).rejects.toThrow('DESTINATION_TX_FAILED')
  })

  it('reverts, and takes nothing, when a trade that came first left too little', async () => {
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
    const rival = createWallet(stack.devnet.description, users[1])
    const first = await quoteOf(from, to, {
      amount: units('1', 8),
      user: rival.address,
      overridePriceImpact: true,
    })
    await rival.execute(first.steps)
    const before = await balanceOf(from, wallet.address)
    const receipts = await wallet.execute(quote.steps)
    expect(receipts.at(-1)?.status).toBe('reverted')
    expect(await balanceOf(from, wallet.address)).toBe(before)
    expect(await balanceOf(to, recipient)).toBe(0n)
  })

  it('pays at least the minimum when the trade before it was small', async () => {
    const recipient = newAccount()
    const [from, to] = [
      [rollup, 'ETH'],
      [rollup, 'USDC'],
    ] as const
    const quote = await quoteOf(from, to, { amount: units('1', 18), recipient })
    const rival = createWallet(stack.devnet.description, users[1])
    const first = await quoteOf(from, to, { amount: units('1', 17), user: rival.address })
    await rival.execute(first.steps)
    await wallet.execute(quote.steps)
    const got = await balanceOf(to, recipient)
    expect(got).toBeLessThan(BigInt(quote.details.currencyOut.amount))
    expect(got).toBeGreaterThanOrEqual(BigInt(quote.details.currencyOut.minimumAmount))
  })
})

const depositEvents = parseAbi([
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
])

/** Other currencies may make the better bridge once trades have moved the pools. */
const asItIs = { disableOriginSwaps: true }

describe.each(tradeTypes)('across chains, %s', (tradeType) => {
  const isInput = tradeType === 'EXACT_INPUT'
  it.each<[string, Place, Place, input: string, output: string, Partial<QuoteInput>]>([
    ['native as it is', [ethereum, 'ETH'], [rollup, 'ETH'], units('1', 18), units('1', 18), asItIs],
    [
      'native by plain payment',
      [ethereum, 'ETH'],
      [rollup, 'ETH'],
      units('1', 18),
      units('1', 18),
      { ...asItIs, explicitDeposit: false },
    ],
    [
      'ERC-20 as it is',
      [ethereum, 'USDC'],
      [bnb, 'USDC'],
      units('100', 6),
      units('100', 6),
      asItIs,
    ],
    [
      'ERC-20 by plain transfer',
      [bnb, 'USDC'],
      [rollup, 'USDC'],
      units('100', 6),
      units('100', 6),
      { ...asItIs, useReceiver: false },
    ],
    ['an unwrap first', [ethereum, 'WETH'], [rollup, 'ETH'], units('1', 18), units('1', 18), {}],
    ['a swap first', [ethereum, 'ACORN'], [rollup, 'USDC'], units('4000', 18), units('900', 6), {}],
    ['swaps on both ends', [bnb, 'BIRCH'], [ethereum, 'GROVE'], units('50', 8), units('5', 24), {}],
    [
      'calls and app fees',
      [rollup, 'ETH'],
      [ethereum, 'ETH'],
      units('1', 18),
      units('1', 18),
      {
        appFees: [
          { recipient: users[2].address, fee: '25' },
          { recipient: users[3].address, fee: '10' },
        ],
        txs: [{ to: users[4].address, value: '1000', data: '0x' }],
      },
    ],
  ])(
    '%s: the depository gets what the order says, with its id',
    async (_, from, to, input, output, change) => {
      const quote = await quoteOf(from, to, {
        ...change,
        tradeType,
        amount: isInput ? input : output,
      })
      const protocol = quote.protocol?.v2
      if (protocol == null) throw new Error('No order')
      expect(protocol.orderId).toBe(
        hashStruct({ types: orderTypes, primaryType: 'Order', data: protocol.orderData as never }),
      )
      const { depository, currency, amount } = protocol.paymentDetails
      const symbol = symbolOf(from[0], currency)
      const held = await balanceOf([from[0], symbol], depository)
      const receipts = await wallet.execute(quote.steps)
      expect(receipts.map(({ status }) => status)).not.toContain('reverted')
      expect((await balanceOf([from[0], symbol], depository)) - held).toBe(BigInt(amount))
      expect(await routerHoldings(from[0])).toEqual([])
      const logs = receipts.flatMap((receipt) => receipt.logs)
      const deposits = parseEventLogs({ abi: depositEvents, logs })
      const isPlainTransfer = change.useReceiver === false
      expect(deposits.map(({ args }) => args)).toMatchObject(
        isPlainTransfer ? [] : [{ amount: BigInt(amount), id: protocol.orderId }],
      )
      const last = quote.steps.at(-1)?.items.at(-1)
      if (isPlainTransfer) expect(last?.data.data.endsWith(protocol.orderId.slice(2))).toBe(true)
      expect(last?.check).toEqual({
        endpoint: `/intents/status/v3?requestId=${quote.requestId}`,
        method: 'GET',
      })
    },
  )
})

const symbolOf = (chainId: number, address: string): string => {
  const chain = stack.devnet.description.chains.find(({ id }) => id === chainId)
  const found = chain?.currencies.find((currency) => currency.address === address)
  return found?.symbol ?? chain?.nativeCurrency.symbol ?? ''
}
