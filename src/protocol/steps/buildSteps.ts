import { encodeFunctionData, erc20Abi, maxUint160, prepareEncodeFunctionData } from 'viem'
import { isUnrecorded } from '#src/core/pricing/deposits/timeEstimate.ts'
import type { EvmGasMarket } from '#src/core/pricing/gas/gas.ts'
import type { Price, PricedOrigin } from '#src/core/pricing/price.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { formatUsd } from '#src/core/units/usd.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import {
  payment,
  plainDeposit,
  routedDeposit,
  routedSwap,
  send,
  unwrap,
  wrap,
} from '#src/protocol/calls/userCall.ts'
import { permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import { quotedPermits } from '#src/protocol/permits/permitCall.ts'
import {
  checkOf,
  type PermitContext,
  type Step,
  type StepContext,
  type StepItem,
  type TransactionData,
} from '#src/protocol/step.ts'
import { type SvmStepContext, svmDepositStep, withCheck } from '#src/protocol/svm/steps.ts'
import {
  type Allowance,
  depositAllowance,
  depositMethodOf,
  swapAllowance,
  swapMethodOf,
} from './allowance.ts'

const approve = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'approve' })

/** The steps with which the user's wallet executes `price`, in order. */
export function buildSteps(price: Price, context: StepContext): readonly Step[] {
  const { permit } = context
  if (permit !== undefined) return buildPermitSteps(price, context, permit)
  const [origin] = price.pricedOrigins
  const task =
    origin === undefined
      ? swapTask(price, context)
      : depositTask(origin, price.currencyOut.currency, context)
  const { approvals, main } = itemsOf(task, context)
  const approving = approvals.length === 0 ? [] : [approveStep(task, context, approvals)]
  return [...approving, mainStep(task, context, { ...main, check: checkOf(context) })]
}

/**
 * The steps of all paying accounts of one order, account by account, with one item in each step.
 * @param output the currency that the recipient gets.
 */
export function buildMultiSteps(
  output: Currency,
  deposits: readonly Readonly<{ funding: PricedOrigin; context: DepositContext }>[],
): readonly Step[] {
  return deposits.flatMap(({ funding, context }, index) => {
    const isLast = index === deposits.length - 1
    if (isSvm(context)) {
      const step = svmDepositStep(funding, output, context)
      return [isLast ? withCheck(step) : step]
    }
    const task = depositTask(funding, output, context)
    const { approvals, main } = itemsOf(task, context)
    return [
      ...approvals.map((item) => approveStep(task, context, [item])),
      mainStep(task, context, isLast ? { ...main, check: checkOf(context) } : main),
    ]
  })
}

/** Data for the steps of one account, on a chain of either virtual machine. */
type DepositContext = StepContext | SvmStepContext

const isSvm = (context: DepositContext): context is SvmStepContext => 'program' in context

/** The transaction of one account on one chain, with the allowance that it requires. */
type Task = Readonly<{
  user: Address
  /** The currency that the account pays. */
  currency: Currency
  allowance: Allowance | undefined
  call: TransactionCall
  stepFields: Pick<Step, 'id' | 'description' | 'depositAddress'>
}>

const depositTask = (origin: PricedOrigin, output: Currency, context: StepContext): Task => ({
  user: evmAddress(origin.user),
  currency: origin.leg.input.currency,
  allowance: depositAllowance(origin, context.contracts),
  call: depositCall(origin, context),
  stepFields: {
    id: 'deposit',
    description: `Depositing funds to the relayer to execute the swap for ${output.symbol}${plainTransferNote(origin, context)}`,
    depositAddress: context.depositAddress ?? '',
  },
})

