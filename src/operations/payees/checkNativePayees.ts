import { AppError } from '#src/errors.ts'
import {
  appFeesOf,
  isUserSwap,
  type QuotedPrice,
  topupOf,
} from '#src/execution/order/quotedPrice.ts'
import type { TransactionSimulator } from '#src/market/reads/transactionSimulator.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { FillCalls } from '#src/pricing/order.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { isNative } from '#src/units/currency.ts'

type Deps = Readonly<{ simulator: Pick<TransactionSimulator, 'wouldRevert'>; solver: Address }>

/** A payment of native currency. */
type Payment = Readonly<{ field: string; payee: Address; amount: Amount }>

/**
 * Refuses payees that are contracts and do not accept native currency: a swap or fill that pays them would revert. The
 * simulated payments apply the order's authorizations first. Accepts all payees if no node can simulate the payments.
 * App fees are paid in native currency only in a user's own swap, on the destination chain.
 * @throws AppError INVALID_RECIPIENT that names the field.
 */
export async function checkNativePayees(
  deps: Deps,
  price: QuotedPrice,
  { chain: { id, native } }: ChainMarket,
): Promise<void> {
  // An account that signs transactions can make itself accept payments.
  const signers = isUserSwap(price)
    ? [price.order.user]
    : price.pricedOrigins.map(({ user }) => user)
  const payments = nativePayments(price).filter(({ payee }) => !signers.includes(payee))
  const { authorizationList = undefined } = 'authorizationList' in price.order ? price.order : {}
  const isRefusedHere = (payment: Payment) => isRefused(deps, id, { ...payment, authorizationList })
  const refusals = await Promise.all(payments.map(isRefusedHere))
  const refused = payments.find((_, at) => refusals[at])
  if (refused === undefined) return
  const { field, payee } = refused
  throw new AppError(
    'INVALID_RECIPIENT',
    `${field}: ${payee} is a contract that does not accept ${native.symbol} on chain ${id}. Choose another account or currency.`,
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

/**
 * Whether a simulated payment from the solver reverts. A payment to the zero address, which no code can refuse, is
 * simulated as a control: if it reverts too, the solver's balance is too low and the payee is not at fault.
 */
async function isRefused(
  { simulator, solver }: Deps,
  chainId: ChainId,
  {
    payee,
    amount,
    authorizationList,
  }: Payment & Readonly<{ authorizationList: FillCalls['authorizationList'] | undefined }>,
): Promise<boolean> {
  const payment = { chainId, from: solver, data: '0x', value: amount } as const
  const authorized = authorizationList === undefined ? {} : { authorizationList }
  const fails = (to: Address) => simulator.wouldRevert({ ...payment, to, ...authorized })
  try {
    return (await fails(payee)) && !(await fails(nativeAddress))
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
