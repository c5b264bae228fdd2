import { minHopGas } from '#src/core/pools/pool.ts'
import { isOneErc20, type LegSwap } from '#src/core/pricing/leg/leg.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { FillCalls, Order, PermitKind, Tx } from '#src/core/pricing/order.ts'
import { pathGas, type Route, routeGas } from '#src/core/router/route.ts'
import { type Account, nativeAddress } from '#src/core/units/address.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { envelopeBytes, type TransactionSize } from './gas.ts'

/** The base of every transaction, by the yellow paper. */
const baseGas = 21_000n
/** Maximum gas per byte of calldata (EIP-2028). */
const gasPerByte = 16n
/** Average gas per byte of router calldata, most of which is zero: 6.4 to 6.8, measured on anvil. */
const gasPerRouterByte = 7n

const word = 32n
const padded = (bytes: bigint): bigint => ((bytes + word - 1n) / word) * word

/** Calldata of a function with `words` static arguments. */
const calldata = (words: bigint): bigint => 4n + words * word

/** One call of a multicall: its offset, target, allowFailure and value, and the offset and length of its data. */
const callBytes = (data: bigint): bigint => 6n * word + padded(data)

/** Gas (without calldata gas) and calldata bytes of one part of a transaction. */
type GasAndBytes = Readonly<{ gas: bigint; bytes: bigint }>

const byKind = (native: GasAndBytes, erc20: GasAndBytes) => (currency: Account) =>
  isNative(currency) ? native : erc20

// Gas beyond the base and the calldata: measured on anvil with our contracts and a test ERC-20, rounded up.

/** An ERC-20 transfer to an account that held none of it. */
const transferGas = 30_100n
/** A native payment by a contract to a new account. */
const nativePaymentGas = 36_600n
/** The call that checks the deadline at the start of a multicall of a user. */
const deadlineBytes = callBytes(calldata(1n))
/** `multicall` with the request id: the call, its reentrancy guard, and the return of leftovers. */
const routerWork: GasAndBytes = { gas: 7_000n, bytes: calldata(4n) + 3n * word + deadlineBytes }
/** `transferAndMulticall` of one currency: the allowance pull and the call of the router. */
const proxyWork: GasAndBytes = { gas: 34_800n, bytes: calldata(6n) + 7n * word + deadlineBytes }
/** A payment by signature in place of the allowance pull. */
const permitWork: Readonly<Record<PermitKind, GasAndBytes>> = {
  eip3009: { gas: 75_300n, bytes: calldata(14n) + 7n * word + deadlineBytes },
  permit2: { gas: 74_000n, bytes: calldata(16n) + 10n * word + deadlineBytes },
  eip2612: { gas: 107_600n, bytes: calldata(25n) + 10n * word + deadlineBytes },
}
/** `fill` with the order id: the mark of the order, the allowance pull and the call of the router. */
const fillWork = byKind(
  { gas: 43_700n, bytes: calldata(8n) + 4n * word },
  { gas: 52_500n, bytes: calldata(8n) + 6n * word },
)
/** For an account without wrapped currency: 17,100 more than measured for an account with some. */
const wrapGas = 23_900n
const unwrapGas = 13_900n
/** Wrapping and unwrapping by the router, which holds the currency within one transaction only. */
const wrapWork: GasAndBytes = { gas: 14_000n, bytes: callBytes(calldata(2n)) }
const unwrapWork: GasAndBytes = { gas: 34_000n, bytes: callBytes(calldata(1n)) }
/** A deposit, 30,200 of it for the record, into a depository that already holds some of the currency. */
const depositGas = { native: 32_300n, erc20: 56_600n, transferred: 13_000n, routedErc20: 61_700n }
/** A native deposit by the router. */
const routedNativeGas = 44_200n
/** Check of one currency for leftovers: its balance is read and is 0. */
const leftoverGas = 4_000n
/** Sweep of a deposit address that has no code yet, without the base of the transaction. */
const sweepWork = byKind(
  { gas: 111_000n, bytes: calldata(5n) },
  { gas: 143_000n, bytes: calldata(5n) },
)
/** Creation of an executor, which gets the output and returns the rest of two currencies. Without the calls. */
const executorWork: GasAndBytes = { gas: 61_100n, bytes: callBytes(calldata(10n)) }
/** Default for one destination call of an order without `txsGasLimit`: three times an ERC-20 transfer. */
const callGas = 100_000n

