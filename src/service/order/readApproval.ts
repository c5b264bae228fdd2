import { encodeFunctionData, erc20Abi } from 'viem'
import type { PricedBlock } from '#src/core/pricing/price.ts'
import type { Address } from '#src/core/units/address.ts'
import type { TransactionTrials } from '#src/market/reads/transactionSimulator.ts'
import type { Allowance } from '#src/protocol/steps/allowance.ts'
import type { StepContext } from '#src/protocol/steps/step.ts'
import type { Loaders } from '#src/service/operations.ts'

type Spending = Readonly<{
  account: Address
  /** `undefined` if no allowance is needed. */
  needed: Allowance | undefined
  blockHash: PricedBlock['hash']
}>

/**
 * Reads the current allowance. If it is above zero but too low, simulates an approval: some currencies, such as USDT,
 * require a reset to zero first.
 * @throws AppError if no node answers.
 */
export async function readApproval(
  simulator: TransactionTrials,
  { account, needed, blockHash }: Spending,
  loaders: Pick<Loaders, 'allowance'>,
): Promise<Pick<StepContext, 'allowance' | 'resetsAllowance'>> {
  if (needed === undefined) return { allowance: 0n, resetsAllowance: false }
  const { currency, spender, amount } = needed
  const allowance = await loaders.allowance({ currency, account, spender }, blockHash)
  if (allowance === 0n || allowance >= amount) return { allowance, resetsAllowance: false }
  const raise = { abi: erc20Abi, functionName: 'approve', args: [spender, amount] } as const
  const resetsAllowance = await simulator.wouldRevert({
    chainId: currency.chainId,
    from: account,
    to: currency.address,
    data: encodeFunctionData(raise),
    value: 0n,
  })
  return { allowance, resetsAllowance }
}
