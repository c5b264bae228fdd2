/** @import { Account } from '#src/page/accounts/provider.js' */
/** @import { Swap } from '#src/page/state/useSwap.js' */

/**
 * What the page knows when the user looks at the button.
 * @typedef {Readonly<{
 *   isConnected: boolean,
 *   account: Account | undefined,
 *   hasRecipient: boolean,
 *   phase: Swap['phase'],
 *   isEmpty: boolean,
 *   hasFailure: boolean,
 *   isShort: boolean,
 *   symbol: string,
 *   isRefused: boolean,
 *   needsConsent: boolean
 * }>} Situation `isShort` if the account holds less than the swap pays; `needsConsent` until the loss is accepted.
 */

/**
 * The reason why the user cannot swap now, in words for the button. Undefined if nothing is in the way.
 * @param {Situation} situation
 * @returns {string | undefined}
 */
export function obstacleTo(situation) {
  const { account, phase, isShort, symbol } = situation
  if (!situation.isConnected) return 'Reconnecting…'
  if (account === undefined) return 'Choose an account to swap'
  if (!situation.hasRecipient) return 'Choose or type who is paid'
  if (phase === 'quoting') return 'Taking the quote…'
  if (phase === 'signing') return 'Sign in your wallet…'
  if (phase === 'sending') return 'Sending…'
  if (situation.isEmpty) return 'Type an amount'
  if (situation.hasFailure) return 'No price for this swap'
  if (isShort) return `Not enough ${symbol}`
  if (situation.isRefused) return 'This swap would be refused'
  return situation.needsConsent ? 'Accept the loss to swap' : undefined
}
