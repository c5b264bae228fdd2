import { decodeFunctionData, erc20Abi, type Hex, slice, toFunctionSelector } from 'viem'
import type { ChainTransaction } from '#src/chains/readTransaction.ts'
import { toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import {
  type DepositSighting,
  idOfBlock,
  type LoggedBlock,
  type Spending,
  type Tracked,
} from './trackedLogs.ts'

const transferSelector = toFunctionSelector('transfer(address,uint256)')
/** Selector, recipient, amount, and the order's id after them. */
const plainDepositBytes = 4 + 3 * 32

/**
 * Transfers to the depository that may be deposits, if their transactions say so. None where the depository
 * tells of a deposit in the same transaction: it would count twice.
 */
export function plainDepositCandidates(
  { contracts: { depository }, depositCurrencies }: Tracked,
  spent: readonly Spending[],
  told: readonly DepositSighting[],
): readonly Spending[] {
  const counted = new Set(told.map(({ txHash }) => txHash))
  return spent.filter(({ recipient, currency, amount, txHash }) => {
    const isOurs = recipient === depository && depositCurrencies.has(currency) && amount > 0n
    return isOurs && !counted.has(txHash)
  })
}

/** The deposit that a candidate is, where its transaction is a transfer with an order's id behind it. */
export function plainDepositOf(
  { chainId, contracts }: Tracked,
  block: LoggedBlock,
  { currency, amount, account, txHash }: Spending,
  { input, to, from }: ChainTransaction,
): DepositSighting | undefined {
  if (to !== currency || from !== account || !isPlainDeposit(input, contracts.depository))
    return undefined
  return {
    depositId: `${chainId}:${txHash}:0`,
    chainId,
    txHash,
    block: idOfBlock(block),
    timestamp: Number(block.timestamp),
    orderId: slice(input, plainDepositBytes - 32),
    depositor: account,
    currency,
    // What arrived: a currency may keep some of what was sent.
    amount: toAmount(amount),
  }
}

function isPlainDeposit(input: Hex, depository: string): boolean {
  if (input.length !== 2 + 2 * plainDepositBytes || !input.startsWith(transferSelector))
    return false
  try {
    const { args } = decodeFunctionData({ abi: erc20Abi, data: input })
    return toAddress(String(args?.[0])) === depository
  } catch {
    return false
  }
}
