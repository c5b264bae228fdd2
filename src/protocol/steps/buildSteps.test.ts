import fc from 'fast-check'
import { decodeFunctionData, erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import type { MultiPrice, PricedOrigin } from '#src/core/pricing/price.ts'
import { type Address, evmAddress, toAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { Step, StepContext } from '#src/protocol/step.ts'
import { contexts, contracts, prices } from '#test/support/arbitraries/executionArbitrary.ts'
import { wideMarket } from '#test/support/fixtures/markets.ts'
import { createRouterModel, depositoryAbi, readRun } from '#test/support/models/routerModel.ts'
import {
  contextOn,
  contractsOn,
  multiPrices,
  orderId,
  requestId,
} from '#test/support/orders/multiExecution.ts'
import { runs } from '#test/support/runs.ts'
import { depositAllowance, requiredAllowance } from './allowance.ts'
import { buildMultiSteps, buildSteps } from './buildSteps.ts'

const mainOf = (steps: readonly Step[]): Step => {
  const main = steps.at(-1)
  if (main === undefined) throw new Error('No steps')
  return main
}

test('one main step with one item follows an optional approval, and only the last item has a check', () => {
  fc.assert(
    fc.property(prices, contexts, (price, context) => {
      const steps = buildSteps(price, context)
      const main = mainOf(steps)
      const endpoint = `/intents/status/v3?requestId=${context.requestId}`
      expect(main.items.map(({ check }) => check)).toEqual([{ endpoint, method: 'GET' }])
      const approvals = steps.slice(0, -1)
      expect(approvals.map(({ id }) => id)).toEqual(approvals.length === 0 ? [] : ['approve'])
      expect(approvals.flatMap(({ items }) => items).some((item) => 'check' in item)).toBe(false)
      const items = steps.flatMap((step) => step.items)
      expect(items.map(({ data }) => data.isFirst)).toEqual(items.map((_, place) => place === 0))
      expect(steps.every(({ requestId }) => requestId === context.requestId)).toBe(true)
      const id = price.operation === 'send' ? 'send' : 'swap'
      expect(main.id).toBe(price.execution === 'solver' ? 'deposit' : id)
      expect(main.depositAddress).toBe(price.execution === 'solver' ? '' : undefined)
    }),
  )
})

test('transactions come from the user, on the origin chain, at the gas price of the market', () => {
  fc.assert(
    fc.property(prices, contexts, (price, context) => {
      const { baseFeePerGas, priorityFeePerGas } = context.gas
      const items = buildSteps(price, context).flatMap((step) => step.items)
      for (const { data } of items)
        expect(data).toMatchObject({
          from: price.order.user,
          chainId: price.currencyIn.currency.chainId,
          maxFeePerGas: 2n * baseFeePerGas + priorityFeePerGas,
          maxPriorityFeePerGas: priorityFeePerGas,
        })
      const { currency, amount } = price.currencyIn
      const values = items.map(({ data }) => data.value)
      expect(values.slice(0, -1).every((value) => value === 0n)).toBe(true)
      expect(values.at(-1)).toBe(isNative(currency.address) ? amount : 0n)
    }),
  )
})

/** Current minus required allowance; undefined for a random allowance. */
const around = fc.constantFrom(-1n, 0n, 1n, undefined)

test('an approval appears if the allowance is too small, for the exact amount that the main step spends', () => {
  const met = { approved: 0, reset: 0, enough: 0 }
  fc.assert(
    fc.property(prices, contexts, around, (price, drawn, offset) => {
      const needed = requiredAllowance(price, contracts)
      const near = (needed?.amount ?? 0n) + (offset ?? 0n)
      const context = { ...drawn, allowance: offset === undefined ? drawn.allowance : near }
      const steps = buildSteps(price, context)
      const taken = takenBy(mainOf(steps))
      expect(needed && { spender: needed.spender, amount: needed.amount }).toEqual(taken)
      if (needed !== undefined) expect(needed.currency).toBe(price.currencyIn.currency)
      const approvals = steps.slice(0, -1).flatMap(({ items }) =>
        items.map(({ data }) => {
          expect(data.to).toBe(price.currencyIn.currency.address)
          const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data: data.data })
          return { functionName, args: [`${args?.[0]}`.toLowerCase(), args?.[1]] }
        }),
      )
      const approve = (amount?: bigint) => ({
        functionName: 'approve',
        args: [taken?.spender, amount],
      })
      if (taken === undefined || context.allowance >= taken.amount) {
        met.enough++
        expect(approvals).toEqual([])
      } else if (context.resetsAllowance && context.allowance > 0n) {
        met.reset++
        expect(approvals).toEqual([approve(0n), approve(taken.amount)])
      } else {
        met.approved++
        expect(approvals).toEqual([approve(taken.amount)])
      }
    }),
    { numRuns: runs(1_000, 400) },
  )
  expect(Math.min(met.approved, met.reset, met.enough)).toBeGreaterThan(3)
})

