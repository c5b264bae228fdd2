/** @import { PriceInput } from '#src/page/api/answers.ts' */
/** @import { Chosen } from '#src/page/state/chosen.js' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { parseAmount } from '#src/page/amounts/amounts.js'

/**
 * Optional fields of an order. `slippage` is in percent, such as "0.5". Both texts may be empty.
 * With `gasless` the user signs, and the solver sends the transaction.
 * @typedef {Readonly<{ slippage: string, recipient: string, refund: boolean, gasless: boolean }>} Options
 */

// Prices need no account. Nobody has the keys of these addresses.
const nobody = {
  evm: '0x000000000000000000000000000000000000dead',
  svm: '1nc1nerator11111111111111111111111111111111',
}

/**
 * Who pays, and who is paid by default: the same account, or one of the other virtual machine.
 * @typedef {Readonly<{
 *   payerVm: Account['vmType'],
 *   payeeVm: Account['vmType'],
 *   account: Account | undefined,
 *   payee: Account | undefined
 * }>} Parties
 */

/** The devnet's solver refunds the deposits of this referrer. */
const refundReferrer = 'debug-force-refund'

/**
 * An error in a field that the user typed, in words for the user.
 * @typedef {Readonly<{ field: 'amount' | 'slippage', words: string }>} Fault
 */

/** Amounts of the contracts are below this. */
const amountLimit = 2n ** 256n

/**
 * The input of `price` and `quote`, or the error in a field. Neither while the amount is empty or zero.
 * @param {Chosen} chosen
 * @param {Options} options
 * @param {Parties} parties
 * @returns {Readonly<{ input?: PriceInput, fault?: Fault }>}
 */
export function orderOf(
  { origin, destination, side, amount },
  { slippage, recipient, refund, gasless },
  { payerVm, payeeVm, account, payee },
) {
  const payeeAddress = payerVm === payeeVm ? '' : (payee?.address ?? nobody[payeeVm])
  const paid = recipient.trim() || payeeAddress
  if (amount.trim() === '') return {}
  const { decimals, symbol } = side === 'in' ? origin : destination
  const parsed = parseAmount(amount, decimals)
  const refuse = (/** @type {Fault['field']} */ field, /** @type {string} */ words) => ({
    fault: { field, words },
  })
  if (parsed === undefined)
    return refuse(
      'amount',
      `Type an amount such as 0.5, with a point and at most ${decimals} decimals of ${symbol}.`,
    )
  if (parsed >= amountLimit) return refuse('amount', `This amount of ${symbol} is too large.`)
  if (parsed === 0n) return {}
  const bps = slippage.trim() === '' ? undefined : parseAmount(slippage, 2)
  if (slippage.trim() !== '' && (bps === undefined || bps > 5_000n))
    return refuse('slippage', 'Slippage is a percentage from 0 to 50, such as 0.5.')
  return {
    input: {
      user: account?.address ?? nobody[payerVm],
      originChainId: origin.chainId,
      originCurrency: origin.address,
      destinationChainId: destination.chainId,
      destinationCurrency: destination.address,
      amount: `${parsed}`,
      tradeType: side === 'in' ? 'EXACT_INPUT' : 'EXACT_OUTPUT',
      ...(bps !== undefined && { slippageTolerance: `${bps}` }),
      ...(paid !== '' && { recipient: paid }),
      // Without it a refund would go to the recipient, who may be another person.
      ...(paid !== '' && account && { refundTo: account.address }),
      ...(refund && { referrer: refundReferrer }),
      ...(gasless && { usePermit: true }),
    },
  }
}
