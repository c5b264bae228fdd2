import { AppError } from '#src/core/errors.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { FillCalls } from '#src/core/pricing/order.ts'
import { type Account, type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { isNative } from '#src/core/units/currency.ts'
import { vmTypeOf } from '#src/core/units/vmType.ts'
import type { TransactionTrials } from '#src/market/reads/transactionSimulator.ts'
import {
  appFeesOf,
  isUserSwap,
  type QuotedPrice,
  topupOf,
} from '#src/protocol/order/quotedPrice.ts'
import type { Payee } from './checkPayees.ts'

type Deps = Readonly<{
  simulator: TransactionTrials
  solver: Address
}>

/** A payment of native currency. */
type Payment = Readonly<{
  field: string
  chainId: ChainId
  payee: Account
  amount: Amount
  /** The depository pays it, with limited gas. */
  isFromDepository?: true
}>

/** Gas of a transaction, and what the depository gives to a payment of native currency. @source Deposits.sol */
const maxPushGas = 21_000n + 50_000n

/**
 * Refuses payees that are contracts and do not accept native currency: a swap or fill that pays them would revert, and
 * a refund or an app fee would stay in the depository. The simulated payments of a fill apply the order's
 * authorizations first. Accepts all payees if no node can simulate the payments. App fees are paid on the destination
 * chain in a user's own swap, else on the origin chain.
 * @throws AppError INVALID_RECIPIENT that names the field.
 */
export async function checkNativePayees(
  deps: Deps,
  price: QuotedPrice,
  payees: readonly Payee[],
  chains: ReadonlyMap<ChainId, Readonly<{ market: ChainMarket }>>,
): Promise<void> {
  const payments = [...paymentsOut(price), ...paymentsBack(price, payees)].filter(
    ({ payee }) => vmTypeOf(payee) === 'evm',
  )
  const { authorizationList = undefined } = 'authorizationList' in price.order ? price.order : {}
  const refusals = await Promise.all(
    payments.map((payment) => isRefused(deps, payment, authorizationList)),
  )
  const refused = payments.find((_, at) => refusals[at])
  if (refused === undefined) return
  const { field, chainId, payee } = refused
  const symbol = chains.get(chainId)?.market.chain.native.symbol ?? 'native currency'
  throw new AppError(
    'INVALID_RECIPIENT',
    `${field}: ${payee} is a contract that does not accept ${symbol} on chain ${chainId}. Choose another account or currency.`,
    { field, chainId },
  )
}

/** The payments of a fill, or of a user's own swap. */
function paymentsOut(price: QuotedPrice): readonly Payment[] {
  const { order, currencyIn, currencyOut } = price
  const { chainId } = currencyOut.currency
  const toRecipient = { field: 'recipient', chainId, payee: order.recipient }
  const isPaid = isNative(currencyOut.currency.address)
  const spentByTxs = order.txs.reduce((sum, { value }) => sum + value, 0n)
  const topup = topupOf(price)
  const paysFees = isUserSwap(price) && isNative(currencyIn.currency.address)
  // An account that signs transactions can make itself accept payments.
  const signers = isUserSwap(price)
    ? [price.order.user]
    : price.pricedOrigins.map(({ user }) => user)
  return [
    ...(isPaid ? [{ ...toRecipient, amount: toAmount(currencyOut.amount - spentByTxs) }] : []),
    ...(topup ? [{ ...toRecipient, amount: topup.amount }] : []),
    ...(paysFees ? feesOf(price, chainId) : []),
  ].filter(({ amount, payee }) => amount > 0n && !signers.includes(payee))
}

const feesOf = (price: QuotedPrice, chainId: ChainId): readonly Payment[] =>
  appFeesOf(price).map(({ recipient: payee, amount }, at) => ({
    field: `appFees.${at}.recipient`,
    chainId,
    payee,
    amount,
  }))

/** The payments that the depository may make: refunds, and the app fees of an order that the solver fills. */
function paymentsBack(price: QuotedPrice, payees: readonly Payee[]): readonly Payment[] {
  if (isUserSwap(price)) return []
  const payments = price.pricedOrigins.flatMap(({ refundTo, leg }): readonly Payment[] => {
    const { chainId, address } = leg.output.currency
    if (!isNative(address)) return []
    const named = payees.find(
      (each) => each.chainId === chainId && each.payee === refundTo && isRefund(each),
    )
    const refund = { chainId, payee: refundTo, amount: toAmount(1n) }
    return [
      { ...refund, field: named?.path.join('.') ?? 'refundTo' },
      ...feesOf(price, chainId).filter(({ amount }) => amount > 0n),
    ]
  })
  const distinct = new Map(payments.map((each) => [`${each.chainId}:${each.payee}`, each]))
  return [...distinct.values()].map((each) => ({
    ...each,
    amount: toAmount(1n),
    isFromDepository: true,
  }))
}

const isRefund = ({ path }: Payee): boolean => path[0] !== 'recipient' && path[0] !== 'appFees'

/**
 * Whether a simulated payment from the solver fails. A payment to the zero address, which no code can refuse, is
 * simulated as a control: if it reverts too, the solver's balance is too low and the payee is not at fault.
 */
async function isRefused(
  { simulator, solver }: Deps,
  { chainId, payee, amount, isFromDepository }: Payment,
  authorizationList: FillCalls['authorizationList'] | undefined,
): Promise<boolean> {
  const payment = { chainId, from: solver, data: '0x', value: amount } as const
  const authorized = authorizationList === undefined ? {} : { authorizationList }
  const fails = (to: Account) =>
    simulator.wouldRevert({ ...payment, to: evmAddress(to), ...authorized })
  try {
    if (isFromDepository === undefined) return (await fails(payee)) && !(await fails(nativeAddress))
    const outcome = await simulator.tryEstimate({ ...payment, to: evmAddress(payee) })
    if (outcome.succeeds) return outcome.gas > maxPushGas
    return (await simulator.tryEstimate({ ...payment, to: nativeAddress })).succeeds
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
