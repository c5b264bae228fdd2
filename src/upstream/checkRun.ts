import { decodeFunctionData, type Hex } from 'viem'
import { router } from '#src/protocol/contracts/artifacts/router.ts'
import type { Asked } from './asked.ts'
import { refuseAnswer } from './upstreamClient.ts'

/** The calls of a router. The router holds the input while they run. */
export type Run = Readonly<{
  calls: readonly Readonly<{
    target: string
    allowFailure: boolean
    value: bigint
    callData: Hex
  }>[]
  /** These accounts get the rest of the router's balance. */
  refundTo: string
  nftRecipient: string
  asked: Asked
  contracts: ReadonlySet<string>
  /** The required end of the run. Its minimum limits the losses of earlier calls. */
  end:
    | Readonly<{ kind: 'deposit'; orderId: Hex; currency: string; minimum: bigint }>
    | Readonly<{ kind: 'payment'; minimum: bigint }>
}>

/**
 * Refuses a run of a router unless each call uses a known function of a configured contract, and the run ends with the
 * deposit or payment of at least the minimum. The whole run then reverts if earlier calls lose more.
 * @throws UpstreamAnswerError
 */
export function checkRun(run: Run): void {
  const { asked, calls, contracts } = run
  const payees: ReadonlySet<string> = new Set([
    ...[asked.user, asked.recipient, asked.refundTo],
    ...(asked.appFees ?? []).map(({ recipient }) => recipient),
  ])
  for (const account of [run.refundTo, run.nftRecipient])
    if (!payees.has(account.toLowerCase()))
      refuseAnswer('the rest of the swap goes to another account')
  let ends = 0
  for (const { target, allowFailure, value, callData } of calls) {
    if (!contracts.has(target.toLowerCase()))
      refuseAnswer('a call targets a contract that is not configured')
    if (allowFailure || value !== 0n) refuseAnswer('a call may fail, or sends native currency')
    if (checkCall(callData, run, payees)) ends += 1
  }
  if (ends !== 1) refuseAnswer('the swap does not end with one payment')
}

/** Returns whether the call is the end of the run. */
function checkCall(callData: Hex, { asked, end }: Run, payees: ReadonlySet<string>): boolean {
  const call = decode(callData)
  switch (call.functionName) {
    case 'requireBefore':
    case 'swap':
    case 'wrap':
    case 'unwrap':
      return false
    case 'cleanupErc20s':
      return checkPayees(call.args[1], payees)
    case 'cleanupNative':
      return checkPayees([call.args[1]], payees)
    case 'pay': {
      const [currency, recipient, minimum] = call.args
      checkPayment(end, asked, { currency, recipient, minimum })
      return true
    }
    case 'depositNative': {
      const [depositor, id, minimum] = call.args
      checkDeposit(end, asked, { depositor, id, minimum, currency: undefined })
      return true
    }
    case 'depositErc20': {
      const [depositor, currency, id, minimum] = call.args
      checkDeposit(end, asked, { depositor, id, minimum, currency: currency.toLowerCase() })
      return true
    }
    default:
      return refuseAnswer('a call uses an unknown function')
  }
}

function checkPayees(recipients: readonly string[], payees: ReadonlySet<string>): false {
  if (recipients.some((each) => !payees.has(each.toLowerCase())))
    refuseAnswer('a call pays another account')
  return false
}

type Payment = Readonly<{ currency: string; recipient: string; minimum: bigint }>

function checkPayment(end: Run['end'], asked: Asked, payment: Payment): void {
  const isOurs =
    end.kind === 'payment' &&
    payment.recipient.toLowerCase() === asked.recipient &&
    payment.currency.toLowerCase() === asked.destinationCurrency
  if (!isOurs || payment.minimum < end.minimum)
    refuseAnswer('the swap pays another account or currency, or too little')
}

type Deposit = Readonly<{
  depositor: string
  id: Hex
  minimum: bigint
  /** `undefined` for the native currency. */
  currency: string | undefined
}>

const zero = '0x0000000000000000000000000000000000000000'

function checkDeposit(end: Run['end'], asked: Asked, deposit: Deposit): void {
  const isOurs =
    end.kind === 'deposit' &&
    deposit.id === end.orderId &&
    deposit.depositor.toLowerCase() === asked.user &&
    (deposit.currency ?? zero) === end.currency
  if (!isOurs || deposit.minimum < end.minimum)
    refuseAnswer('the swap deposits for another order or account, or too little')
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: router.abi, data })
  } catch {
    return refuseAnswer('a call uses an unknown function')
  }
}
