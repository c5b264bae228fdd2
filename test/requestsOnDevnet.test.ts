import { describe, expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { isTerminal } from '#src/requests/requestState.ts'
import type { StoredRequest } from '#src/requests/storedRequest.ts'
import { nativeAddress } from '#src/units/address.ts'
import type { QuoteInput } from './generated/graphql.ts'
import { newAccount } from './newAccount.ts'
import {
  bnb,
  ethereum,
  type Place,
  rollup,
  type tradeTypes,
  units,
  useQuotes,
} from './useQuotes.ts'

const { stack, wallet, settled, symbolOf, balanceOf, quoteOf } = useQuotes([
  'gateway',
  'tracker',
  'solver',
])

const patience = { timeout: 60_000, interval: 50 }

/** Gets the app fees. */
const collector = newAccount()

const asItIs = { disableOriginSwaps: true }

const kinds: readonly (readonly [
  name: string,
  from: Place,
  to: Place,
  input: string,
  output: string,
  change: Partial<QuoteInput>,
])[] = [
  ['native', [ethereum, 'ETH'], [rollup, 'ETH'], units('1', 18), units('1', 18), asItIs],
  [
    'a plain native payment',
    [rollup, 'ETH'],
    [ethereum, 'ETH'],
    units('1', 18),
    units('1', 18),
    { ...asItIs, explicitDeposit: false },
  ],
  ['ERC-20', [ethereum, 'USDC'], [bnb, 'USDC'], units('100', 6), units('90', 6), asItIs],
  ['no answers', [rollup, 'USDT'], [ethereum, 'USDT'], units('100', 6), units('90', 6), asItIs],
  [
    'a plain transfer',
    [bnb, 'USDC'],
    [rollup, 'USDC'],
    units('100', 6),
    units('90', 6),
    { ...asItIs, useReceiver: false },
  ],
  ['an unwrap first', [ethereum, 'WETH'], [rollup, 'ETH'], units('1', 18), units('1', 18), {}],
  ['a wrap last', [rollup, 'ETH'], [ethereum, 'WETH'], units('1', 18), units('1', 18), {}],
  ['a swap first', [ethereum, 'ACORN'], [rollup, 'USDC'], units('4000', 18), units('900', 6), {}],
  ['a swap last', [rollup, 'USDC'], [ethereum, 'WBTC'], units('9000', 6), units('5', 6), {}],
  ['swaps on both ends', [bnb, 'BIRCH'], [ethereum, 'GROVE'], units('50', 8), units('5', 24), {}],
  [
    'a top-up',
    [ethereum, 'USDC'],
    [rollup, 'USDC'],
    units('500', 6),
    units('400', 6),
    { topupGas: true },
  ],
  [
    'calls and app fees',
    [rollup, 'ETH'],
    [ethereum, 'ETH'],
    units('1', 18),
    units('1', 18),
    {
      appFees: [{ recipient: collector, fee: '25' }],
      txs: [{ to: users[4].address, value: '1000', data: '0x' }],
    },
  ],
  [
    'the solver on one chain',
    [ethereum, 'ETH'],
    [ethereum, 'USDC'],
    units('1', 18),
    units('900', 6),
    { forceSolverExecution: true },
  ],
  ['the user on one chain', [bnb, 'BNB'], [bnb, 'ETH'], units('3', 18), units('1', 18), {}],
  ['a wrap', [rollup, 'ETH'], [rollup, 'WETH'], units('1', 18), units('1', 18), {}],
]

/** Those whose fill trades on the destination chain. */
const swapsLast = new Set(['a swap last', 'swaps on both ends', 'the solver on one chain'])

/** Quoted and paid for by the wallet. */
type Made = Readonly<{
  title: string
  requestId: `0x${string}`
  to: Place
  recipient: `0x${string}`
  minimum: bigint
  /** Of the recipient, before. */
  held: bigint
}>

async function make(
  [name, from, to, input, output, change]: (typeof kinds)[number],
  tradeType: (typeof tradeTypes)[number],
): Promise<Made> {
  const recipient = change.txs === undefined && name !== 'a wrap' ? newAccount() : wallet().address
  const quote = await quoteOf(from, to, {
    ...change,
    tradeType,
    recipient,
    amount: tradeType === 'EXACT_INPUT' ? input : output,
    slippageTolerance: '300',
  })
  const held = await balanceOf(to, recipient)
  const receipts = await wallet().execute(quote.steps)
  expect(receipts.map(({ status }) => status)).not.toContain('reverted')
  const minimum = BigInt(quote.details.currencyOut.minimumAmount)
  const requestId = quote.requestId as `0x${string}`
  return { title: `${name}, ${tradeType}`, requestId, to, recipient, minimum, held }
}

/** Waits for the end of all, and holds it against what was promised. */
async function finish(made: readonly Made[]): Promise<void> {
  const found = new Map<string, StoredRequest>()
  await vi.waitFor(async () => {
    for (const each of await stack().store.findAll(made.map(({ requestId }) => requestId)))
      found.set(each.requestId, each)
    expect([...found.values()].filter(({ state }) => !isTerminal(state.status))).toEqual([])
  }, patience)
  const ends = made.map(({ title, requestId }) => {
    const { status, failReason } = found.get(requestId)?.state ?? {}
    return [title, status, failReason]
  })
  expect(ends).toEqual(made.map(({ title }) => [title, 'success', undefined]))
  for (const { title, to, recipient, minimum, held } of made)
    if (recipient !== wallet().address)
      expect([title, (await balanceOf(to, recipient)) - held >= minimum]).toEqual([title, true])
}

describe.each(['EXACT_OUTPUT', 'EXPECTED_OUTPUT'] as const)('%s', (tradeType) => {
  it('every kind of quote ends as success, with at least its minimum paid', async () => {
    const made: Made[] = []
    for (const kind of kinds) {
      const one = await make(kind, tradeType)
      made.push(one)
      // Promised to the unit: what the next ones trade could make it too dear.
      if (tradeType === 'EXACT_OUTPUT' && swapsLast.has(kind[0])) await finish([one])
    }
    await finish(made)
  })
})

/** Of a chain's currencies by their symbols. */
type Ledger = Map<string, bigint>

const chainIds = [ethereum, rollup, bnb]
const solver = () => stack().config.solver.address

/** What solver and depository of a chain hold together. */
async function holdingsOn(chainId: number): Promise<Ledger> {
  const { depository } = stack().contractsOn(chainId)
  const ledger: Ledger = new Map()
  for (const symbol of symbolsOn(chainId)) {
    const held = [solver(), depository].map((holder) => balanceOf([chainId, symbol], holder))
    ledger.set(
      symbol,
      (await Promise.all(held)).reduce((sum, each) => sum + each, 0n),
    )
  }
  return ledger
}

function symbolsOn(chainId: number): readonly string[] {
  const chain = stack().devnet.description.chains.find(({ id }) => id === chainId)
  if (chain === undefined) throw new Error(`The devnet has no chain ${chainId}`)
  return [chain.nativeCurrency.symbol, ...chain.currencies.map(({ symbol }) => symbol)]
}

/** What the solver paid for gas in the blocks after `from`. */
async function gasSince(chainId: number, from: bigint): Promise<bigint> {
  const client = wallet().clientOn(chainId)
  const head = await client.getBlockNumber()
  let paid = 0n
  for (let number = from + 1n; number <= head; number += 1n) {
    const { transactions } = await client.getBlock({
      blockNumber: number,
      includeTransactions: true,
    })
    for (const { hash } of transactions.filter(({ from: sender }) => sender === solver())) {
      const { gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash })
      paid += gasUsed * effectiveGasPrice
    }
  }
  return paid
}

