import { z } from 'zod'
import type { Account } from '#src/core/units/address.ts'
import { isDecimalAmount, parseDecimalAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { Issue } from './configIssues.ts'
import { account, chainId } from './values.ts'

const decimalAmount = z
  .string()
  .refine(isDecimalAmount, 'must be an amount in whole units, such as "2500" or "0.5"')

/** What the solver should hold of a currency. Only for the books and the advice: no fill depends on it. */
const target = z.strictObject({
  chainId,
  /** The native currency (the zero address), or a currency of `assets`. */
  currency: account,
  /** In whole units. Digits beyond the currency's decimals are dropped. */
  amount: decimalAmount,
  /** Below it the inventory is low. Absent: a quarter of `amount`. */
  minimum: decimalAmount.optional(),
})

export const targets = z.array(target).max(1_000).default([])

type Parts = Readonly<{
  chains: readonly Readonly<{ id: ChainId }>[]
  svmChains: readonly Readonly<{ id: ChainId }>[]
  assets: readonly Readonly<{
    currencies: readonly Readonly<{ chainId: ChainId; address: Account }>[]
  }>[]
  solver: Readonly<{ targets: z.output<typeof targets> }>
}>

/** Each target must name a currency that the solver pays out, once, with a minimum up to its amount. */
export function targetIssues({ chains, svmChains, assets, solver }: Parts): readonly Issue[] {
  const held = assets.flatMap(({ currencies }) => currencies)
  const { targets: given } = solver
  return given.flatMap((each, at): Issue[] => {
    const issue = (key: string, message: string): Issue => ({
      path: ['solver', 'targets', at, key],
      message,
    })
    const isSame = (other: Readonly<{ chainId: ChainId; currency: Account }>) =>
      other.chainId === each.chainId && other.currency === each.currency
    if (![...chains, ...svmChains].some(({ id }) => id === each.chainId))
      return [issue('chainId', `no chain has the id ${each.chainId}`)]
    const isHeld =
      isNative(each.currency) ||
      held.some(({ chainId, address }) => isSame({ chainId, currency: address }))
    if (!isHeld)
      return [
        issue(
          'currency',
          'the solver does not pay it out there: name the native currency, which is the zero address, or a currency of assets',
        ),
      ]
    if (given.findIndex(isSame) < at)
      return [issue('currency', 'another target has the same chain and currency')]
    const { amount, minimum = '0' } = each
    // More decimals than any currency has.
    return parseDecimalAmount(minimum, 77) > parseDecimalAmount(amount, 77)
      ? [issue('minimum', 'must not exceed the amount')]
      : []
  })
}
