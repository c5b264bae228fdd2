import { encodeFunctionData, erc20Abi } from 'viem'
import type { Allowance } from '#src/execution/steps/allowance.ts'
import type { StepContext } from '#src/execution/steps/stepContext.ts'
import type { Trials } from '#src/market/reads/transactionSimulator.ts'
import type { Loaders } from '#src/operations/operations.ts'
import type { PricedBlock } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'

type Asked = Readonly<{
  account: Address
  /** `undefined` where the account need not allow anything. */
  needed: Allowance | undefined
  blockHash: PricedBlock['hash']
}>

/**
 * What the spender may take already, and, where that is too little but not nothing, whether it can be raised.
 * @throws AppError where nodes cannot be reached.
 */
export async function readApproval(
  trials: Pick<Trials, 'fails'>,
  { account, needed, blockHash }: Asked,
  loaders: Pick<Loaders, 'allowance'>,
): Promise<Pick<StepContext, 'allowance' | 'resetsAllowance'>> {
  if (needed === undefined) return { allowance: 0n, resetsAllowance: false }
  const { currency, spender, amount } = needed
  const allowance = await loaders.allowance({ currency, account, spender }, blockHash)
  if (allowance === 0n || allowance >= amount) return { allowance, resetsAllowance: false }
  const raise = { abi: erc20Abi, functionName: 'approve', args: [spender, amount] } as const
  const resetsAllowance = await trials.fails({
    chainId: currency.chainId,
    from: account,
    to: currency.address,
    data: encodeFunctionData(raise),
    value: 0n,
  })
  return { allowance, resetsAllowance }
}
