import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { attempt, essence, example, orders, withChain } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { checkSponsored } from './checkOrder.ts'
import { gasPriceOf } from './gas/gas.ts'
import type { Order } from './order.ts'
import type { Price } from './price.ts'

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
      { numRuns: runs(500) },
    )
  })

  it('changes nothing if there would be no swap', () => {
    fc.assert(
      fc.property(orders, (order) => {
        const price = attempt(order)
        if (price instanceof AppError || price.origin.route !== undefined) return
        expect(essence(attempt({ ...order, disableOriginSwaps: true }))).toEqual(essence(price))
      }),
      { numRuns: runs(500) },
    )
  })

  it('is named if it is the reason for a failure', () => {
    const order = { ...example(), origin: long, amount, disableOriginSwaps: true }
    expect([refusal(order), refusal({ ...order, destination: dust })]).toMatchInlineSnapshot(`
      [
        "UNSUPPORTED_ROUTE: disableOriginSwaps: LONG would have to be swapped on chain 990001 before the deposit; the solver takes ETH, USDC, USDT, WBTC. "disableOriginSwaps"",
        "UNSUPPORTED_ROUTE: disableOriginSwaps: LONG to DUST on chain 990001 needs a swap there; leave disableOriginSwaps out. "disableOriginSwaps"",
      ]
    `)
  })
})

describe('forceSolverExecution', () => {
  it('prices a fill on one chain with a swap on at most one side', () => {
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
      { numRuns: runs(500) },
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
      { numRuns: runs(200) },
    )
  })

  it('is rejected if the solver would have to swap twice', () => {
    const order = { ...example(), origin: long, destination: dust, amount }
    expect(refusal({ ...order, forceSolverExecution: true })).toMatchInlineSnapshot(
      `"UNSUPPORTED_ROUTE: forceSolverExecution: the solver swaps on one side only, and neither takes LONG nor pays out DUST on chain 990001; the solver takes ETH, USDC, USDT, WBTC. "forceSolverExecution""`,
    )
  })
})

describe('originGasOverhead', () => {
  it('adds gas to the origin transaction only', () => {
    fc.assert(
      fc.property(orders, fc.bigInt(0n, 10n ** 7n), (order, originGasOverhead) => {
        const plain = attempt(order)
        const price = attempt({ ...order, originGasOverhead })
        if (plain instanceof AppError || price instanceof AppError) return
        const { gas } = market.chains.get(order.origin.chainId) ?? {}
        if (gas === undefined) throw new Error('No such chain')
        const more = price.fees.gas.amount - plain.fees.gas.amount
        expect(more).toBe(originGasOverhead * gasPriceOf(gas))
        expect(price.transactionGas - plain.transactionGas).toBe(originGasOverhead)
        const fees = { ...price.fees, gas: plain.fees.gas }
        const { transactionGas } = plain
        expect(essence({ ...price, fees, transactionGas })).toEqual(essence(plain))
      }),
      { numRuns: runs(300) },
    )
  })
})

const to = account('3')
const eth = currencyOf(originChain, 'ETH')
const carrying = (...values: readonly bigint[]): Pick<Order, 'txs'> => ({
  txs: values.map((value) => ({ to, value: toAmount(value), data: '0x' })),
})

describe('txs', () => {
  it('may carry value only if the output is native', () => {
    const order = { ...example(), destination: currencyOf(destinationChain, 'ETH') }
    const plain = attempt({ ...order, ...carrying(0n, 0n) })
    if (plain instanceof AppError) throw plain
    const max = plain.currencyOut.amount
    expect(attempt({ ...order, ...carrying(max - 1n, 1n) })).not.toBeInstanceOf(AppError)
    expect([
      refusal({ ...order, ...carrying(max, 1n) }),
      refusal({ ...example(), ...carrying(0n, 10n ** 18n) }),
      refusal({ ...example(), destination: eth, ...carrying(10n ** 18n) }),
    ]).toMatchInlineSnapshot(`
      [
        "INVALID_EXTRA_TXS: txs: their values are 0.032592887257932577 ETH together, more than the output of 0.032592887257932576 ETH. "txs"",
        "INVALID_EXTRA_TXS: txs: their values are 1.0 ETH together, but the output is USDC: they have to be 0. "txs"",
        "INVALID_EXTRA_TXS: txs: their values are 1.0 ETH together, more than the output of 0.033318784549525161 ETH. "txs"",
      ]
    `)
  })

  it('add to the gas of the fill, or of the user’s own swap', () => {
    const work = { ...carrying(0n, 0n), txsGasLimit: 1_000_000n }
    const [across, acrossWithout] = [attempt({ ...example(), ...work }), attempt(example())]
    const alone = { ...example(), destination: eth }
    const [own, ownWithout] = [attempt({ ...alone, ...work }), attempt(alone)]
    if (across instanceof AppError || acrossWithout instanceof AppError) throw across
    if (own instanceof AppError || ownWithout instanceof AppError) throw own
    expect(across.fees.gas).toEqual(acrossWithout.fees.gas)
    // A million gas units at 1.1 gwei and 3,000 dollars an ether are 3.3 dollars.
    const fill = across.fees.relayerGas.amount - acrossWithout.fees.relayerGas.amount
    expect(fill).toBeGreaterThan(3_300_000n)
    expect(fill).toBeLessThan(4_300_000n)
    const gwei = 8_100_000_000n
    const units = (own.fees.gas.amount - ownWithout.fees.gas.amount) / gwei
    // The executor of the calls and its calldata take some 65,000.
    expect(units).toBeGreaterThan(1_050_000n)
    expect(units).toBeLessThan(1_080_000n)
  })

  it('allow an account to pay itself', () => {
    const order = { ...example(), origin: eth, destination: eth, amount: toAmount(10n ** 18n) }
    expect(attempt({ ...order, ...carrying(10n ** 18n) })).toMatchObject({ operation: 'send' })
    expect(attempt(order)).toBeInstanceOf(AppError)
  })
})

