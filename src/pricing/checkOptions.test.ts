import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/errors.ts'
import { toAmount } from '#src/units/amount.ts'
import { currencyOf, destinationChain, market, originChain } from '#test/fixtures/markets.ts'
import { attempt, example, orders } from '#test/fixtures/orders.ts'
import { gasPriceOf } from './gas.ts'
import type { Order } from './order.ts'
import type { Price } from './price.ts'

const essence = (priced: Price | AppError) =>
  priced instanceof AppError ? priced.message : { ...priced, order: undefined }

const isOnOneChain = ({ origin, destination }: Order): boolean =>
  origin.chainId === destination.chainId

const refusal = (order: Order) => {
  const failure = attempt(order)
  if (!(failure instanceof AppError)) throw new Error('It was priced')
  return `${failure.code}: ${failure.message} ${JSON.stringify(failure.data?.['field'])}`
}

const long = currencyOf(originChain, 'LONG')
const dust = currencyOf(originChain, 'DUST')
const amount = toAmount(10n ** 20n)

describe('disableOriginSwaps', () => {
  const disabled = orders.map((order) => ({ ...order, disableOriginSwaps: true }))

  it('leaves no swap on the origin chain', () => {
    fc.assert(
      fc.property(disabled, (order) => {
        const price = attempt(order)
        if (!(price instanceof AppError)) expect(price.origin.route).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('changes nothing where there would have been none', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const price = attempt(order)
        if (price instanceof AppError || price.origin.route !== undefined) return
        expect(essence(attempt({ ...order, disableOriginSwaps: true }))).toEqual(essence(price))
      }),
      { numRuns: 500 },
    )
  })

  it('is named where it stands in the way', () => {
    const order = { ...example(), origin: long, amount, disableOriginSwaps: true }
    expect([refusal(order), refusal({ ...order, destination: dust })]).toMatchInlineSnapshot(`
      [
        "UNSUPPORTED_ROUTE: disableOriginSwaps: LONG would have to be swapped on chain 990001 before it is deposited; the solver takes ETH, USDC, USDT, WBTC. "disableOriginSwaps"",
        "UNSUPPORTED_ROUTE: disableOriginSwaps: LONG becomes DUST on chain 990001 only by a swap there; leave disableOriginSwaps out. "disableOriginSwaps"",
      ]
    `)
  })
})

describe('forceSolverExecution', () => {
  it('makes a crossing within the chain that swaps on one side at the most', () => {
    fc.assert(
      fc.property(orders.filter(isOnOneChain), (order) => {
        const price = attempt({ ...order, forceSolverExecution: true })
        const alone = attempt(order)
        if (price instanceof AppError || alone instanceof AppError) return
        expect(price.execution).toBe('solver')
        expect(alone.execution).toBe('user')
        expect(price.operation).toBe(alone.operation)
        expect(price.blocks).toEqual(alone.blocks)
        expect(price.fees.relayer.amount).toBeGreaterThan(0n)
        expect(price.origin.route === undefined || price.destination.route === undefined).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('changes nothing between two chains', () => {
    fc.assert(
      fc.property(
        orders.filter((order) => !isOnOneChain(order)),
        (order) => {
          const forced = attempt({ ...order, forceSolverExecution: true })
          expect(essence(forced)).toEqual(essence(attempt(order)))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is refused where the solver would have to swap twice', () => {
    const order = { ...example(), origin: long, destination: dust, amount }
    expect(refusal({ ...order, forceSolverExecution: true })).toMatchInlineSnapshot(`"UNSUPPORTED_ROUTE: forceSolverExecution: the solver swaps on one side only, and neither takes LONG nor pays out DUST on chain 990001; the solver takes ETH, USDC, USDT, WBTC. "forceSolverExecution""`)
  })
})

describe('originGasOverhead', () => {
  it('adds so many units of gas to the origin transaction, and to nothing else', () => {
    fc.assert(
      fc.property(orders, fc.bigInt(0n, 10n ** 7n), (order, originGasOverhead) => {
        const plain = attempt(order)
        const price = attempt({ ...order, originGasOverhead })
        if (plain instanceof AppError || price instanceof AppError) return
        const { gas } = market.chains.get(order.origin.chainId) ?? {}
        if (gas === undefined) throw new Error('No such chain')
        const more = price.fees.gas.amount - plain.fees.gas.amount
        expect(more).toBe(originGasOverhead * gasPriceOf(gas))
        const { fees } = price
        expect(essence({ ...price, fees: { ...fees, gas: plain.fees.gas } })).toEqual(
          essence(plain),
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('an order between two chains', () => {
  it('can leave out swaps on its origin chain and still swap on the other', () => {
    const price = attempt({
      ...example(),
      destination: currencyOf(destinationChain, 'LONG'),
      disableOriginSwaps: true,
    })
    if (price instanceof AppError) throw price
    expect([price.origin.router, price.destination.router]).toEqual(['relay', 'crossquote'])
  })
})
