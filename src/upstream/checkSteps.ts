import { decodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { isNative } from '#src/core/units/currency.ts'
import type { AnsweredStep } from './answerSchemas.ts'
import type { Asked } from './asked.ts'
import { checkRun, type Run } from './checkRun.ts'
import { refuseAnswer } from './upstreamClient.ts'

/** The terms that the steps of another service must meet. */
export type StepTerms = Readonly<{
  asked: Asked
  /** Amount that the user pays, in the smallest unit. */
  amountIn: bigint
  /** The service's contracts on the origin chain. */
  contracts: ReadonlySet<string>
  /** The required end of the main step: a deposit for the order, or a payment to the recipient. */
  end: Run['end']
}>

type Item = AnsweredStep['items'][number]['data']

/** Gas limits of a transaction that a wallet is asked to send: 5,000,000 gas, 10,000 gwei, and a tip of 500 gwei. */
const maxGas = 5_000_000n
const maxFee = 10_000_000_000_000n
const maxTip = 500_000_000_000n

/** The function that deposits a whole allowance is missing: a user may have approved more than the input before. */
const depositoryAbi = parseAbi([
  'function depositNative(address depositor, bytes32 id) payable',
  'function depositErc20(address depositor, address token, uint256 amount, bytes32 id)',
])

const routerAbi = parseAbi([
  'struct Call { address target; bool allowFailure; uint256 value; bytes callData; }',
  'function multicall(Call[] calls, address refundTo, address nftRecipient, bytes metadata) payable',
  'function transferAndMulticall(address[] tokens, uint256[] amounts, Call[] calls, address refundTo, address nftRecipient, bytes metadata)',
])

const mainAbi = [...depositoryAbi, ...routerAbi]

/**
 * Refuses steps that a user must not sign. Allowed are approvals of the exact input for a configured contract, and then
 * one deposit or swap of the input that ends with `end`, sent by the user on the origin chain.
 * @throws UpstreamAnswerError
 */
export function checkSteps(steps: readonly AnsweredStep[], terms: StepTerms): void {
  const main = steps.at(-1)
  const [item] = main?.items ?? []
  if (main === undefined || item === undefined || main.items.length !== 1 || main.id === 'approve')
    refuseAnswer('the last step is not one transaction that pays')
  if (main.id !== (terms.end.kind === 'deposit' ? 'deposit' : 'swap'))
    refuseAnswer('the last step does not fit the order')
  const before = steps.slice(0, -1)
  if (before.some(({ id }) => id !== 'approve'))
    refuseAnswer('a step before the last one is not an approval')
  for (const { data } of before.flatMap(({ items }) => items)) checkApproval(data, terms)
  checkMain(item.data, terms)
}

function checkTransaction(data: Item, { asked }: StepTerms): void {
  if (data.from !== asked.user) refuseAnswer('a step is not sent by the user')
  if (data.chainId !== asked.originChainId) refuseAnswer('a step is on another chain')
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = data
  if ((gas ?? 0n) > maxGas || maxFeePerGas > maxFee || maxPriorityFeePerGas > maxTip)
    refuseAnswer('a step pays too much for gas')
}

function checkApproval(data: Item, terms: StepTerms): void {
  checkTransaction(data, terms)
  const { asked, amountIn, contracts } = terms
  if (isNative(asked.originCurrency) || data.to !== asked.originCurrency || data.value !== 0n)
    refuseAnswer('an approval is not for the input')
  const { functionName, args } = decode(erc20Abi, data.data)
  if (functionName !== 'approve') refuseAnswer('a step calls an unknown function')
  const [spender, amount] = args
  if (!contracts.has(spender.toLowerCase())) refuseAnswer('a spender is not configured')
  // 0 resets the allowance, for currencies that need that.
  if (amount !== 0n && amount !== amountIn) refuseAnswer('an approval is not for the exact input')
}

function checkMain(data: Item, terms: StepTerms): void {
  checkTransaction(data, terms)
  const { asked, amountIn, contracts, end } = terms
  if (!contracts.has(data.to)) refuseAnswer('a step calls a contract that is not configured')
  const paysNative = isNative(asked.originCurrency)
  if (data.value !== (paysNative ? amountIn : 0n)) refuseAnswer('a step sends another native value')
  const call = decode(mainAbi, data.data)
  switch (call.functionName) {
    case 'depositNative': {
      const [depositor, id] = call.args
      if (!paysNative) refuseAnswer('the deposit is of another currency')
      checkDeposit(depositor, id, terms)
      break
    }
    case 'depositErc20': {
      const [depositor, token, amount, id] = call.args
      if (paysNative || token.toLowerCase() !== asked.originCurrency || amount !== amountIn)
        refuseAnswer('the deposit is of another currency or amount')
      checkDeposit(depositor, id, terms)
      break
    }
    case 'multicall': {
      const [calls, refundTo, nftRecipient] = call.args
      if (!paysNative) refuseAnswer('the swap is of another currency')
      checkRun({ calls, refundTo, nftRecipient, asked, contracts, end })
      break
    }
    case 'transferAndMulticall': {
      const [tokens, amounts, calls, refundTo, nftRecipient] = call.args
      const isInput = tokens.length === 1 && tokens[0]?.toLowerCase() === asked.originCurrency
      if (paysNative || !isInput || amounts.length !== 1 || amounts[0] !== amountIn)
        refuseAnswer('the swap is of another currency or amount')
      checkRun({ calls, refundTo, nftRecipient, asked, contracts, end })
      break
    }
  }
}

function checkDeposit(depositor: string, id: Hex, { asked, end }: StepTerms): void {
  if (end.kind !== 'deposit' || id !== end.orderId) refuseAnswer('the deposit is for another order')
  if (depositor.toLowerCase() !== asked.user) refuseAnswer('the deposit is for another account')
}

/** Decodes a call of a known function. Bytes after its arguments are ignored. */
function decode<const Abi extends readonly unknown[]>(abi: Abi, data: Hex) {
  try {
    return decodeFunctionData({ abi: abi as Abi, data })
  } catch {
    return refuseAnswer('a step calls an unknown function')
  }
}
