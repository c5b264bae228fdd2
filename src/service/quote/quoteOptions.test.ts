import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import type { Address } from '#src/core/units/address.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { QuoteAnswer } from '#src/service/answers.ts'
import { multiInput } from '#src/service/input/multiInput.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import { createPricedOrders } from '#src/service/order/pricedOrders.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { multiInputQuote } from './multiInputQuote.ts'
import { price } from './price.ts'
import { quote } from './quote.ts'

type Fields = Readonly<Record<string, unknown>>
type Simulate = ReturnType<typeof createQuoteDeps>['deps']['simulator']['simulate']

const user = account('1')
const usdc = currencyOf(originChain, 'USDC')

/** 100 USDC across two chains. */
const across = {
  user,
  originChainId: originChain,
  originCurrency: usdc.address,
  destinationChainId: destinationChain,
  destinationCurrency: currencyOf(destinationChain, 'USDC').address,
  amount: '100000000',
  tradeType: 'EXACT_INPUT',
}

/** A swap on one chain that the user executes, with one call. */
const alone = {
  ...across,
  destinationChainId: originChain,
  destinationCurrency: currencyOf(originChain, 'ETH').address,
  txs: [{ to: account('5'), value: '0', data: '0x' }],
}

const sponsored = { subsidizeFees: true }
const identify = (name: string | undefined) =>
  name === undefined ? undefined : { name, sponsors: true }

/** Quotes an order. `simulate` replaces the simulation of several transactions. */
async function ask(
  fields: Fields,
  simulate: Simulate = async () => undefined,
  changes: Parameters<typeof createQuoteDeps>[0] = {},
) {
  const { deps, stored } = createQuoteDeps({ identify, ...changes })
  const simulator = { ...deps.simulator, simulate }
  const request = quoteInput.parse(fields)
  const answer = await quote({ ...deps, simulator }, request, loaders, { ...client, apiKey: 'key' })
  return { answer, steps: await answer.steps(), stored }
}

const gasOf = async (fields: Fields, simulate?: Simulate) => {
  const { steps } = await ask(fields, simulate)
  return Promise.all(steps.flatMap(({ items }) => items.map(({ data }) => data.gas())))
}

const refusalOf = (asking: Promise<unknown>): Promise<unknown> =>
  asking.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof AppError) return [error.code, error.data?.['issues'] ?? error.data]
      throw error
    },
  )

/** The price without its functions. */
const figuresOf = ({ currencyIn, currencyOut, fees, timeEstimate }: QuoteAnswer) => ({
  currencyIn,
  currencyOut,
  fees,
  timeEstimate,
})

describe('options that hold by themselves quote the same with both values', () => {
  it.each<[string, Fields, Fields?]>([
    ['refundOnOrigin', {}],
    ['useSharedAccounts', {}],
    ['subsidizeRent', sponsored],
  ])('%s', async (field, others) => {
    const [no, yes] = [
      await ask({ ...across, ...others, [field]: false }),
      await ask({ ...across, ...others, [field]: true }),
    ]
    expect(figuresOf(yes.answer)).toEqual(figuresOf(no.answer))
    expect(yes.stored[0]?.refundTo).toBe(no.stored[0]?.refundTo)
  })
})

it('subsidizeRent needs a sponsor', () => {
  const parsed = quoteInput.safeParse({ ...across, subsidizeRent: true })
  expect(parsed.error?.issues).toMatchObject([{ path: ['subsidizeRent'] }])
  expect(quoteInput.safeParse({ ...across, subsidizeRent: false }).success).toBe(true)
})

it('additionalData takes no keys, and names each of them', async () => {
  await ask({ ...across, additionalData: {} })
  const data = { userPublicKey: '02', ['x'.repeat(1_000)]: 1 }
  const message = 'no route uses it; leave it out'
  expect(await refusalOf(ask({ ...across, additionalData: data }))).toEqual([
    'UNSUPPORTED_ROUTE',
    [
      { path: ['additionalData', 'userPublicKey'], message, code: 'UNSUPPORTED_ROUTE' },
      { path: ['additionalData', 'x'.repeat(64)], message, code: 'UNSUPPORTED_ROUTE' },
    ],
  ])
})

