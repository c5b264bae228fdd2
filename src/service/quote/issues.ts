import { AppError } from '#src/core/errors.ts'
import type { CurrencyAmount, MultiPrice, Price } from '#src/core/pricing/price.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import {
  type Allowance,
  depositAllowance,
  permit2Allowance,
  requiredAllowance,
} from '#src/protocol/steps/allowance.ts'
import type { Loaders, PriceIssues, Shortfall } from '#src/service/answers.ts'
import type { GasReason, QuotedStep } from '#src/service/quotedSteps.ts'

/** `undefined` if there is enough. */
export const shortfallOf = (
  { currency, amount: expected }: Pick<CurrencyAmount, 'currency' | 'amount'>,
  actual: Amount,
): Shortfall | undefined => (actual >= expected ? undefined : { currency, expected, actual })

/** Reads what a user lacks, on the block of the price and only when called. */
export function issuesOf(
  { contracts }: Readonly<{ contracts: ReadonlyMap<ChainId, ProtocolContracts> }>,
  price: Price,
  loaders: Loaders,
): PriceIssues {
  const { order, currencyIn, blocks } = price
  const needed = () => neededAllowance(price, contracts.get(currencyIn.currency.chainId))
  return paymentIssues({ account: order.user, paid: currencyIn, needed }, blocks[0].hash, loaders)
}

/** What the users lack for each deposit, on the blocks of the price. Reads only when called. */
export const originIssuesOf = (
  { contracts }: Readonly<{ contracts: ReadonlyMap<ChainId, ProtocolContracts> }>,
  { pricedOrigins, blocks }: MultiPrice,
  loaders: Loaders,
): readonly PriceIssues[] =>
  pricedOrigins.map((origin) => {
    const paid = origin.leg.input
    const { chainId } = paid.currency
    const on = contracts.get(chainId)
    const needed = () => on && depositAllowance(origin, on)
    const block = blocks.find((each) => each.chainId === chainId) ?? blocks[0]
    return paymentIssues({ account: origin.user, paid, needed }, block.hash, loaders)
  })

type Payment = Readonly<{
  account: Account
  paid: CurrencyAmount
  needed: () => Allowance | undefined
}>

function paymentIssues(
  { account, paid, needed: neededOf }: Payment,
  hash: BlockHash,
  loaders: Loaders,
): PriceIssues {
  return {
    balance: async () => {
      const actual = await balanceInTime(loaders.balance(paid.currency, account, hash))
      return actual === undefined ? undefined : shortfallOf(paid, actual)
    },
    allowance: async () => {
      const needed = neededOf()
      if (needed === undefined) return undefined
      const { spender } = needed
      const read = loaders.allowance({ currency: needed.currency, account, spender }, hash)
      const actual = await balanceInTime(read)
      const found = actual === undefined ? undefined : shortfallOf(needed, actual)
      return found && { ...found, spender }
    },
  }
}

/** Other payments by signature need none. */
function neededAllowance(
  price: Price,
  contracts: ProtocolContracts | undefined,
): Allowance | undefined {
  const { permit } = price.order
  if (permit !== undefined)
    return permit.kind === 'permit2' ? permit2Allowance(price.currencyIn) : undefined
  return contracts && requiredAllowance(price, contracts)
}

/** The worst reason first. */
const gasReasons = ['WOULD_REVERT', 'UNKNOWN', 'EARLIER_TRANSACTION'] as const satisfies GasReason[]

/** The worst reason why a transaction of the steps has no gas limit; `undefined` if each has one. */
export async function gasIssueOf(
  steps: readonly QuotedStep[],
): Promise<Readonly<{ reason: GasReason }> | undefined> {
  const transactions = steps.flatMap(({ items, svmItem }) => [
    ...items.map(({ data }) => data),
    ...(svmItem === undefined ? [] : [svmItem]),
  ])
  const found = await Promise.all(
    transactions.map(async ({ gas, gasReason }) => {
      if ((await gas()) !== undefined) return undefined
      return gasReason === undefined ? 'UNKNOWN' : gasReason()
    }),
  )
  const reason = gasReasons.find((each) => found.includes(each))
  return reason && { reason }
}

/** Maximum delay of an answer by the read of a balance. */
const deadlineMs = 250

/**
 * A balance; `undefined` if no node reports it in time, or the currency has no balances. No other part of a price needs
 * it.
 */
export async function balanceInTime(balance: Promise<Amount>): Promise<Amount | undefined> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<undefined>((resolve) => {
    // If this process was busy, an answer that has arrived meanwhile wins over the timer.
    timer = setTimeout(() => setImmediate(resolve, undefined), deadlineMs)
  })
  try {
    return await Promise.race([balance, deadline])
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}
