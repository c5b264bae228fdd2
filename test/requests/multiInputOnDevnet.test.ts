import { beforeAll, describe, expect, it } from 'vitest'
import {
  createMultiRequests,
  dataOf,
  depositHashes,
  first,
  fourth,
  type Order,
  origin,
  type QuotedOrder,
  second,
  third,
} from '#test/support/clients/multiRequests.ts'
import {
  bnb,
  ethereum,
  type MultiQuote,
  rollup,
  units,
  useQuotes,
} from '#test/support/gateways/useQuotes.ts'
import { createLedger } from '#test/support/models/ledger.ts'
import { inTurns } from '#test/support/runs.ts'

const quotes = useQuotes({ roles: ['gateway', 'tracker', 'solver'] })
const { stack, settled, balanceOf, rest, multiInputOf } = quotes
const { quote, execute, ended, statusOf, paymentsOf } = createMultiRequests(quotes)

type Kind = Pick<Order, 'title' | 'origins' | 'to'> & Readonly<{ output: string }>

const kinds: readonly Kind[] = [
  {
    title: 'native on two chains',
    origins: [
      origin([ethereum, 'ETH'], units('1', 18), first),
      origin([rollup, 'ETH'], units('1', 18), second),
    ],
    to: [bnb, 'ETH'],
    output: units('12', 17),
  },
  {
    title: 'no answers, two of one chain',
    origins: [
      origin([rollup, 'USDT'], units('300', 6), second),
      origin([rollup, 'USDC'], units('300', 6), third),
    ],
    to: [ethereum, 'USDT'],
    output: units('450', 6),
  },
  {
    title: 'unwraps first, a wrap last',
    origins: [
      origin([ethereum, 'ETH'], units('1', 18), second),
      origin([rollup, 'WETH'], units('1', 18), third),
      origin([bnb, 'ETH'], units('1', 18), fourth),
    ],
    to: [ethereum, 'WETH'],
    output: units('25', 17),
  },
  {
    title: 'ERC-20 of all chains, a swap last',
    origins: [ethereum, rollup, bnb].map((chainId) =>
      origin([chainId, 'USDC'], units('400', 6), first),
    ),
    to: [rollup, 'ETH'],
    output: units('3', 17),
  },
  {
    title: 'swaps first',
    origins: [
      origin([ethereum, 'ACORN'], units('4000', 18), second),
      origin([rollup, 'BIRCH'], units('50', 8), third),
      origin([bnb, 'BNB'], units('1', 18), fourth),
    ],
    to: [rollup, 'USDC'],
    output: units('1800', 6),
  },
  {
    title: 'eight of all chains',
    origins: [
      origin([ethereum, 'ETH'], units('1', 18), first),
      origin([ethereum, 'USDC'], units('500', 6), second),
      origin([ethereum, 'ACORN'], units('4000', 18), third),
      origin([rollup, 'ETH'], units('1', 18), second),
      origin([rollup, 'USDT'], units('300', 6), fourth),
      origin([bnb, 'BNB'], units('2', 18), fourth),
      origin([bnb, 'USDC'], units('400', 6), first),
      origin([bnb, 'WBTC'], units('1', 7), third),
    ],
    to: [rollup, 'WBTC'],
    output: units('22', 6),
  },
]

/** Chain and signer of each deposit, sorted. */
const payersOf = (all: readonly (readonly [number, string])[]) =>
  all.map((each) => each.join(' ')).sort()

function expectSteps(made: QuotedOrder): void {
  const { title, quote, origins, requestId, change } = made
  const deposits = quote.steps.filter(({ name }) => name === 'DEPOSIT')
  const paid = payersOf(deposits.map(dataOf).map(({ chainId, from }) => [chainId, from]))
  const all = payersOf(origins.map(({ from, user }) => [from[0], user]))
  if (change?.tradeType === 'EXACT_OUTPUT') expect(all).toEqual(expect.arrayContaining(paid))
  else expect([title, paid]).toEqual([title, all])
  for (const [at, step] of quote.steps.entries()) {
    expect([step.requestId, step.items.length]).toEqual([requestId, 1])
    const isLast = at === quote.steps.length - 1
    expect(step.items[0]?.check != null).toBe(isLast)
    if (step.name === 'DEPOSIT') continue
    expect(step.name).toBe('APPROVE')
    const [own, next] = [step, quote.steps[at + 1] ?? step].map(dataOf)
    expect([next?.chainId, next?.from]).toEqual([own?.chainId, own?.from])
  }
}

const stepsOf = ({ quote, receipts }: QuotedOrder) =>
  quote.steps.map(({ name }, at) => [name, receipts.get(at)?.transactionHash])

