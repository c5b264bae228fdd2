import fc from 'fast-check'
import { decodeAbiParameters, parseAbiParameters } from 'viem'
import { expect, test } from 'vitest'
import type { Price } from '#src/core/pricing/price.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import {
  contracts,
  feeRecipients,
  prices,
  solver,
} from '#test/support/arbitraries/executionArbitrary.ts'
import {
  currencyOf,
  destinationChain,
  originChain,
  thirdChain,
} from '#test/support/fixtures/markets.ts'
import { multiPrices } from '#test/support/orders/multiExecution.ts'
import { orderIdByViem } from '#test/support/orders/orderTypes.ts'
import { createOrder } from './order.ts'
import { orderIdOf } from './orderId.ts'

const chainNames = new Map([
  [originChain, 'here'],
  [destinationChain, 'there'],
  [thirdChain, 'elsewhere'],
])
const context = { salt: 7n, chainNames, solver, destinationRouter: contracts.router }
const bySolver = prices.filter(({ execution }) => execution === 'solver')
const quotedAt = fc.integer({ min: 0, max: 2 ** 31 })

const nameOf = (chainId: Price['origin']['input']['currency']['chainId']) => chainNames.get(chainId)

test('the order pays the output of the price within a week', () => {
  fc.assert(
    fc.property(bySolver, quotedAt, (price, quotedAt) => {
      const { output } = createOrder(price, { ...context, quotedAt })
      const { currencyOut, order } = price
      expect(output.chainId).toBe(nameOf(currencyOut.currency.chainId))
      expect(output.deadline).toBe(quotedAt + 604_800)
      expect(output.payments[0]).toEqual({
        recipient: order.txs.length === 0 ? order.recipient : contracts.router,
        currency: currencyOut.currency.address,
        minimumAmount: currencyOut.minimumAmount,
        expectedAmount: currencyOut.amount,
      })
      const calls = output.calls.map(
        (call) =>
          decodeAbiParameters(
            parseAbiParameters('(address to, bytes data, uint256 value)'),
            call,
          )[0],
      )
      expect(calls).toEqual(order.txs)
      const named =
        order.txs.length === 0 ? [contracts.router] : [contracts.router, order.recipient]
      const words = named.map((address) => address.slice(2).padStart(64, '0'))
      expect(output.extraData).toBe(`0x${words.join('')}`)
    }),
  )
})

test('the only input is the deposit, which can be refunded in full on its chain and pays the app fees', () => {
  fc.assert(
    fc.property(bySolver, quotedAt, (price, quotedAt) => {
      const { inputs, fees, solverChainId } = createOrder(price, { ...context, quotedAt })
      const { currency, amount } = price.refundCurrency
      const chainId = nameOf(currency.chainId)
      expect(solverChainId).toBe(chainId)
      expect(inputs).toEqual([
        {
          payment: { chainId, currency: currency.address, amount, weight: 1n },
          refunds: [
            {
              chainId,
              recipient: price.order.refundTo,
              currency: currency.address,
              minimumAmount: 0n,
              deadline: quotedAt + 604_800,
              extraData: '0x',
            },
          ],
        },
      ])
      expect(fees.reduce((sum, fee) => sum + fee.amount, 0n)).toBe(price.fees.app.amount)
      for (const fee of fees) {
        expect(fee.amount).toBeGreaterThan(0n)
        expect(feeRecipients).toContain(fee.recipient)
        expect(fee).toMatchObject({
          recipientChainId: chainId,
          currencyChainId: chainId,
          currency: currency.address,
        })
      }
    }),
  )
})

test('a multi-input order has one input per deposit, refundable on the chain of the deposit', () => {
  let maxInputs = 0
  fc.assert(
    fc.property(multiPrices(16), quotedAt, (price, quotedAt) => {
      const order = createOrder(price, { ...context, quotedAt })
      expect(order.inputs).toEqual(
        price.pricedOrigins.map(({ refundTo, leg: { output } }) => {
          const chainId = nameOf(output.currency.chainId)
          const currency = output.currency.address
          const terms = { minimumAmount: 0n, deadline: quotedAt + 604_800, extraData: '0x' }
          return {
            payment: { chainId, currency, amount: output.amount, weight: 1n },
            refunds: [{ chainId, recipient: refundTo, currency, ...terms }],
          }
        }),
      )
      expect(order.solverChainId).toBe(order.inputs[0]?.payment.chainId)
      expect(order.fees).toEqual([])
      expect(order.output.payments).toMatchObject([
        {
          recipient: price.order.txs.length === 0 ? price.recipient : contracts.router,
          currency: price.currencyOut.currency.address,
          minimumAmount: price.currencyOut.minimumAmount,
          expectedAmount: price.currencyOut.amount,
        },
      ])
      expect(orderIdOf(order)).toBe(orderIdByViem(order))
      maxInputs = Math.max(maxInputs, order.inputs.length)
    }),
  )
  expect(maxInputs).toBeGreaterThan(8)
})

test('a top-up is a separate payment to the recipient, even if the router runs calls', () => {
  fc.assert(
    fc.property(bySolver, fc.bigInt(1n, 10n ** 20n).map(toAmount), (priced, amount: Amount) => {
      const currency = currencyOf(priced.currencyOut.currency.chainId, 'ETH')
      const currencyGasTopup = { currency, amount, minimumAmount: amount, usd: undefined }
      const order = createOrder({ ...priced, currencyGasTopup }, { ...context, quotedAt: 0 })
      expect(order.output.payments.slice(1)).toEqual([
        {
          recipient: priced.order.recipient,
          currency: nativeAddress,
          minimumAmount: amount,
          expectedAmount: amount,
        },
      ])
    }),
  )
})
