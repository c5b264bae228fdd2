import type { Address } from '#src/units/address.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import type { TransactionSize } from './gas.ts'
import { erc20Of, type LegSwap } from './leg.ts'
import type { ChainMarket } from './market.ts'
import { hopGas, pathGas, routeGas } from './routeGas.ts'

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

/** What the size of a transaction depends on, of a leg that it executes. */
export type LegShape = Readonly<{
  output: Address
  wraps: boolean
  unwraps: boolean
  /** Of all hops together; absent where nothing is swapped. */
  swap: Readonly<{ gas: bigint; hops: number }> | undefined
}>

export const shapeOf = ({ output, wraps, unwraps, route }: LegSwap): LegShape => ({
  output,
  wraps,
  unwraps,
  swap: route && {
    gas: routeGas(route),
    hops: route.paths.reduce((count, path) => count + path.hops.length, 0),
  },
})

/** The shape of a leg that is no larger than any which could join the two currencies. */
export const leastShape = (market: ChainMarket, input: Currency, output: Currency): LegShape => ({
  output: output.address,
  wraps: isNative(input.address) && !isNative(output.address),
  unwraps: isNative(output.address) && !isNative(input.address),
  swap: erc20Of(market, input) === erc20Of(market, output) ? undefined : leastSwap,
})

const leastSwap = { gas: pathGas + hopGas.constantProduct, hops: 1 }

const isPlain = ({ swap, wraps, unwraps }: LegShape): boolean =>
  swap === undefined && !wraps && !unwraps

function routed({ swap, wraps, unwraps }: LegShape, endGas: bigint): TransactionSize {
  const { gas, hops } = swap ?? { gas: 0n, hops: 0 }
  const conversionGas = (wraps ? wrapGas : 0n) + (unwraps ? unwrapGas : 0n)
  return size(routerGas + gas + conversionGas + endGas, routerBytes + BigInt(hops) * hopBytes)
}

/** The user's one transaction when everything happens on one chain. */
export function swapTransaction(leg: LegShape, paysOthers: boolean): TransactionSize {
  if (leg.swap !== undefined || paysOthers) return routed(leg, payGas(leg.output))
  if (leg.wraps) return size(wrapGas, 4n)
  if (leg.unwraps) return size(unwrapGas, 36n)
  return payment(leg.output)
}

/** The user's transaction that leaves funds with the depository, after a swap where one is needed. */
export function depositTransaction(leg: LegShape, explicit: boolean): TransactionSize {
  const { output } = leg
  if (!isPlain(leg)) return routed(leg, payGas(output) + depositGas)
  if (explicit) return size(payGas(output) + depositGas, isNative(output) ? 68n : 132n)
  return isNative(output) ? size(0n, 32n) : size(transferGas, 100n)
}

/** The solver's transaction that pays the recipient; its calldata ends with the order's id. */
export function fillTransaction(leg: LegShape): TransactionSize {
  const { output } = leg
  if (!isPlain(leg)) return routed(leg, payGas(output))
  return isNative(output) ? size(0n, 32n) : size(transferGas, 100n)
}