it('what solver and depositories hold adds up to the wei: deposits, less payments, app fees and gas', async () => {
  await settled()
  const starts = await Promise.all(chainIds.map((id) => wallet().clientOn(id).getBlockNumber()))
  const before = await Promise.all(chainIds.map(holdingsOn))
  const made: Made[] = []
  for (const kind of kinds) made.push(await make(kind, 'EXACT_INPUT'))
  await finish(made)
  await settled()

  for (const [at, chainId] of chainIds.entries()) {
    const expected = new Map(before[at])
    const add = (currency: string, amount: bigint) => {
      const symbol = symbolOf(chainId, currency)
      expected.set(symbol, (expected.get(symbol) ?? 0n) + amount)
    }
    for (const { requestId } of made) {
      for (const { chainId: on, currency, amount } of await stack().store.depositsOf(requestId))
        if (on === chainId) add(currency, amount)
      for (const { chainId: on, purpose, spends } of await stack().store.transactionsOf(requestId))
        if (on === chainId && purpose === 'fill')
          for (const { currency, amount } of spends) add(currency, -amount)
    }
    const [native = ''] = symbolsOn(chainId)
    add(nativeAddress, -(await gasSince(chainId, starts[at] ?? 0n)))
    expected.set(
      native,
      (expected.get(native) ?? 0n) - (await balanceOf([chainId, native], collector)),
    )
    expect([chainId, await holdingsOn(chainId)]).toEqual([chainId, expected])
  }
})
