import { isOneErc20, type LegSwap } from '#src/pricing/leg/leg.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Order, Tx } from '#src/pricing/order.ts'
import type { Route } from '#src/pricing/router/route.ts'
import { hopGas, pathGas, routeGas } from '#src/pricing/router/routeGas.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { type Currency, isNative } from '#src/units/currency.ts'
import type { TransactionSize } from './gas.ts'

/** A signed EIP-1559 transaction without its calldata: fields, signature and RLP prefixes. */
const envelopeBytes = 120n
/** The base of every transaction, by the yellow paper. */
const baseGas = 21_000n
/** Calldata costs 16 gas a byte at the most, by EIP-2028. */
const gasPerByte = 16n
/** What a byte of our router's calls costs, most of which are zero: 6.4 to 6.8, measured on anvil. */
const gasPerRouterByte = 7n

const word = 32n
const padded = (bytes: bigint): bigint => ((bytes + word - 1n) / word) * word

/** Calldata of a function with `words` static arguments. */
const calldata = (words: bigint): bigint => 4n + words * word

/** One call of a multicall: where it stands, its target, allowFailure, value and the data's offset and length. */
const callBytes = (data: bigint): bigint => 6n * word + padded(data)

/** What a part of a transaction adds to its gas, calldata left out, and to its calldata. */
type Work = Readonly<{ gas: bigint; bytes: bigint }>

// Gas beyond the base and the calldata was measured on anvil, with our contracts and their tests' ERC-20, and is rounded up.

/** An ERC-20 transfer to an account that held none of it. */
const transferGas = 30_100n
/** A payment by a contract to an account that was not there before. */
const nativePaymentGas = 36_600n
/** `multicall` with the request's id: the call, its guard and the return of what is left. */
const routerWork: Work = { gas: 4_600n, bytes: calldata(4n) + 3n * word }
/** `transferAndMulticall` of one currency: the allowance pull and the call of the router. */
const proxyWork: Work = { gas: 31_000n, bytes: calldata(6n) + 7n * word }
/** For an account that held no wrapped currency: 17,100 more than was measured for one that did. */
const wrapGas = 23_900n
const unwrapGas = 13_900n
/** What the router wraps or unwraps it holds for the time of one transaction. */
const wrapWork: Work = { gas: 14_000n, bytes: callBytes(calldata(0n)) }
const unwrapWork: Work = { gas: 34_000n, bytes: callBytes(calldata(1n)) }
/** Into a depository that holds some of the currency already, as it does after its first deposit. */
const depositGas = { native: 2_100n, erc20: 26_600n, transferred: 13_000n, routedErc20: 35_000n }
/** A native deposit by the router. */
const routedNativeGas = 14_000n
/** A currency that may be left over: its balance is read and found to be nothing. */
const sweepGas = 4_000n
const balanceCheckWork: Work = { gas: 4_000n, bytes: callBytes(calldata(2n)) }
/** A caller's own call where the order sets no `txsGasLimit`: three times what an ERC-20 transfer takes. */
const callGas = 100_000n

const payWork = (currency: Address): Work => ({
  gas: isNative(currency) ? nativePaymentGas : transferGas,
  bytes: callBytes(calldata(3n)),
})

const depositWork = (currency: Address): Work =>
  isNative(currency)
    ? { gas: routedNativeGas, bytes: callBytes(calldata(5n)) }
    : { gas: depositGas.routedErc20, bytes: callBytes(calldata(6n)) }

/** To `payees` of app fees: native payments one by one, of an ERC-20 three arrays in one call. */
function appFeeWorks(currency: Address, payees: bigint): readonly Work[] {
  if (payees === 0n) return []
  return [
    isNative(currency)
      ? { gas: nativePaymentGas * payees, bytes: callBytes(calldata(2n)) * payees }
      : { gas: transferGas * payees, bytes: cleanupBytes(payees) },
  ]
}

const cleanupBytes = (payments: bigint): bigint => callBytes(calldata(6n) + 3n * payments * word)

/** Of `currencies` that may be left over. */
const sweepWork = (currencies: bigint): Work => ({
  gas: sweepGas * currencies,
  bytes: cleanupBytes(currencies),
})

/** What the size of a transaction depends on, of a leg that it executes. */
export type LegShape = Readonly<{
  input: Address
  output: Address
  wraps: boolean
  unwraps: boolean
  /** Absent where nothing is swapped. */
  swap: SwapShape | undefined
}>

type SwapShape = Readonly<{
  /** Of all hops together. */
  gas: bigint
  /** Of the paths as the router reads them. */
  bytes: bigint
  /** How many currencies may be left over: the input and those between. */
  currencies: bigint
}>

export const shapeOf = ({ input, output, wraps, unwraps, route }: LegSwap): LegShape => ({
  input,
  output,
  wraps,
  unwraps,
  swap: route && {
    gas: routeGas(route),
    bytes: route.paths.reduce((sum, { hops }) => sum + pathBytes(hops.length), 0n),
    currencies: currenciesIn(route),
  },
})

/** Where it stands, amountIn, maxOut, and the offset, length and 44 bytes each of its hops. */
const pathBytes = (hops: number): bigint => 5n * word + padded(44n * BigInt(hops))

