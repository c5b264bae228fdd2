import { encodeFunctionData, erc20Abi, prepareEncodeFunctionData } from 'viem'
import { plainDeposit, send, unwrap, wrap } from '#src/execution/calls/plainCall.ts'
import { routedDeposit, routedSwap } from '#src/execution/calls/routedCall.ts'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Funding, Price } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import type { Currency } from '#src/units/currency.ts'
import { type Allowance, depositAllowance, swapAllowance } from './allowance.ts'
import { depositStepOf, swapStepOf } from './executionMethod.ts'
import type { Step, StepItem, TransactionData } from './step.ts'
import type { StepContext } from './stepContext.ts'

const approve = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'approve' })

/** What the user's wallet does to execute `price`, in order. */
export function buildSteps(price: Price, context: StepContext): readonly Step[] {
  const [funding] = price.fundings
  const task =
    funding === undefined
      ? swapTask(price, context)
      : depositTask(funding, price.currencyOut.currency, context)
  const { approvals, main } = itemsOf(task, context)
  const approving = approvals.length === 0 ? [] : [approveStep(task, context, approvals)]
  return [...approving, mainStep(task, context, { ...main, check: checkOf(context) })]
}

/**
 * What the wallets of all who pay for one order do, in order: the steps of each after those of the one before,
 * with one item in every step.
 */
export function buildMultiSteps(
  output: Currency,
  deposits: readonly Readonly<{ funding: Funding; context: StepContext }>[],
): readonly Step[] {
  return deposits.flatMap(({ funding, context }, place) => {
    const task = depositTask(funding, output, context)
    const { approvals, main } = itemsOf(task, context)
    const isLast = place === deposits.length - 1
    return [
      ...approvals.map((item) => approveStep(task, context, [item])),
      mainStep(task, context, isLast ? { ...main, check: checkOf(context) } : main),
    ]
  })
}

/** What one account does on one chain. */
type Task = Readonly<{
  user: Address
  /** What it pays. */
  currency: Currency
  /** What `call` takes all of. */
  allowance: Allowance | undefined
  call: TransactionCall
  words: Pick<Step, 'id' | 'description' | 'depositAddress'>
}>

const depositTask = (funding: Funding, output: Currency, context: StepContext): Task => ({
  user: funding.user,
  currency: funding.leg.input.currency,
  allowance: depositAllowance(funding, context.contracts),
  call: depositCall(funding, context),
  words: {
    id: 'deposit',
    description: `Depositing funds to the relayer to execute the swap for ${output.symbol}`,
    depositAddress: '',
  },
})

const swapTask = (price: Price, context: StepContext): Task => ({
  user: price.order.user,
  currency: price.currencyIn.currency,
  allowance: swapAllowance(price, context.contracts),
  call: swapCall(price, context),
  words: swapWords(price),
})

function depositCall(funding: Funding, context: StepContext): TransactionCall {
  const { contracts, orderId } = context
  if (orderId === undefined) throw new Error('A deposit needs the id of its order')
  switch (depositStepOf(funding)) {
    case 'deposit':
    case 'plainDeposit':
      return plainDeposit(funding, contracts.depository, orderId)
    case 'routedDeposit':
      return routedDeposit(funding, context, orderId)
  }
}

function swapCall(price: Price, context: StepContext): TransactionCall {
  const { wrappedNative, requestId } = context
  switch (swapStepOf(price)) {
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

function swapWords({ operation, currencyIn, currencyOut }: Price): Task['words'] {
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
    approvals: calls.map((call, place) => itemOf(task, context, call, place === 0)),
    main: itemOf(task, context, task.call, calls.length === 0),
  }
}

/** Some currencies refuse to change an allowance that is not 0 but to 0. */
function approvalCalls(
  { allowance: needed }: Task,
  { allowance, resetsAllowance }: StepContext,
): readonly TransactionCall[] {
  if (needed === undefined || allowance >= needed.amount) return []
  const { currency, spender, amount } = needed
  const amounts = resetsAllowance && allowance > 0n ? [0n, amount] : [amount]
  return amounts.map((allowed) => ({
    to: currency.address,
    data: encodeFunctionData({ ...approve, args: [spender, allowed] }),
    value: 0n,
  }))
}

function itemOf(
  { user, currency }: Task,
  { gas }: StepContext,
  call: TransactionCall,
  isFirst: boolean,
): StepItem {
  const data: TransactionData = {
    from: user,
    ...call,
    isFirst,
    chainId: currency.chainId,
    // Twice the base fee outlasts five full blocks in a row, each of which raises it by an eighth.
    maxFeePerGas: 2n * gas.baseFeePerGas + gas.priorityFeePerGas,
    maxPriorityFeePerGas: gas.priorityFeePerGas,
  }
  return { status: 'incomplete', data }
}

const sharedWords = {
  action: 'Confirm transaction in your wallet',
  kind: 'transaction',
} as const

// Clients wait for the whole request where they find a check: no approval may carry one.
const approveStep = (
  { currency }: Task,
  { requestId }: StepContext,
  items: readonly StepItem[],
): Step => ({
  ...sharedWords,
  requestId,
  id: 'approve',
  description: `Sign an approval for ${currency.symbol}`,
  items,
})

const mainStep = ({ words }: Task, { requestId }: StepContext, item: StepItem): Step => ({
  ...sharedWords,
  requestId,
  ...words,
  items: [item],
})

const checkOf = ({ requestId }: StepContext) =>
  ({ endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' }) as const
