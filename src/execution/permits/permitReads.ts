import { encodeFunctionData, erc20Abi, type Hex, hexToBigInt, size } from 'viem'
import { permit2Address } from '#src/contracts/permit2.ts'
import type { TransactionCall } from '#src/execution/calls/transactionCall.ts'
import type { Permit } from './permit.ts'

/** Reads what the payer of a permit holds of its currency. */
export const balanceRead = ({ currency, payer }: Permit): TransactionCall =>
  readOf(currency, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [payer] }))

/** Reads what Permit2 may transfer for the payer of a permit. */
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

/** The amount that such a read returns; undefined if it is none. */
export const amountIn = (data: Hex | undefined): bigint | undefined =>
  data === undefined || size(data) !== 32 ? undefined : hexToBigInt(data)