/**
 * An EIP-7702 authorization: its intrinsic gas (PER_EMPTY_ACCOUNT_COST) without the refund that an existing account
 * gets, and its maximum length in RLP. It is not calldata.
 */
const authorizationWork: GasAndBytes = { gas: 25_000n, bytes: 110n }

const payWork = byKind(
  { gas: nativePaymentGas, bytes: callBytes(calldata(3n)) },
  { gas: transferGas, bytes: callBytes(calldata(3n)) },
)
const depositWork = byKind(
  { gas: routedNativeGas, bytes: callBytes(calldata(4n)) },
  { gas: depositGas.routedErc20, bytes: callBytes(calldata(5n)) },
)

/** Payment of app fees: native payments one by one; of an ERC-20, one call with three arrays. */
function appFeeWorks(currency: Account, payees: bigint): readonly GasAndBytes[] {
  if (payees === 0n) return []
  return [
    isNative(currency)
      ? { gas: nativePaymentGas * payees, bytes: callBytes(calldata(2n)) * payees }
      : { gas: transferGas * payees, bytes: cleanupBytes(payees) },
  ]
}

const cleanupBytes = (payments: bigint): bigint => callBytes(calldata(6n) + 3n * payments * word)

/** The check of `currencies` for leftovers. */
const leftoversWork = (currencies: bigint): GasAndBytes => ({
  gas: leftoverGas * currencies,
  bytes: cleanupBytes(currencies),
})

/** The properties of a leg that determine the size of its transaction. */
export type LegShape = Readonly<{
  input: Account
  output: Account
  wraps: boolean
  unwraps: boolean
  /** `undefined` without a swap. */
  swap: SwapShape | undefined
}>

/** The swap of a leg with the check for leftovers. */
type SwapShape = GasAndBytes

export const shapeOf = ({ input, output, wraps, unwraps, route }: LegSwap): LegShape => ({
  input,
  output,
  wraps,
  unwraps,
  swap:
    route &&
    swapShape({
      gas: routeGas(route, { isNativeIn: isNative(input), isNativeOut: isNative(output) }),
      bytes: route.paths.reduce((sum, { hops }) => sum + pathBytes(hops.length), 0n),
      currencies: currenciesIn(route),
    }),
})

/** @param swap the gas of all hops, the bytes of all paths, and the number of input and intermediate currencies. */
function swapShape(swap: GasAndBytes & Readonly<{ currencies: bigint }>): SwapShape {
  const leftovers = leftoversWork(swap.currencies)
  return {
    gas: swap.gas + leftovers.gas,
    bytes: callBytes(calldata(3n) + swap.bytes) + leftovers.bytes,
  }
}

/** An encoded path: offset, amountIn, maxOut, offset and length of its hops, and at most 47 bytes per hop. */
const pathBytes = (hops: number): bigint => 5n * word + padded(47n * BigInt(hops))

function currenciesIn({ paths }: Route): bigint {
  const currencies = new Set<Account>()
  for (const { hops } of paths)
    for (const { pool, zeroForOne } of hops)
      currencies.add(zeroForOne ? pool.currency0 : pool.currency1)
  return BigInt(currencies.size)
}

/** The smallest possible shape of a leg between two currencies. If it swaps, its longest path has `hops` hops. */
export const minShape = (
  market: ChainMarket,
  input: Currency,
  output: Currency,
  hops = 1,
): LegShape => {
  const isSwap = !isOneErc20(market, input, output)
  // A swap in pools of the native currency needs no wrapping.
  const converts = !isSwap || !market.graph.topology.hasNative
  return {
    input: input.address,
    output: output.address,
    wraps: converts && isNative(input.address) && !isNative(output.address),
    unwraps: converts && isNative(output.address) && !isNative(input.address),
    swap: isSwap ? (minSwaps[hops] ?? minSwap(hops)) : undefined,
  }
}

const minSwap = (hops: number): SwapShape =>
  swapShape({
    gas: pathGas + BigInt(hops) * minHopGas,
    bytes: pathBytes(hops),
    currencies: BigInt(hops),
  })

/** By number of hops, because each price bounds its asset pairs by them. */
const minSwaps = Array.from({ length: 8 }, (_, hops) => minSwap(hops))