describe('includeComputeUnitLimit', () => {
  const limited = { ...across, includeComputeUnitLimit: true }

  it('gives every transaction a gas limit, also one that needs an approval first', async () => {
    expect(await gasOf({ ...across, includeComputeUnitLimit: false })).toEqual([
      100_000n,
      undefined,
    ])
    const [approval, deposit] = await gasOf(limited)
    expect(approval).toBe(100_000n)
    const { answer } = await ask(limited)
    expect(deposit).toBe((answer.transactionGas * 3n) / 2n)
  })

  it('simulates a transaction that needs an approval after that approval', async () => {
    const simulated: string[][] = []
    const [, deposit] = await gasOf(limited, async (_, calls) => {
      simulated.push(calls.map(({ to }) => to))
      return calls.map(() => ({ succeeds: true, gas: 1_000_000n, reason: undefined }))
    })
    expect(deposit).toBe(1_500_000n)
    expect(simulated).toEqual([[usdc.address, expect.stringMatching(/^0x/)]])
  })

  it('never trusts a failed simulation', async () => {
    const [, deposit] = await gasOf(limited, async (_, calls) =>
      calls.map((__, at) => ({ succeeds: at === 0, gas: 9_000_000n, reason: 'reverts' })),
    )
    expect(deposit).toBeLessThan(9_000_000n)
  })
})

describe('latePaymentSlippageTolerance', () => {
  const late = {
    ...across,
    originCurrency: currencyOf(originChain, 'LONG').address,
    amount: '90000000000000000000',
  }

  it('lets the deposit run for a week after the deadline, and is stored', async () => {
    const { stored, steps } = await ask({ ...late, latePaymentSlippageTolerance: '50' })
    const plain = await ask(late)
    const [request] = stored
    if (request?.execution !== 'solver') throw new Error('The solver fills it')
    expect(request.fill.latePaymentBps).toBe(50n)
    const runsUntil = (seconds: number, of: typeof steps) =>
      of
        .at(-1)
        ?.items[0]?.data.data.includes(`${'0'.repeat(56)}${seconds.toString(16).padStart(8, '0')}`)
    expect(runsUntil(request.deadline + 7 * 86_400, steps)).toBe(true)
    expect(runsUntil(request.deadline, plain.steps)).toBe(true)
    expect(plain.stored[0]).not.toHaveProperty('fill.latePaymentBps')
  })

  it('needs the solver', async () => {
    expect(await refusalOf(ask({ ...alone, latePaymentSlippageTolerance: '0' }))).toEqual([
      'UNSUPPORTED_EXECUTION_TYPE',
      { field: 'latePaymentSlippageTolerance' },
    ])
  })
})

describe('useExternalLiquidity', () => {
  const chain = wideMarket.chains.get(destinationChain)
  if (chain === undefined) throw new Error('The fixture has no destination chain')
  /** The solver holds nothing on the destination chain. */
  const poor: Market = {
    ...wideMarket,
    chains: new Map(wideMarket.chains).set(destinationChain, {
      ...chain,
      solverBalances: new Map(),
    }),
  }
  const askPoor = (useExternalLiquidity: boolean, externalLiquiditySeconds = 3_600) =>
    ask({ ...across, useExternalLiquidity }, undefined, {
      snapshot: () => poor,
      externalLiquiditySeconds,
    })

  it('quotes beyond the balance of the solver, and stores how long the fill may wait', async () => {
    const { answer, stored } = await askPoor(true)
    expect(answer.awaitsLiquidity).toBe(true)
    expect(answer.timeEstimate).toBeGreaterThan(3_600)
    expect(stored).toMatchObject([{ fill: { externalLiquiditySeconds: 3_600 } }])
  })

  it('is a permission: it changes nothing if the solver holds enough', async () => {
    const { answer, stored } = await ask({ ...across, useExternalLiquidity: true })
    expect(answer.awaitsLiquidity).toBe(false)
    expect(figuresOf(answer)).toEqual(figuresOf((await ask(across)).answer))
    expect(stored[0]).not.toHaveProperty('fill.externalLiquiditySeconds')
  })

  it('has no effect if it is not set, or if the operator brings no liquidity', async () => {
    for (const asking of [askPoor(false), askPoor(true, 0)])
      expect(await refusalOf(asking)).toMatchObject([
        'INSUFFICIENT_LIQUIDITY',
        { leg: 'destination' },
      ])
  })
})

