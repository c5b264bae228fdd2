import { AppError } from '#src/errors.ts'
import type { Trials } from '#src/market/trials.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Price } from '#src/pricing/price.ts'
import { appFeeShares } from '#src/pricing/relay.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { isNative } from '#src/units/currency.ts'

type Deps = Readonly<{ trials: Pick<Trials, 'fails'>; solver: Address }>
type Ends = Readonly<{ origin: ChainMarket; destination: ChainMarket }>

/** Of native currency. */
type Payment = Readonly<{ field: string; market: ChainMarket; payee: Address; amount: Amount }>

/**
 * Contracts may refuse native currency: a swap that pays one reverts, and a fill cannot be made. Where no
 * node tells, nothing is said.
 * @throws AppError INVALID_RECIPIENT that names the field.
 */
export async function checkPayees(deps: Deps, price: Price, ends: Ends): Promise<void> {
  const { user } = price.order
  // Whoever signs for an account can have it take what it is paid.
  const payments = nativePayments(price, ends).filter(({ payee }) => payee !== user)
  const refusals = await Promise.all(payments.map((payment) => isRefused(deps, payment)))
  const refused = payments.find((_, at) => refusals[at])
  if (refused === undefined) return
  const { field, market, payee } = refused
  const { id, native } = market.chain
  throw new AppError(
    'INVALID_RECIPIENT',
    `${field}: ${payee} is a contract that takes no ${native.symbol} on chain ${id}; name another, or pay it another currency.`,
    { field, chainId: id },
  )
}

function nativePayments(price: Price, { origin, destination }: Ends): readonly Payment[] {
  const { order, currencyIn, currencyOut, currencyGasTopup, execution, fees } = price
  const toRecipient = { field: 'recipient', market: destination, payee: order.recipient }
  const isPaid = isNative(currencyOut.currency.address)
  const spentByTxs = order.txs.reduce((sum, { value }) => sum + value, 0n)
  const paysFees = execution === 'user' && isNative(currencyIn.currency.address)
  const shares = paysFees ? appFeeShares(order.appFees, fees.app.amount) : []
  return [
    ...(isPaid ? [{ ...toRecipient, amount: toAmount(currencyOut.amount - spentByTxs) }] : []),
    ...(currencyGasTopup ? [{ ...toRecipient, amount: currencyGasTopup.amount }] : []),
    ...shares.map(({ recipient, amount }, at) => ({
      field: `appFees.${at}.recipient`,
      market: origin,
      payee: recipient,
      amount,
    })),
  ].filter(({ amount }) => amount > 0n)
}

/** Tried from the solver, and against a payment that no code can refuse: the solver may not have as much. */
async function isRefused(
  { trials, solver }: Deps,
  { market, payee, amount }: Payment,
): Promise<boolean> {
  const { id: chainId } = market.chain
  const fails = (to: Address) =>
    trials.fails({ chainId, from: solver, to, data: '0x', value: amount })
  try {
    return (await fails(payee)) && !(await fails(nativeAddress))
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
