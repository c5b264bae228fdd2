/** @import { CurrencyBalance } from '#src/page/api/currencies.js' */

/**
 * Held currencies, then the others. Keeps the gateway's order within each group.
 * @param {readonly CurrencyBalance[]} found
 * @returns {readonly CurrencyBalance[]}
 */
export const inOrderOfUse = (found) =>
  found.toSorted((one, other) => Number(isHeld(other)) - Number(isHeld(one)))

/** @param {CurrencyBalance} currency */
const isHeld = ({ balance = 0n }) => balance > 0n
