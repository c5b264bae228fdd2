import fc from 'fast-check'
import { expect, it } from 'vitest'
import { maxOrigins, multiInput } from '#src/service/input/multiInput.ts'
import {
  address,
  ether,
  otherEther,
  otherUsdc,
  usdc,
} from '#test/support/canned/cannedCurrencies.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { market } from '#test/support/fixtures/markets.ts'
import { orderDeps } from '#test/support/orders/orderDeps.ts'
import { readMultiOrder } from './readMultiOrder.ts'

const account = fc.constantFrom('11', '22', '33', '44', '55', '66', '77').map(address)
const perhaps = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary)

/** Valid inputs. Optional fields are null or absent. */
const inputs = fc
  .record(
    {
      user: account,
      origins: fc.uniqueArray(
        fc.record(
          {
            of: fc.constantFrom(ether, usdc, otherEther),
            user: perhaps(account),
            amount: fc.bigInt(1n, 2n ** 256n - 1n),
          },
          { requiredKeys: ['of', 'amount'] },
        ),
        { minLength: 1, maxLength: maxOrigins, selector: ({ of, user }) => `${of.name} ${user}` },
      ),
      tradeType: fc.constantFrom('EXACT_INPUT', 'EXACT_OUTPUT'),
      amount: fc.bigInt(1n, 2n ** 256n - 1n),
      recipient: perhaps(account),
      refundTo: perhaps(account),
      slippageTolerance: perhaps(fc.bigInt(0n, 10_000n).map(String)),
      originGasOverhead: perhaps(fc.nat(1_000_000)),
      txsGasLimit: perhaps(fc.nat(1_000_000)),
      partial: perhaps(fc.boolean()),
    },
    { requiredKeys: ['user', 'origins', 'tradeType', 'amount'] },
  )
  // Naming a default account explicitly changes nothing.
  .filter(({ user: root, origins }) => {
    const keys = origins.map(({ of, user }) => `${of.name} ${user ?? root}`)
    return new Set(keys).size === keys.length
  })

it('converts all fields, and keeps the order of the origins', () =>
  fc.assert(
    fc.asyncProperty(inputs, async ({ origins, tradeType, amount, ...rest }) => {
      const request = multiInput.parse({
        ...rest,
        origins: origins.map(({ of, amount, ...others }) => ({
          ...others,
          chainId: of.chainId,
          currency: of.address,
          amount: `${amount}`,
        })),
        tradeType,
        ...(tradeType === 'EXACT_OUTPUT' && { amount: `${amount}` }),
        destinationChainId: otherUsdc.chainId,
        destinationCurrency: otherUsdc.address,
      })
      let read: readonly number[] = []
      const snapshot = (chainIds: readonly number[]) => {
        read = chainIds
        return market
      }
      const deps = { ...orderDeps, snapshot }
      const { order, payees, ...others } = await readMultiOrder(
        deps,
        request,
        cannedOperations.loaders(),
      )
      expect(others).toEqual({ market })
      const paid = new Set(payees.map(({ payee }) => payee))
      const { recipient } = order
      const accounts = order.origins.flatMap(({ user, refundTo }) => [user, refundTo])
      expect(paid).toEqual(new Set([recipient, ...accounts]))
      expect(order).toEqual({
        user: rest.user,
        recipient: rest.recipient ?? rest.user,
        origins: origins.map(({ of: currency, user: own, amount }) => {
          const user = own ?? rest.user
          return { user, refundTo: rest.refundTo ?? user, currency, amount }
        }),
        destination: otherUsdc,
        ...(tradeType === 'EXACT_OUTPUT' && { output: amount }),
        ...(rest.slippageTolerance != null && {
          slippageTolerance: BigInt(rest.slippageTolerance),
        }),
        ...(rest.txsGasLimit != null && { txsGasLimit: BigInt(rest.txsGasLimit) }),
        originGasOverhead: BigInt(rest.originGasOverhead ?? 0),
        txs: [],
      })
      const chainIds = new Set([...origins.map(({ of }) => of.chainId), otherUsdc.chainId])
      expect([...read].sort()).toEqual([...chainIds].sort())
    }),
  ))