/** The amount that a step's transaction makes one of our contracts pull from the sender. */
function takenBy({ items }: Step) {
  const data = items.at(-1)?.data
  if (data?.to === contracts.approvalProxy) {
    const { tokens, amounts } = readRun(data.data)
    expect(tokens).toHaveLength(1)
    return { spender: contracts.approvalProxy, amount: amounts[0] ?? 0n }
  }
  if (data?.to !== contracts.depository || data.data.length === 66) return undefined
  const { functionName, args } = decodeFunctionData({
    abi: depositoryAbi,
    data: data.data,
  })
  return functionName === 'depositErc20'
    ? { spender: contracts.depository, amount: args[2] }
    : undefined
}

const inputOf = ({ leg }: PricedOrigin) => leg.input
const chainOf = (funding: PricedOrigin) => inputOf(funding).currency.chainId

type Deposits = readonly Readonly<{ funding: PricedOrigin; context: StepContext }>[]

/** One deposit per funding, with the context changes of `changeOf`. */
const depositsOf = (
  price: MultiPrice,
  changeOf: (funding: PricedOrigin, place: number) => Partial<StepContext> = () => ({}),
): Deposits =>
  price.pricedOrigins.map((funding, place) => ({
    funding,
    context: contextOn(chainOf(funding), changeOf(funding, place)),
  }))

const stepsOf = (price: MultiPrice, deposits = depositsOf(price)): readonly Step[] =>
  buildMultiSteps(price.currencyOut.currency, deposits)

/** The steps of each account: each part ends with a deposit. */
function partsOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const ends = steps.flatMap(({ id }, place) => (id === 'deposit' ? [place + 1] : []))
  return ends.map((end, at) => steps.slice(ends[at - 1] ?? 0, end))
}

const multiInputPrices = multiPrices(6)

/** The current allowance of each account, relative to the required one. */
const allowanceLevels = fc.array(fc.constantFrom('none', 'less', 'enough'), {
  minLength: 6,
  maxLength: 6,
})

test('several inputs: account by account, approvals precede the deposit, each step has one item, and the last item has the check', () => {
  const met = { none: 0, less: 0, enough: 0 }
  fc.assert(
    fc.property(
      multiInputPrices,
      allowanceLevels,
      fc.boolean(),
      (price, levels, resetsAllowance) => {
        const deposits = depositsOf(price, (funding, place) => {
          const needed = depositAllowance(funding, contractsOn(chainOf(funding)))?.amount ?? 0n
          const allowed = { none: 0n, less: needed - 1n, enough: needed }
          return { resetsAllowance, allowance: allowed[levels[place] ?? 'none'] }
        })
        const steps = stepsOf(price, deposits)
        expect(steps.map(({ items }) => items.length)).toEqual(steps.map(() => 1))
        expect(new Set(steps.map((step) => step.requestId))).toEqual(new Set([requestId]))
        const checks = steps.map(({ items: [item] }) => item?.check?.endpoint)
        const endpoint = `/intents/status/v3?requestId=${requestId}`
        expect(checks).toEqual([...steps.slice(1).map(() => undefined), endpoint])

        const parts = partsOf(steps)
        expect(parts).toHaveLength(price.pricedOrigins.length)
        for (const [place, { funding, context }] of deposits.entries()) {
          const { currency, amount } = inputOf(funding)
          const { baseFeePerGas, priorityFeePerGas } = context.gas
          const part = parts[place] ?? []
          const data = part.flatMap(({ items }) => items.map((item) => item.data))
          for (const [at, each] of data.entries())
            expect(each).toMatchObject({
              from: funding.user,
              chainId: currency.chainId,
              isFirst: at === 0,
              maxFeePerGas: 2n * baseFeePerGas + priorityFeePerGas,
              maxPriorityFeePerGas: priorityFeePerGas,
            })
          expect(data.at(-1)?.value).toBe(isNative(currency.address) ? amount : 0n)
          const level = levels[place] ?? 'none'
          const isShort = depositAllowance(funding, context.contracts) !== undefined
          const resets = resetsAllowance && context.allowance > 0n
          const approvals = { none: 1, less: resets ? 2 : 1, enough: 0 }[level]
          expect(part).toHaveLength(1 + (isShort ? approvals : 0))
          if (isShort) met[level] += 1
        }
      },
    ),
  )
  expect(Math.min(...Object.values(met))).toBeGreaterThan(10)
})

