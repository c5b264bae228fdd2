import { parseEventLogs, parseTransaction, toEventSelector } from 'viem'
import type { Receipt } from '#src/chains/read/readTransaction.ts'
import { type Address, evmAddress, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { decodeFill } from '#src/protocol/calls/fillCall.ts'
import { decodePayout } from '#src/protocol/calls/payout.ts'
import { decodeFees, mayExecute } from '#src/protocol/calls/routerCalls.ts'
import { decodeRouterCalls } from '#src/protocol/calls/transactionCall.ts'
import { executorAddress } from '#src/protocol/calls/txSimulation.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { DepositPayment } from '#src/requests/state/deposit.ts'
import type { Payment, StoredRequest } from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { mainData } from './stepTransaction.ts'
import { failedPayments, type Spending, spendings, type Tracked } from './trackedLogs.ts'

type Logged = Pick<Receipt, 'hash' | 'logs'>
type On = Pick<Tracked, 'chainId' | 'contracts' | 'wrappedNative'>

/** The payer of a transaction's output, with the executors that it may pay through. */
type Payer = Readonly<{ account: Address; executors: readonly Address[] }>

/**
 * What a fill paid the recipient by the logs of the currency itself; undefined if they do not show it. The logs may lie:
 * the caller compares the result with balances.
 */
export function fillPayment(
  on: On,
  request: StoredRequest,
  { attempts }: SolverTransaction,
  receipt: Logged,
): Payment | undefined {
  const attempt = attempts.find(({ hash }) => hash === receipt.hash)
  if (attempt === undefined || !isSolverRequest(request)) return undefined
  const { router } = on.contracts
  const { data = '0x', value = 0n } = parseTransaction(attempt.raw)
  const { identity, topup } = decodeFill(data)
  const executors = [executorAddress(router, identity, request.orderId)]
  const given = { value: value - topup, hasCalls: mayExecute(data) }
  const paid = outputOf(on, request, receipt, { account: router, executors }, given)
  return paid && { ...paid, ...(topup > 0n && { topup: toAmount(topup) }) }
}

/** What a user's own swap paid the recipient, by the same rules; undefined if the chain does not show it. */
export function swapPayment(on: On, request: StoredRequest, receipt: Logged): Payment | undefined {
  const { originCurrency, destinationCurrency } = request
  const [user, recipient, output] = [
    evmAddress(request.user),
    evmAddress(request.recipient),
    evmAddress(destinationCurrency),
  ]
  const { router, approvalProxy } = on.contracts
  const item = mainData(request)
  const permit = request.steps.at(-1)?.signature?.permit
  if (item === undefined || item.to === router || item.to === approvalProxy) {
    const owners = permit === undefined || permit.kind === 'eip2612' ? [user] : [permit.run.relayer]
    const executors = owners.map((owner) => executorAddress(router, owner, request.requestId))
    const calls = permit === undefined || permit.kind === 'eip2612' ? [] : permit.run.calls
    const hasCalls = [item?.data ?? '0x', ...calls.map(({ callData }) => callData)].some(mayExecute)
    const fees = originCurrency === nativeAddress ? sumOf(swapAppFees(request)) : 0n
    const given = { value: (item?.value ?? 0n) - fees, hasCalls }
    return outputOf(on, request, receipt, { account: router, executors }, given)
  }
  const isSend = originCurrency === destinationCurrency
  const sent = isSend && item.to === recipient ? item.value : 0n
  const payer = { account: user, executors: [] }
  if (isSend || destinationCurrency === nativeAddress)
    return outputOf(on, request, receipt, payer, { value: sent, hasCalls: false })
  const [wrapped, ...others] = spendings(on, receipt).filter(
    ({ account, currency }) => account === user && currency === nativeAddress,
  )
  // With several of them the transaction also did something else.
  return wrapped === undefined || others.length > 0
    ? undefined
    : { recipient, currency: output, amount: toAmount(wrapped.amount) }
}

/** The app fees that a user's own swap paid out of its input. Each is exact, or the swap would have reverted. */
export function swapAppFees(request: StoredRequest): readonly DepositPayment[] {
  const permit = request.steps.at(-1)?.signature?.permit
  const calls =
    permit === undefined || permit.kind === 'eip2612'
      ? decodeRouterCalls(mainData(request)?.data ?? '0x')
      : permit.run.calls.map(({ callData }) => callData)
  return calls
    .flatMap(decodeFees)
    .flatMap(({ currency, recipient, amount }) =>
      currency === request.originCurrency && amount > 0n
        ? [{ recipient, amount: toAmount(amount) }]
        : [],
    )
}

/** The output that `payer` paid. `value`: the native currency that it had from the transaction itself. */
function outputOf(
  on: On,
  request: StoredRequest,
  receipt: Logged,
  payer: Payer,
  { value, hasCalls }: Readonly<{ value: bigint; hasCalls: boolean }>,
): Payment | undefined {
  const [recipient, currency] = [
    evmAddress(request.recipient),
    evmAddress(request.destinationCurrency),
  ]
  const moved = spendings(on, receipt)
  const isShown = currency !== nativeAddress || !(hasCalls || managedSwaps(on, receipt).length > 0)
  if (!isShown) return undefined
  const amount =
    currency === nativeAddress
      ? nativeOutput(on, moved, { account: payer.account, value })
      : erc20Output(moved, { recipient, currency, payer })
  return amount === undefined ? undefined : { recipient, currency, amount }
}

/**
 * Transfers to the recipient, minus what it sent back. Undefined unless the payer made one payment: with several the
 * transaction also did something else.
 */
function erc20Output(
  moved: readonly Spending[],
  { recipient, currency, payer }: Readonly<{ recipient: Address; currency: Address; payer: Payer }>,
): Amount | undefined {
  const own = moved.filter((each) => each.currency === currency)
  const between = (from: Address, to: Address) =>
    own.filter(({ account, recipient: taker }) => account === from && taker === to)
  const takers = [...new Set([recipient, ...payer.executors])]
  if (takers.flatMap((taker) => between(payer.account, taker)).length !== 1) return undefined
  const total = [payer.account, ...payer.executors].reduce(
    (sum, from) => sum + sumOf(between(from, recipient)) - sumOf(between(recipient, from)),
    0n,
  )
  return toAmount(total > 0n ? total : 0n)
}

/**
 * The native currency that came with the transaction, and what the payer unwrapped, minus what it wrapped. Undefined if
 * it unwrapped more than once, as above.
 */
function nativeOutput(
  { wrappedNative }: On,
  moved: readonly Spending[],
  { account, value }: Readonly<{ account: Address; value: bigint }>,
): Amount | undefined {
  const own = moved.filter((each) => each.account === account)
  const unwrapped = own.filter(
    ({ currency, recipient }) => currency === wrappedNative && recipient === undefined,
  )
  if (unwrapped.length > 1) return undefined
  const wrapped = own.filter(({ currency }) => currency === nativeAddress)
  const total = value + sumOf(unwrapped) - sumOf(wrapped)
  return total > 0n ? toAmount(total) : undefined
}

const poolManagerSwap = toEventSelector(
  'Swap(bytes32,address,int128,int128,uint160,uint128,int24,uint24)',
)

/** The logs of the router's swaps in Uniswap v4. Native currency that such a swap moves has no log of its own. */
export const managedSwaps = (
  { contracts: { router } }: Pick<On, 'contracts'>,
  { logs }: Pick<Logged, 'logs'>,
): Logged['logs'] =>
  logs.filter(
    ({ topics: [topic, , sender] }) =>
      topic === poolManagerSwap && sender?.toLowerCase().endsWith(router.slice(2)),
  )

const sumOf = (amounts: readonly Readonly<{ amount: bigint }>[]): bigint =>
  amounts.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * What the depository paid out of deposits in a transaction, by the deposits' ids: refunds and app fees, without failed
 * payments and those to the solver. The solver's own transaction also shows what its logs do not.
 */
export function depositPayments(
  { chainId, contracts }: Pick<On, 'chainId' | 'contracts'>,
  receipt: Logged,
  transaction?: SolverTransaction,
): ReadonlyMap<string, readonly DepositPayment[]> {
  const attempt = transaction?.attempts.find(({ hash }) => hash === receipt.hash)
  const decoded = attempt ? decodePayout(parseTransaction(attempt.raw).data ?? '0x') : []
  const planned = new Map(decoded.map(({ id, payments }) => [id, payments]))
  const failed = failedPayments({ chainId, contracts }, receipt).get(receipt.hash) ?? []
  const events = parseEventLogs({
    abi: depositoryArtifact.abi,
    eventName: ['DepositRefunded', 'DepositExited', 'DepositSettled', 'UnrecordedPaid'],
    logs: receipt.logs.filter(({ address }) => address === contracts.depository),
  })
  const paid = new Map<string, readonly DepositPayment[]>()
  for (const { eventName, args } of events) {
    const id = 'depositId' in args ? args.depositId : `${args.txHash}:${args.logIndex}`
    const isRefund = eventName === 'DepositRefunded' || eventName === 'DepositExited'
    const all = isRefund ? [args] : planned.get(id)
    if (all === undefined) continue
    // The rest of a plain transfer goes to the solver.
    const isRest = eventName === 'UnrecordedPaid' && transaction?.purpose === 'settlement'
    const depositId = `${chainId}:${id}`
    const others = failed.filter((each) => each.depositId === depositId)
    const payments = (isRest ? all.slice(0, -1) : all).map(({ recipient, amount }) => ({
      recipient: toAddress(recipient),
      amount: toAmount(amount),
    }))
    paid.set(depositId, withoutFailed(payments, others))
  }
  return paid
}

/** Leaves out one payment for each failed one. */
function withoutFailed(
  payments: readonly DepositPayment[],
  failed: readonly DepositPayment[],
): readonly DepositPayment[] {
  const left = [...failed]
  return payments.filter(({ recipient, amount }) => {
    const at = left.findIndex((each) => each.recipient === recipient && each.amount === amount)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