/** A warning about the limits of a plain ERC-20 transfer. Empty for other deposits. */
function plainTransferNote(
  { leg: { input, output }, explicitDeposit }: PricedOrigin,
  { unrecordedLimitUsd }: Pick<StepContext, 'unrecordedLimitUsd'>,
): string {
  if (!isUnrecorded([input.currency, output.currency], explicitDeposit)) return ''
  const limit = `$${formatUsd(unrecordedLimitUsd).replace(/\.?0+$/, '')}`
  return `. This is a plain transfer: the depository keeps no record of it, so you cannot take it back yourself if it is neither filled nor refunded. If it is worth more than ${limit}, it is refunded`
}

const swapTask = (price: Price, context: StepContext): Task => ({
  user: evmAddress(price.order.user),
  currency: price.currencyIn.currency,
  allowance: swapAllowance(price, context.contracts),
  call: swapCall(price, context),
  stepFields: swapStepFields(price),
})

function depositCall(origin: PricedOrigin, context: StepContext): TransactionCall {
  const { contracts, orderId } = context
  if (orderId === undefined) throw new Error('A deposit needs an order id')
  switch (depositMethodOf(origin)) {
    case 'deposit':
    case 'plainDeposit':
      return plainDeposit(origin, contracts.depository, orderId)
    case 'routedDeposit':
      return routedDeposit(origin, context, orderId)
    case 'addressPayment':
      return addressPayment(origin, context)
  }
}

function addressPayment(
  { leg: { input } }: PricedOrigin,
  { depositAddress: to }: StepContext,
): TransactionCall {
  if (to === undefined) throw new Error('The price pays a deposit address, and there is none')
  return payment(evmAddress(input.currency.address), { to, amount: input.amount })
}

function swapCall(price: Price, context: StepContext): TransactionCall {
  const { wrappedNative, requestId } = context
  switch (swapMethodOf(price)) {
    case 'routedSwap':
      return routedSwap(price, context)
    case 'wrap':
      return wrap(price, wrappedNative, requestId)
    case 'unwrap':
      return unwrap(price, wrappedNative, requestId)
    case 'send':
      return send(price, requestId)
  }
}

function swapStepFields({ operation, currencyIn, currencyOut }: Price): Task['stepFields'] {
  if (operation === 'send') return { id: 'send', description: 'Send funds to the recipient' }
  const [input, output] = [currencyIn.currency.symbol, currencyOut.currency.symbol]
  return { id: 'swap', description: `Swapping ${input} for ${output}` }
}

function itemsOf(
  task: Task,
  context: StepContext,
): Readonly<{ approvals: readonly StepItem[]; main: StepItem }> {
  const calls = approvalCalls(task, context)
  return {
    approvals: calls.map((call, index) => {
      const place = { isFirst: index === 0, leastGas: context.leastGas?.approval }
      return itemOf(task, context, call, place)
    }),
    main: itemOf(task, context, task.call, {
      isFirst: calls.length === 0,
      leastGas: context.leastGas?.main,
    }),
  }
}

/**
 * The signature steps for `price`. An approval step precedes them if the user has not approved Permit2 for the
 * currency.
 */
function buildPermitSteps(
  price: Price,
  context: StepContext,
  permit: PermitContext,
): readonly Step[] {
  const { currency, amount } = price.pricedOrigins[0]?.leg.input ?? price.currencyIn
  const task = { user: evmAddress(price.order.user), currency }
  const isApproved =
    permit.kind === 'eip3009' || permit.allowanceNonce !== undefined || context.allowance >= amount
  const approvals = isApproved ? [] : approvalsTo(currency, context, permit2Address, maxUint160)
  const approving = approveStep(
    task,
    context,
    approvals.map((call, at) => {
      const place = { isFirst: at === 0, leastGas: context.leastGas?.approval }
      return itemOf(task, context, call, place)
    }),
  )
  const description = `Sign a one-time approval for ${currency.symbol} on permit2`
  return [
    ...(isApproved ? [] : [{ ...approving, description }]),
    ...signatureSteps(price, context, permit),
  ]
}