test('several inputs: the approved amounts add up to the inputs, for the spender on each chain', () => {
  fc.assert(
    fc.property(multiInputPrices, (price) => {
      const sums = new Map<string, bigint>()
      const add = (key: string, amount: bigint) => sums.set(key, (sums.get(key) ?? 0n) + amount)
      for (const { data } of stepsOf(price).flatMap(({ id, items }) =>
        id === 'approve' ? items : [],
      ))
        add(`${data.chainId} ${data.from} ${data.to} ${spenderIn(data.data)}`, amountIn(data.data))
      for (const funding of price.pricedOrigins) {
        const { currency, amount } = inputOf(funding)
        if (isNative(currency.address)) continue
        const { depository, approvalProxy } = contractsOn(currency.chainId)
        const isPlain = currency.address === funding.leg.output.currency.address
        const spender = isPlain ? depository : approvalProxy
        add(`${currency.chainId} ${funding.user} ${currency.address} ${spender}`, -amount)
      }
      expect([...sums.values()].every((sum) => sum === 0n)).toBe(true)
    }),
  )
})

const decodeApproval = (data: `0x${string}`) => {
  const { functionName, args } = decodeFunctionData({ abi: erc20Abi, data })
  if (functionName !== 'approve') throw new Error(`An approval calls ${functionName}`)
  return args
}
const spenderIn = (data: `0x${string}`): Address => toAddress(decodeApproval(data)[0])
const amountIn = (data: `0x${string}`): bigint => decodeApproval(data)[1]

type Model = ReturnType<typeof createRouterModel>

test('several inputs: on an unchanged market, each depository gets the exact deposit of each account, with the order id', () => {
  const met = { routed: 0, plain: 0, sharedChain: 0, exactOutput: 0 }
  fc.assert(
    fc.property(multiInputPrices, (price) => {
      const models = new Map(
        price.pricedOrigins.map((each) => [chainOf(each), modelOf(chainOf(each))]),
      )
      const modelOn = (chainId: PricedOrigin['leg']['input']['currency']['chainId']): Model => {
        const model = models.get(chainId)
        if (model === undefined) throw new Error(`Nobody pays on chain ${chainId}`)
        return model
      }
      for (const { user, leg } of price.pricedOrigins)
        modelOn(leg.input.currency.chainId).give(
          evmAddress(user),
          evmAddress(leg.input.currency.address),
          leg.input.amount,
        )
      for (const { data } of stepsOf(price).flatMap(({ items }) => items))
        modelOn(data.chainId).execute(data)
      for (const [chainId, model] of models) {
        const own = price.pricedOrigins.filter((funding) => chainOf(funding) === chainId)
        expect(model.deposits).toEqual(
          own.map(({ user, leg: { output } }) => ({
            depositor: user,
            currency: output.currency.address,
            amount: output.amount,
            id: orderId,
          })),
        )
        const { router, approvalProxy } = contractsOn(chainId)
        const holders = [...model.held].filter(([, held]) => held > 0n).map(([key]) => key)
        expect(holders.some((key) => key.startsWith(router) || key.startsWith(approvalProxy))).toBe(
          false,
        )
        if (own.length > 1) met.sharedChain += 1
        for (const { leg } of own) met[leg.route === undefined ? 'plain' : 'routed'] += 1
      }
      if (price.order.output !== undefined) met.exactOutput += 1
    }),
    { numRuns: runs(300, 150) },
  )
  expect(Math.min(...Object.values(met))).toBeGreaterThan(6)
})

function modelOf(chainId: PricedOrigin['leg']['input']['currency']['chainId']): Model {
  const pools = wideMarket.chains.get(chainId)?.graph.pools ?? []
  return createRouterModel(new Map(pools.map((pool) => [pool.address, pool])), contractsOn(chainId))
}