/** Checks the status, steps, deposits and payments of a request that was filled from all of its deposits. */
async function expectFilled(made: QuotedOrder): Promise<void> {
  const { title, to, recipient, minimum, change } = made
  const shown = await statusOf(made)
  const { status, failReason, inTxHashes, txHashes, fill, refund } = shown
  expect([title, status, failReason, refund]).toEqual([title, 'success', null, null])
  expect(inTxHashes.toSorted()).toEqual(depositHashes(made))
  expect(txHashes).toEqual([fill?.transaction?.hash])
  const deposits = shown.steps.map(({ name, items: [item] }, at) => {
    if (name === 'APPROVE') expect(item?.status).toMatch(/^(confirmed|implied)$/)
    else expect(item?.status).toBe('confirmed')
    return [name, item?.transaction?.hash ?? stepsOf(made)[at]?.[1]]
  })
  expect([title, deposits]).toEqual([title, stepsOf(made)])
  const arrived = shown.deposits.map(({ chainId, depositor }) => [chainId, depositor] as const)
  const data = made.quote.steps.filter(({ name }) => name === 'DEPOSIT').map(dataOf)
  expect(payersOf(arrived)).toEqual(payersOf(data.map(({ chainId, from }) => [chainId, from])))
  expect(shown.deposits.map((each) => each.status).join(' ')).toMatch(
    /^((filled|settling|settled) ?)+$/,
  )
  expect(await paymentsOf(made, 'fill')).toHaveLength(1)
  const paid = await balanceOf(to, recipient)
  expect([title, paid >= minimum]).toEqual([title, true])
  // The recipient gets what rounding to whole units and cheaper gas than reserved leave.
  if (change?.tradeType === 'EXACT_OUTPUT')
    expect([title, paid - minimum, (paid - minimum) * 100n <= minimum]).toEqual([
      title,
      paid - minimum,
      true,
    ])
}

const typed = inTurns(['EXACT_INPUT', 'EXACT_OUTPUT'], kinds)

describe.each([
  ['EXACT_INPUT', 'REST', 'GraphQL'],
  ['EXACT_OUTPUT', 'GraphQL', 'REST'],
] as const)('%s', (tradeType, one, other) => {
  it('pays each recipient once for all deposits, and the ledger balances to the wei', async () => {
    await settled()
    const ledger = createLedger(quotes)
    const opening = await ledger.open()
    const all: QuotedOrder[] = []
    const own = typed.filter(([type]) => type === tradeType)
    for (const [at, [, { output, ...kind }]] of own.entries()) {
      const isExact = tradeType === 'EXACT_OUTPUT'
      const change = { tradeType, slippageTolerance: '300', ...(isExact && { amount: output }) }
      const made = await quote({ ...kind, api: at % 2 === 0 ? one : other, change })
      expectSteps(made)
      await execute(made)
      all.push(made)
      // The exact output is guaranteed. The next orders could move the price too far for it.
      if (isExact) await ended([made])
    }
    await ended(all)
    for (const made of all) await expectFilled(made)
    const requestIds = all.map(({ requestId }) => requestId)
    const { found, expected } = await ledger.close(opening, requestIds)
    expect(found).toEqual(expected)
  })
})

describe('compared with a separate quote per origin on the same market', () => {
  beforeAll(async () => {
    await settled()
    await stack().market.close()
  })

  it.each([
    {
      title: 'of one asset',
      origins: [ethereum, bnb].map((id) => origin([id, 'USDC'], units('40', 6), first)),
      to: [rollup, 'USDC'],
    },
    {
      title: 'with swaps on both ends',
      origins: [
        origin([ethereum, 'ACORN'], units('400', 18), first),
        origin([ethereum, 'BIRCH'], units('3', 8), first),
        origin([bnb, 'BNB'], units('1', 17), second),
      ],
      to: [rollup, 'WBTC'],
    },
    {
      title: 'of eight, on the destination chain as well',
      origins: [
        origin([ethereum, 'ETH'], units('1', 16), first),
        origin([ethereum, 'DAI'], units('30', 18), second),
        origin([rollup, 'ETH'], units('1', 16), third),
        origin([rollup, 'USDT'], units('30', 6), third),
        origin([bnb, 'ETH'], units('1', 16), third),
        origin([bnb, 'WBNB'], units('5', 16), fourth),
        origin([bnb, 'USDC'], units('30', 6), first),
        origin([bnb, 'CEDAR'], units('30', 2), second),
      ],
      to: [rollup, 'USDC'],
    },
  ] satisfies readonly Pick<Order, 'title' | 'origins' | 'to'>[])(
    'a multi-input quote $title gives at least the sum of the separate quotes',
    async (order) => {
      const outputOf = async (path: string, input: object): Promise<bigint> => {
        const { details } = (await rest().post(path, input)) as Pick<MultiQuote, 'details'>
        return BigInt(details.currencyOut.amount)
      }
      const together = multiInputOf(order.origins, order.to)
      let apart = 0n
      for (const { from, user, amount } of order.origins) {
        apart += await outputOf('/quote/v2', {
          user,
          originChainId: from[0],
          originCurrency: stack().currencyOn(...from),
          destinationChainId: order.to[0],
          destinationCurrency: stack().currencyOn(...order.to),
          amount,
          tradeType: 'EXACT_INPUT',
          forceSolverExecution: true,
        })
      }
      expect(await outputOf('/execute/swap/multi-input', together)).toBeGreaterThanOrEqual(apart)
    },
  )
})
