/** @import { Chain } from '#src/page/api/answers.ts' */
/** @import { CurrencyBalance } from '#src/page/api/currencies.js' */

/**
 * Held currencies, then those of the solver, then the others. Keeps the order within each group: the gateway knows no
 * volumes yet.
 * @param {readonly CurrencyBalance[]} found
 * @param {Pick<Chain, 'solverCurrencies'>} chain
 * @returns {readonly CurrencyBalance[]}
 */
export function inOrderOfUse(found, { solverCurrencies }) {
  const ofSolver = new Set(solverCurrencies.map(({ currency }) => currency.address))
  const rank = (/** @type {CurrencyBalance} */ { currency, balance = 0n }) => {
    if (balance > 0n) return 0
    return ofSolver.has(currency.address) ? 1 : 2
  }
  return found.toSorted((one, other) => rank(one) - rank(other))
}