/** No calls if the current allowance suffices. Two calls if the currency needs a reset: to 0, then to the amount. */
function approvalCalls(
  { allowance: required }: Task,
  context: StepContext,
): readonly TransactionCall[] {
  if (required === undefined || context.allowance >= required.amount) return []
  return approvalsTo(required.currency, context, required.spender, required.amount)
}

function approvalsTo(
  currency: Currency,
  { allowance, resetsAllowance }: Pick<StepContext, 'allowance' | 'resetsAllowance'>,
  spender: Address,
  amount: bigint,
): readonly TransactionCall[] {
  const amounts = resetsAllowance && allowance > 0n ? [0n, amount] : [amount]
  return amounts.map((allowed) => ({
    to: evmAddress(currency.address),
    data: encodeFunctionData({ ...approve, args: [spender, allowed] }),
    value: 0n,
  }))
}

function itemOf(
  { user, currency }: Pick<Task, 'user' | 'currency'>,
  { gas }: StepContext,
  call: TransactionCall,
  { isFirst, leastGas }: Readonly<{ isFirst: boolean; leastGas: bigint | undefined }>,
): StepItem {
  const data: TransactionData = {
    from: user,
    ...call,
    isFirst,
    ...(leastGas !== undefined && { leastGas }),
    chainId: currency.chainId,
    ...feesOf(gas),
  }
  return { status: 'incomplete', data }
}

/**
 * Fees in wei per gas for a quick inclusion. A full block raises the base fee by an eighth, so that twice the base fee
 * covers five full blocks in a row.
 */
export const feesOf = ({
  baseFeePerGas,
  priorityFeePerGas,
}: Pick<EvmGasMarket, 'baseFeePerGas' | 'priorityFeePerGas'>): Pick<
  TransactionData,
  'maxFeePerGas' | 'maxPriorityFeePerGas'
> => ({
  maxFeePerGas: 2n * baseFeePerGas + priorityFeePerGas,
  maxPriorityFeePerGas: priorityFeePerGas,
})

const sharedFields = {
  action: 'Confirm transaction in your wallet',
  kind: 'transaction',
} as const

// Clients wait for the end of the request at an item with a `check`, so approvals must not carry one.
const approveStep = (
  { currency }: Pick<Task, 'currency'>,
  { requestId }: StepContext,
  items: readonly StepItem[],
): Step => ({
  ...sharedFields,
  requestId,
  id: 'approve',
  description: `Sign an approval for ${currency.symbol}`,
  items,
})

const mainStep = ({ stepFields }: Task, { requestId }: StepContext, item: StepItem): Step => ({
  ...sharedFields,
  requestId,
  ...stepFields,
  items: [item],
})

/**
 * The steps of a payment by signature: `authorize1` for a deposit, and `authorize2` for a swap on one chain. If Permit2
 * first needs an allowance by signature, the allowance is `authorize1`, and the payment is `authorize2`. Only the last
 * item has a `check`, because clients wait there for the end of the request.
 */
function signatureSteps(price: Price, context: StepContext, terms: PermitContext): readonly Step[] {
  const permits = quotedPermits(price, context, terms)
  const { requestId } = context
  const [input, output] = [price.currencyIn.currency.symbol, price.currencyOut.currency.symbol]
  const swap: Place = {
    id: 'authorize1',
    description: `Sign to approve swap of ${input} for ${output}`,
  }
  const transfer: Place = { id: 'authorize2', description: `Sign to approve transfer of ${input}` }
  const isDeposit = permits.some(({ api }) => api === 'swap')
  const places = permits.length > 1 || isDeposit ? [swap, transfer] : [transfer]
  return permits.map((signature, at) => ({
    ...(places[at] ?? transfer),
    action: 'Sign authorization',
    kind: 'signature',
    requestId,
    items: [],
    signature: at === permits.length - 1 ? { ...signature, check: checkOf(context) } : signature,
  }))
}

type Place = Pick<Step, 'id' | 'description'>
