import { encodeFunctionData, erc20Abi, type Hex, hexToBigInt, size } from 'viem'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { permit2Address } from '#src/protocol/contracts/permit2.ts'
import type { Permit } from '#src/protocol/permit.ts'

/** Reads the payer's balance of the permit's currency. */
export const balanceRead = ({ currency, payer }: Permit): TransactionCall =>
  readOf(currency, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [payer] }))

/** Reads the payer's allowance for Permit2 in the permit's currency. */
export const allowanceRead = ({ currency, payer }: Permit): TransactionCall =>
  readOf(
    currency,
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'allowance',
      args: [payer, permit2Address],
    }),
  )

const readOf = (to: TransactionCall['to'], data: Hex): TransactionCall => ({ to, data, value: 0n })

/** The amount in the answer of such a read; undefined if the answer contains none. */
export const amountIn = (data: Hex | undefined): bigint | undefined =>
  data === undefined || size(data) !== 32 ? undefined : hexToBigInt(data)
