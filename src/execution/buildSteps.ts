import { encodeFunctionData, erc20Abi, prepareEncodeFunctionData } from 'viem'
import type { Price } from '#src/pricing/price.ts'
import { type Allowance, allowanceNeeded } from './allowance.ts'
import { mainStepOf } from './mainStep.ts'
import { plainDeposit, send, unwrap, wrap } from './plainCall.ts'
import { routedDeposit, routedSwap } from './routedCall.ts'
import type { Step, StepItem, TransactionData } from './step.ts'
import type { StepContext } from './stepContext.ts'
import type { TransactionCall } from './transactionCall.ts'

const approve = prepareEncodeFunctionData({ abi: erc20Abi, functionName: 'approve' })

/** What the user's wallet does to execute `price`, in order. */
export function buildSteps(price: Price, context: StepContext): readonly Step[] {
  const needed = allowanceNeeded(price, context.contracts)
  const approvals =
    needed === undefined || context.allowance >= needed.amount ? [] : approvalCalls(needed, context)
  const items = [...approvals, mainCall(price, context)].map(
    (call, place): StepItem => ({
      status: 'incomplete',
      data: transactionOf(price, context, { ...call, isFirst: place === 0 }),
    }),
  )
  const shared = {
    action: 'Confirm transaction in your wallet',
    kind: 'transaction',
    requestId: context.requestId,
  } as const
  const main: Step = {
    ...shared,
    ...wordsOf(price),
    // Clients wait for the whole request where they find a check: no approval may carry one.
    items: items.slice(approvals.length).map((item) => ({ ...item, check: checkOf(context) })),
  }
  if (approvals.length === 0) return [main]
  return [
    {
      ...shared,
      id: 'approve',
      description: `Sign an approval for ${price.currencyIn.currency.symbol}`,
      items: items.slice(0, approvals.length),
    },
    main,
  ]
}

/** Some currencies refuse to change an allowance that is not 0 but to 0. */
function approvalCalls(
  { currency, spender, amount }: Allowance,
  { allowance, resetsAllowance }: StepContext,
): readonly TransactionCall[] {
  const amounts = resetsAllowance && allowance > 0n ? [0n, amount] : [amount]
  return amounts.map((allowed) => ({
    to: currency.address,
    data: encodeFunctionData({ ...approve, args: [spender, allowed] }),
    value: 0n,
  }))
}

function mainCall(price: Price, context: StepContext): TransactionCall {
  const { contracts, wrappedNative, requestId } = context
  const step = mainStepOf(price)
  switch (step) {
    case 'deposit':
    case 'plainDeposit':
      return plainDeposit(price, contracts.depository, orderIdIn(context))
    case 'routedDeposit':
      return routedDeposit(price, context, orderIdIn(context))
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

function orderIdIn({ orderId }: StepContext) {
  if (orderId === undefined) throw new Error('A deposit needs the id of its order')
  return orderId
}

function transactionOf(
  { order, currencyIn }: Price,
  { gas }: StepContext,
  call: TransactionCall & Readonly<{ isFirst: boolean }>,
): TransactionData {
  return {
    from: order.user,
    ...call,
    chainId: currencyIn.currency.chainId,
    // Twice the base fee outlasts five full blocks in a row, each of which raises it by an eighth.
    maxFeePerGas: 2n * gas.baseFeePerGas + gas.priorityFeePerGas,
    maxPriorityFeePerGas: gas.priorityFeePerGas,
  }
}

function wordsOf(price: Price): Pick<Step, 'id' | 'description' | 'depositAddress'> {
  const input = price.currencyIn.currency.symbol
  const output = price.currencyOut.currency.symbol
  if (price.execution === 'solver')
    return {
      id: 'deposit',
      description: `Depositing funds to the relayer to execute the swap for ${output}`,
      depositAddress: '',
    }
  if (price.operation === 'send') return { id: 'send', description: 'Send funds to the recipient' }
  return { id: 'swap', description: `Swapping ${input} for ${output}` }
}

const checkOf = ({ requestId }: StepContext) =>
  ({ endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' }) as const
