import { AppError } from '#src/errors.ts'
import {
  appFeesOf,
  isUserSwap,
  type QuotedPrice,
  topupOf,
} from '#src/execution/order/quotedPrice.ts'
import type { Trials } from '#src/market/reads/transactionSimulator.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { isNative } from '#src/units/currency.ts'

type Deps = Readonly<{ trials: Pick<Trials, 'fails'>; solver: Address }>

/** Of native currency. */
type Payment = Readonly<{ field: string; payee: Address; amount: Amount }>

/**
 * Contracts may refuse native currency: a swap that pays one reverts, and a fill cannot be made. Where no
 * node tells, nothing is said.
 * @param destination where they are paid: app fees are native currency only where the user swaps alone there.
 * @throws AppError INVALID_RECIPIENT that names the field.
 */
export async function checkPayees(
  deps: Deps,
  price: QuotedPrice,
  { chain: { id, native } }: ChainMarket,
): Promise<void> {
  // Whoever signs for an account can have it take what it is paid.
  const signers = isUserSwap(price) ? [price.order.user] : price.fundings.map(({ user }) => user)
  const payments = nativePayments(price).filter(({ payee }) => !signers.includes(payee))
  const refusals = await Promise.all(payments.map((payment) => isRefused(deps, id, payment)))
  const refused = payments.find((_, at) => refusals[at])
  if (refused === undefined) return
  const { field, payee } = refused
  throw new AppError(
    'INVALID_RECIPIENT',
    `${field}: ${payee} is a contract that takes no ${native.symbol} on chain ${id}; name another, or pay it another currency.`,
    { field, chainId: id },
  )
}

function nativePayments(price: QuotedPrice): readonly Payment[] {
  const { order, currencyIn, currencyOut } = price
  const toRecipient = { field: 'recipient', payee: order.recipient }
  const isPaid = isNative(currencyOut.currency.address)
  const spentByTxs = order.txs.reduce((sum, { value }) => sum + value, 0n)
  const topup = topupOf(price)
  const paysFees = isUserSwap(price) && isNative(currencyIn.currency.address)
  const shares = paysFees ? appFeesOf(price) : []
  return [
    ...(isPaid ? [{ ...toRecipient, amount: toAmount(currencyOut.amount - spentByTxs) }] : []),
    ...(topup ? [{ ...toRecipient, amount: topup.amount }] : []),
    ...shares.map(({ recipient, amount }, at) => ({
      field: `appFees.${at}.recipient`,
      payee: recipient,
      amount,
    })),
  ].filter(({ amount }) => amount > 0n)
}

/** Tried from the solver, and against a payment that no code can refuse: the solver may not have as much. */
async function isRefused(
  { trials, solver }: Deps,
  chainId: ChainId,
  { payee, amount }: Payment,
): Promise<boolean> {
  const fails = (to: Address) =>
    trials.fails({ chainId, from: solver, to, data: '0x', value: amount })
  try {
    return (await fails(payee)) && !(await fails(nativeAddress))
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