function currenciesIn({ paths }: Route): bigint {
  const currencies = new Set<Address>()
  for (const { hops } of paths)
    for (const { pool, zeroForOne } of hops)
      currencies.add(zeroForOne ? pool.currency0 : pool.currency1)
  return BigInt(currencies.size)
}

/** The shape of a leg that is no larger than any which could join the two currencies. */
export const minShape = (market: ChainMarket, input: Currency, output: Currency): LegShape => ({
  input: input.address,
  output: output.address,
  wraps: isNative(input.address) && !isNative(output.address),
  unwraps: isNative(output.address) && !isNative(input.address),
  swap: isOneErc20(market, input, output) ? undefined : minSwap,
})

const minSwap: SwapShape = {
  gas: pathGas + hopGas.constantProduct,
  bytes: pathBytes(1),
  currencies: 1n,
}

/** What a caller's own calls take together, whose data may be any. */
export const callsWork = ({ txs, txsGasLimit }: Pick<Order, 'txs' | 'txsGasLimit'>): Work => ({
  gas: (txsGasLimit ?? callGas * BigInt(txs.length)) + txs.reduce(dataGas, 0n),
  bytes: txs.reduce((sum, tx) => sum + callBytes(dataBytes(tx)), 0n),
})

const dataBytes = ({ data }: Tx): bigint => BigInt(data.length / 2 - 1)

const dataGas = (sum: bigint, tx: Tx): bigint =>
  sum + dataBytes(tx) * (gasPerByte - gasPerRouterByte)

const size = (gas: bigint, bytes: bigint, perByte = gasPerByte): TransactionSize => ({
  gas: baseGas + gas + bytes * perByte,
  bytes: envelopeBytes + bytes,
})

/** A plain payment of a native currency or an ERC-20, with `appended` bytes behind its calldata. */
const payment = (currency: Address, appended: bigint): TransactionSize =>
  isNative(currency) ? size(0n, appended) : size(transferGas, calldata(2n) + appended)

const isPlain = ({ swap, wraps, unwraps }: LegShape): boolean =>
  swap === undefined && !wraps && !unwraps

/** The leg by the router, with what comes before it or behind it. */
function routed(leg: LegShape, others: readonly Work[]): TransactionSize {
  const { input, swap, wraps, unwraps } = leg
  const works = [
    isNative(input) ? routerWork : proxyWork,
    ...(wraps ? [wrapWork] : []),
    ...(swap === undefined ? [] : [swapWork(swap), sweepWork(swap.currencies)]),
    ...(unwraps ? [unwrapWork] : []),
    ...others,
  ]
  const gas = works.reduce((sum, work) => sum + work.gas, 0n)
  const bytes = works.reduce((sum, work) => sum + work.bytes, 0n)
  return size(gas, bytes, gasPerRouterByte)
}

const swapWork = ({ gas, bytes }: SwapShape): Work => ({
  gas,
  bytes: callBytes(calldata(3n) + bytes),
})

/** What ends a leg of which the recipient is paid: the caller's own calls come before the payment. */
const endWorks = (output: Address, order: Pick<Order, 'txs' | 'txsGasLimit'>): readonly Work[] =>
  order.txs.length === 0
    ? [payWork(output)]
    : [balanceCheckWork, callsWork(order), payWork(output), sweepWork(1n)]

/** The user's one transaction when everything happens on one chain. */
export function swapTransaction(leg: LegShape, order: Order): TransactionSize {
  const { user, recipient, appFees, txs } = order
  const payees = BigInt(appFees.filter(({ fee }) => fee > 0n).length)
  if (payees === 0n && txs.length === 0) {
    // The request's id stands behind an ERC-20's calldata; a native payment has none.
    if (isPlain(leg)) return payment(leg.output, isNative(leg.output) ? 0n : word)
    if (leg.swap === undefined && recipient === user)
      return leg.wraps ? size(wrapGas, calldata(0n) + word) : size(unwrapGas, calldata(1n) + word)
  }
  return routed(leg, [...appFeeWorks(leg.input, payees), ...endWorks(leg.output, order)])
}

/** The user's transaction that leaves funds with the depository, after a swap where one is needed. */
export function depositTransaction(leg: LegShape, explicit: boolean): TransactionSize {
  const { output } = leg
  if (!isPlain(leg)) return routed(leg, [depositWork(output)])
  if (isNative(output))
    return explicit ? size(depositGas.native, calldata(2n)) : size(depositGas.native, word)
  return explicit
    ? size(depositGas.erc20, calldata(4n))
    : size(depositGas.transferred, calldata(2n) + word)
}

/** The solver's transaction that pays the recipient; its calldata ends with the order's id. */
export function fillTransaction(
  leg: LegShape,
  order: Pick<Order, 'txs' | 'txsGasLimit'>,
): TransactionSize {
  if (isPlain(leg) && order.txs.length === 0) return payment(leg.output, word)
  return routed(leg, endWorks(leg.output, order))
}

/** The solver's second payment, of the native currency that the recipient gets on top. */
export const topupTransaction: TransactionSize = payment(nativeAddress, word)