/** All destination calls of an order. All bytes of their data count as nonzero. */
export const callsWork = ({ txs, txsGasLimit }: FillCalls): GasAndBytes => ({
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

/** A plain payment of a native currency or an ERC-20, with `appended` bytes after its calldata. */
const payment = (currency: Account, appended: bigint): TransactionSize =>
  isNative(currency) ? size(0n, appended) : size(transferGas, calldata(2n) + appended)

const isPlain = ({ swap, wraps, unwraps }: LegShape): boolean =>
  swap === undefined && !wraps && !unwraps

/** A leg that the router executes for a user, with further parts of the transaction. */
function routed(
  leg: LegShape,
  others: readonly GasAndBytes[],
  permit: PermitKind | undefined,
): TransactionSize {
  if (permit !== undefined) return runOf(permitWork[permit], leg, others)
  return runOf(isNative(leg.input) ? routerWork : proxyWork, leg, others)
}

function runOf(
  start: GasAndBytes,
  { swap, wraps, unwraps }: LegShape,
  others: readonly GasAndBytes[],
): TransactionSize {
  let { gas, bytes } = start
  const add = (work: GasAndBytes): void => {
    gas += work.gas
    bytes += work.bytes
  }
  if (wraps) add(wrapWork)
  if (swap !== undefined) add(swap)
  if (unwraps) add(unwrapWork)
  others.forEach(add)
  return size(gas, bytes, gasPerRouterByte)
}

/** The payment of the recipient at the end of a leg. After destination calls, the executor makes it. */
const endWorks = (output: Account, order: FillCalls): readonly GasAndBytes[] =>
  order.txs.length === 0
    ? [payWork(output)]
    : [executorWork, callsWork(order), { gas: payWork(output).gas, bytes: 0n }]

/** The transaction of a user that swaps alone on one chain. */
export function swapTransaction(leg: LegShape, order: Order): TransactionSize {
  const { user, recipient, appFees, txs, permit } = order
  const payees = BigInt(appFees.filter(({ fee }) => fee > 0n).length)
  if (payees === 0n && txs.length === 0 && permit === undefined) {
    // The request id follows the calldata of an ERC-20 transfer; a native payment has none.
    if (isPlain(leg)) return payment(leg.output, isNative(leg.output) ? 0n : word)
    if (leg.swap === undefined && recipient === user)
      return leg.wraps ? size(wrapGas, calldata(0n) + word) : size(unwrapGas, calldata(1n) + word)
  }
  const works = [...appFeeWorks(leg.input, payees), ...endWorks(leg.output, order)]
  return routed(leg, works, permit?.kind)
}

/**
 * The deposit transaction of the user, with the swap before it if there is one.
 * @param permit present if it is paid by signature
 */
export function depositTransaction(
  leg: LegShape,
  explicit: boolean,
  permit?: PermitKind,
): TransactionSize {
  const { output } = leg
  if (permit !== undefined || !isPlain(leg)) return routed(leg, [depositWork(output)], permit)
  if (isNative(output))
    return explicit ? size(depositGas.native, calldata(2n)) : size(depositGas.native, word)
  return explicit
    ? size(depositGas.erc20, calldata(4n))
    : size(depositGas.transferred, calldata(2n) + word)
}

/** The payment of a user to a deposit address. */
export const addressPayment = (currency: Account): TransactionSize => payment(currency, 0n)

/** The first sweep of a deposit address: its clone, and the deposit. */
export const sweepTransaction = (currency: Account): TransactionSize => {
  const { gas, bytes } = sweepWork(currency)
  return size(gas, bytes, gasPerRouterByte)
}

/** The fill transaction of the solver, which pays the recipient and marks the order as filled. */
export function fillTransaction(leg: LegShape, order: FillCalls): TransactionSize {
  const { gas, bytes } = runOf(fillWork(leg.input), leg, endWorks(leg.output, order))
  const authorizations = BigInt(order.authorizationList?.length ?? 0)
  return {
    gas: gas + authorizations * authorizationWork.gas,
    bytes: bytes + authorizations * authorizationWork.bytes,
  }
}

/** The size that the gas top-up in native currency adds to a fill. */
export const topupSize: TransactionSize = (({ gas, bytes }) => ({
  gas: gas + bytes * gasPerRouterByte,
  bytes,
}))(payWork(nativeAddress))
