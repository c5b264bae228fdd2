import type { Address } from '#src/units/address.ts'
import { isNative } from '#src/units/currency.ts'
import type { TransactionSize } from './gas.ts'
import type { LegSwap } from './leg.ts'
import { routeGas } from './routeGas.ts'

/** A signed EIP-1559 transaction without its calldata: fields, signature and RLP prefixes. */
const envelopeBytes = 120n
/** The base of every transaction, by the yellow paper. */
const baseGas = 21_000n
/** Calldata costs 16 gas a byte at the most, by EIP-2028. */
const gasPerByte = 16n

/** An ERC-20 transfer to an account that held none of it: a balance slot goes from zero, one changes. */
const transferGas = 31_000n
/** A router's own work: the call, the allowance pull, the minimum check and the sweep. */
const routerGas = 62_000n
const routerBytes = 420n
const hopBytes = 224n
/** Wrapped native `deposit()` and `withdraw(uint256)` with a cold balance slot. */
const wrapGas = 24_000n
const unwrapGas = 15_000n
/** The depository's own work: it checks, transfers in what is an ERC-20, and emits its event. */
const depositGas = 12_000n

const size = (gas: bigint, calldata: bigint): TransactionSize => ({
  gas: baseGas + gas + calldata * gasPerByte,
  bytes: envelopeBytes + calldata,
})

const payGas = (currency: Address): bigint => (isNative(currency) ? 0n : transferGas)

/** A plain payment of a native currency or an ERC-20. */
const payment = (currency: Address): TransactionSize =>
  isNative(currency) ? size(0n, 0n) : size(transferGas, 68n)

const conversionGas = (swap: LegSwap): bigint =>
  (swap.wraps ? wrapGas : 0n) + (swap.unwraps ? unwrapGas : 0n)

const routed = (swap: LegSwap, endGas: bigint): TransactionSize => {
  const hops = swap.route?.paths.reduce((count, path) => count + path.hops.length, 0) ?? 0
  const swapGas = swap.route === undefined ? 0n : routeGas(swap.route)
  return size(
    routerGas + swapGas + conversionGas(swap) + endGas,
    routerBytes + BigInt(hops) * hopBytes,
  )
}

/** The user's one transaction when everything happens on one chain. */
export function swapTransaction(swap: LegSwap, paysOthers: boolean): TransactionSize {
  if (swap.route !== undefined || paysOthers) return routed(swap, payGas(swap.output))
  if (swap.wraps) return size(wrapGas, 4n)
  if (swap.unwraps) return size(unwrapGas, 36n)
  return payment(swap.output)
}

/** The user's transaction that leaves funds with the depository, after a swap where one is needed. */
export function depositTransaction(swap: LegSwap, useReceiver: boolean): TransactionSize {
  const currency = swap.output
  if (swap.route !== undefined || swap.wraps || swap.unwraps)
    return routed(swap, payGas(currency) + depositGas)
  if (useReceiver) return size(payGas(currency) + depositGas, isNative(currency) ? 68n : 132n)
  return isNative(currency) ? size(0n, 32n) : size(transferGas, 100n)
}

/** The solver's transaction that pays the recipient; its calldata ends with the order's id. */
export function fillTransaction(swap: LegSwap): TransactionSize {
  if (swap.route !== undefined || swap.wraps || swap.unwraps)
    return routed(swap, payGas(swap.output))
  return isNative(swap.output) ? size(0n, 32n) : size(transferGas, 100n)
}
