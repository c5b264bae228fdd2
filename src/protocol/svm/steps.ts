import type { Hex } from 'viem'
import type { Price, PricedOrigin } from '#src/core/pricing/price.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Pubkey, svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { checkOf, type Step } from '#src/protocol/step.ts'
import { limitComputeUnits, priceComputeUnits } from './computeBudget.ts'
import { depositCall } from './depository/depositCalls.ts'
import { associatedTokenAddress } from './derivedAddress.ts'
import type { Instruction } from './instruction.ts'
import { memo } from './memo.ts'
import { transferLamports } from './systemProgram.ts'
import { createTokenAccount, transferTokens } from './tokenProgram.ts'
import { toStepInstruction } from './transactionData.ts'

/** Data for the deposit of one account, in addition to the price. */
export type SvmStepContext = Readonly<{
  /** 32 bytes. */
  requestId: Hex
  orderId: Hex
  /** The depository. */
  program: Pubkey
  /** Set if the price pays a deposit address. */
  depositAddress?: Pubkey | undefined
  /** Pays the fee and the rent of new accounts; undefined: the user. */
  feePayer?: Pubkey | undefined
  /** The price of a compute unit; 0: the transaction names none. */
  microLamports: bigint
  /** Undefined: the transaction has the limit of the runtime. */
  computeUnitLimit?: number | undefined
}>

/** The one step of an account that deposits, without a `check`. */
export function svmDepositStep(
  origin: PricedOrigin,
  output: Currency,
  context: SvmStepContext,
): Step {
  const { requestId, depositAddress, microLamports, computeUnitLimit: limit } = context
  const { chainId } = origin.leg.input.currency
  const instructions = [
    ...(limit === undefined ? [] : [limitComputeUnits(limit)]),
    ...(microLamports === 0n ? [] : [priceComputeUnits(microLamports)]),
    ...(depositAddress === undefined
      ? [deposit(origin, context)]
      : addressPayment(origin, depositAddress, context)),
    memo(requestId),
  ]
  const data = {
    chainId,
    payer: context.feePayer ?? toPubkey(origin.user),
    instructions: instructions.map(toStepInstruction),
  }
  return {
    id: 'deposit',
    action: 'Confirm transaction in your wallet',
    description: `Depositing funds to the relayer to execute the swap for ${output.symbol}`,
    kind: 'transaction',
    requestId,
    depositAddress: depositAddress ?? '',
    items: [],
    svmItem: { data },
  }
}

/** The steps of an order that one account pays for. */
export function buildSvmSteps(price: Price, context: SvmStepContext): readonly Step[] {
  const [origin] = price.pricedOrigins
  if (origin === undefined) throw new Error('Nobody swaps alone on this chain')
  return [withCheck(svmDepositStep(origin, price.currencyOut.currency, context))]
}

/** The last step of an order: clients wait at it for the end of the request. */
export const withCheck = ({ svmItem, ...step }: Step): Step => ({
  ...step,
  ...(svmItem && { svmItem: { ...svmItem, check: checkOf(step) } }),
})

/** The refund recipient is the depositor, which alone can get the deposit back. */
const deposit = (
  { user, refundTo, leg: { output } }: PricedOrigin,
  { program, orderId, feePayer }: SvmStepContext,
): Instruction => {
  const sender = toPubkey(user)
  return depositCall(program, {
    id: orderId,
    depositor: toPubkey(refundTo),
    currency: toPubkey(output.currency.address),
    sender,
    nonce: 0n,
    amount: output.amount,
    payer: feePayer ?? sender,
  })
}

function addressPayment(
  { user, leg: { input } }: PricedOrigin,
  address: Pubkey,
  { feePayer }: SvmStepContext,
): readonly Instruction[] {
  const { amount, currency } = input
  const [sender, mint] = [toPubkey(user), toPubkey(currency.address)]
  if (mint === svmNative) return [transferLamports({ from: sender, to: address, lamports: amount })]
  const transfer = {
    source: associatedTokenAddress(sender, mint),
    destination: associatedTokenAddress(address, mint),
    authority: sender,
    mint,
    amount,
    decimals: currency.decimals,
  }
  return [
    createTokenAccount({ payer: feePayer ?? sender, owner: address, mint }),
    transferTokens(transfer),
  ]
}