describe('topup and fixedRate', () => {
  const topup = toUsd(2_000_000n)
  const fixedRate = toBps(30n)

  it('are rejected if the user swaps alone; a top-up also if the output is native', () => {
    const alone = { ...example(), destination: eth }
    const across = { ...example(), destination: currencyOf(destinationChain, 'ETH') }
    expect([
      refusal({ ...alone, topup }),
      refusal({ ...alone, fixedRate }),
      refusal({ ...across, topup }),
    ]).toMatchInlineSnapshot(`
      [
        "UNSUPPORTED_EXECUTION_TYPE: topupGas: the user swaps alone on one chain, and only the solver adds gas; set forceSolverExecution, or leave topupGas out. "topupGas"",
        "UNSUPPORTED_EXECUTION_TYPE: fixedRate: the user swaps alone on one chain, and only the solver fixes a rate; set forceSolverExecution, or leave fixedRate out. "fixedRate"",
        "INVALID_REQUEST: topupGas: ETH pays for gas on chain 990002 already; leave topupGas out. "topupGas"",
      ]
    `)
  })

  it('adds the top-up and its transfer to relayerGas, rounded up', () => {
    const [plain, topped] = [attempt(example()), attempt({ ...example(), topup })]
    if (plain instanceof AppError || topped instanceof AppError) throw plain
    // Millionths of a dollar: 38,840 gas at 1.1 gwei and 3,000 dollars an ether.
    const transfer = (38_840n * 11n * 3_000n) / 10n ** 4n
    const added = topped.fees.relayerGas.amount - plain.fees.relayerGas.amount
    expect([0n, 1n]).toContain(added - 2_000_000n - transfer)
    expect(topped.currencyGasTopup).toMatchObject({ amount: 666_666_666_666_666n, usd: 1_999_999n })
  })

  it('needs a solver that holds the top-up in addition to a payout of the same currency', () => {
    const order = { ...example(), topup }
    const holding = (ether: bigint, usdc: bigint) =>
      withChain(destinationChain, {
        solverBalances: new Map([
          [eth.address, toAmount(ether)],
          [order.destination.address, toAmount(usdc)],
        ]),
      })
    expect(attempt(order, holding(666_666_666_666_666n, 10n ** 12n))).not.toBeInstanceOf(AppError)
    const lacking = attempt(order, holding(666_666_666_666_665n, 10n ** 12n))
    // With an ETH payout, the top-up and the payout need the same balance.
    const weth = { ...order, origin: eth, destination: currencyOf(destinationChain, 'WETH') }
    const amount = toAmount(10n ** 18n)
    const twice = attempt({ ...weth, amount }, holding(9_995n * 10n ** 14n, 0n))
    const once = attempt({ ...weth, amount }, holding(10n ** 18n, 0n))
    expect(once).not.toBeInstanceOf(AppError)
    expect(
      [lacking, twice].map((failure) => failure instanceof AppError && failure.message),
    ).toMatchInlineSnapshot(`
      [
        "The destination leg needs 0.000666666666666666 ETH on chain 990002; the solver holds 0.000666666666666665 ETH.",
        "The destination leg needs 0.999669360133333333 ETH on chain 990002; the solver holds 0.9995 ETH. The largest amount that works is about 0.998993900000000001 ETH.",
      ]
    `)
  })
})

describe('an order between two chains', () => {
  it('can exclude swaps on its origin chain and still swap on the other', () => {
    const price = attempt({
      ...example(),
      destination: currencyOf(destinationChain, 'LONG'),
      disableOriginSwaps: true,
    })
    if (price instanceof AppError) throw price
    expect([price.origin.router, price.destination.router]).toEqual(['relay', 'crossquote'])
  })
})

/** A swap by signature whose sponsor pays at most $1, and would pay `subsidized`. */
const sponsoredFor = (subsidized: bigint | undefined, payer?: Price['order']['user']) =>
  ({
    order: {
      origin: currencyOf(originChain, 'USDC'),
      sponsorship: { maxUsd: toUsd(1_000_000n) },
      permit: { kind: 'permit2', ...(payer !== undefined && { payer }) },
    },
    fees: { subsidized: { usd: subsidized } },
  }) as unknown as Price

it('a swap by signature costs its sponsor at most the limit of the sponsor', () => {
  expect(() => checkSponsored(sponsoredFor(1_000_000n))).not.toThrow()
  for (const subsidized of [1_000_001n, undefined])
    expect(() => checkSponsored(sponsoredFor(subsidized))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_EXECUTION_TYPE' }),
    )
  // Somebody else pays its gas.
  expect(() => checkSponsored(sponsoredFor(1_000_001n, account('9')))).not.toThrow()
})