describe('gasLimitForDepositSpecifiedTxs', () => {
  const withLimit = (gasLimitForDepositSpecifiedTxs: number) => ({
    ...alone,
    gasLimitForDepositSpecifiedTxs,
  })

  it('is part of the gas fee and of the gas of the step', async () => {
    const [low, high] = [await ask(withLimit(50_000)), await ask(withLimit(2_050_000))]
    expect(high.answer.transactionGas - low.answer.transactionGas).toBe(2_000_000n)
    expect(high.answer.fees.gas.amount).toBeGreaterThan(low.answer.fees.gas.amount)
    const gas = await gasOf(withLimit(2_050_000))
    expect(gas.at(-1)).toBeGreaterThan(3_000_000n)
  })

  it('comes before txsGasLimit', async () => {
    const { answer } = await ask({ ...withLimit(50_000), txsGasLimit: 7_000_000 })
    const same = await ask(withLimit(50_000))
    expect(answer.transactionGas).toBe(same.answer.transactionGas)
  })

  it.each<[string, Fields]>([
    ['without txs', { ...withLimit(50_000), txs: [] }],
    ['where the solver runs them', { ...withLimit(50_000), forceSolverExecution: true }],
    ['across chains', { ...across, txs: alone.txs, gasLimitForDepositSpecifiedTxs: 5 }],
  ])('is refused %s', async (_, fields) => {
    expect(await refusalOf(ask(fields))).toEqual([
      'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
      { field: 'gasLimitForDepositSpecifiedTxs' },
    ])
  })

  it('is refused if the calls use more', async () => {
    const simulate: Simulate = async (__, calls) =>
      calls.map(() => ({ succeeds: true, gas: 90_000n, reason: undefined }))
    expect(await refusalOf(ask(withLimit(50_000), simulate))).toEqual([
      'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
      { field: 'gasLimitForDepositSpecifiedTxs' },
    ])
    await ask(withLimit(90_000), simulate)
  })

  it('is refused by multi-input quotes, whose deposits run no calls', async () => {
    const origin = (chainId: number, currency: Address) => ({
      chainId,
      currency,
      amount: '9000000',
    })
    const request = multiInput.parse({
      user,
      origins: [origin(originChain, usdc.address)],
      destinationChainId: destinationChain,
      destinationCurrency: across.destinationCurrency,
      tradeType: 'EXACT_INPUT',
      gasLimitForDepositSpecifiedTxs: 5,
    })
    const { deps } = createQuoteDeps()
    expect(await refusalOf(multiInputQuote(deps, request, loaders, client))).toEqual([
      'INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS',
      { field: 'gasLimitForDepositSpecifiedTxs' },
    ])
  })
})

describe('a payout above the operator’s limit', () => {
  const limited = { maxPayoutUsd: toUsd(25_000_000n) }

  it('is refused by a quote, and a price warns of it', async () => {
    expect(await refusalOf(ask(across, undefined, limited))).toMatchInlineSnapshot(`
      [
        "SOLVER_CAPACITY_EXCEEDED",
        {
          "maxPayoutUsd": "25.000000",
          "payoutUsd": "99.158586",
        },
      ]
    `)
    const { deps } = createQuoteDeps(limited)
    const { warnings } = await price(deps, priceInput.parse(across), loaders, client)
    expect((await warnings()).map(({ code, data }) => [code, data])).toMatchInlineSnapshot(`
      [
        [
          "QUOTE_REFUSED",
          {
            "errorCode": "SOLVER_CAPACITY_EXCEEDED",
            "maxPayoutUsd": "25.000000",
            "payoutUsd": "99.158586",
          },
        ],
      ]
    `)
    const small = await ask({ ...across, amount: '20000000' }, undefined, limited)
    expect(small.stored).toHaveLength(1)
  })

  it('is refused by a quote with several inputs, but does not concern a swap of the user', async () => {
    const { deps } = createQuoteDeps(limited)
    const input = {
      user,
      origins: [{ chainId: originChain, currency: usdc.address, amount: '100000000' }],
      destinationChainId: destinationChain,
      destinationCurrency: across.destinationCurrency,
      tradeType: 'EXACT_INPUT',
    }
    expect(
      await refusalOf(multiInputQuote(deps, multiInput.parse(input), loaders, client)),
    ).toMatchObject(['SOLVER_CAPACITY_EXCEEDED', { maxPayoutUsd: '25.000000' }])
    const { txs: _, ...plain } = alone
    expect((await ask(plain, undefined, limited)).stored).toHaveLength(1)
  })
})

it('counts the deadline from the market, however long the pricing takes', async () => {
  let time = 1_800_000_000_000
  const deadlineAfter = async (pricingMs: number) => {
    const begunAt = time
    const orders = createPricedOrders(async (order, market) => {
      time += pricingMs
      return priceSwap(order, market)
    })
    const { answer } = await ask(across, undefined, { orders, now: () => time })
    return [answer.deadline, answer.refreshAfter].map((at) => at - begunAt / 1_000)
  }
  expect(await deadlineAfter(9_000)).toEqual(await deadlineAfter(0))
})
