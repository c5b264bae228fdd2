import { decodeFunctionData, erc20Abi, type Hex, slice, toFunctionSelector } from 'viem'
import type { LoggedBlock } from '#src/chains/chainEvent.ts'
import type { ChainTransaction } from '#src/chains/read/readTransaction.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { idOfBlock, type ObservedDeposit, type Spending, type Tracked } from './trackedLogs.ts'

const transferSelector = toFunctionSelector('transfer(address,uint256)')
/** Selector, recipient and amount, followed by the order id. */
const plainDepositBytes = 4 + 3 * 32

/**
 * Transfers to the depository that may be deposits, before their calldata is checked. Skips transactions with a deposit
 * event of the depository, so that no deposit counts twice.
 */
export function plainDepositCandidates(
  { contracts: { depository }, depositCurrencies }: Tracked,
  spent: readonly Spending[],
  deposits: readonly ObservedDeposit[],
): readonly Spending[] {
  const counted = new Set(deposits.map(({ txHash }) => txHash))
  return spent.filter(({ recipient, currency, amount, txHash }) => {
    const isOurs = recipient === depository && depositCurrencies.has(currency) && amount > 0n
    return isOurs && !counted.has(txHash)
  })
}

/** The deposit, if the transaction is a plain transfer to the depository with an order id after its arguments. */
export function plainDepositOf(
  { chainId, contracts }: Tracked,
  block: LoggedBlock,
  { currency, amount, account, txHash, logIndex }: Spending,
  { input, to, from }: ChainTransaction,
): ObservedDeposit | undefined {
  if (to !== currency || from !== account || !isPlainDeposit(input, contracts.depository))
    return undefined
  return {
    depositId: `${chainId}:${txHash}:${logIndex}`,
    chainId,
    txHash,
    block: idOfBlock(block),
    logIndex,
    timestamp: Number(block.timestamp),
    orderId: slice(input, plainDepositBytes - 32),
    depositor: account,
    currency,
    // The amount received: a fee-on-transfer token delivers less than was sent.
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
