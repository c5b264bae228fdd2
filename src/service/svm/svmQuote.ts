import { ignoreFailure } from '#src/core/errors.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import type { SvmReads } from '#src/market/svm/svmReads.ts'
import type { Step } from '#src/protocol/step.ts'
import { accountSizes } from '#src/protocol/svm/accounts.ts'
import { minBalance, recordBytes, rentOf } from '#src/protocol/svm/rent.ts'
import { buildSvmSteps, type SvmStepContext } from '#src/protocol/svm/steps.ts'
import { FieldError } from '#src/service/input/fieldError.ts'
import type { SwapInput } from '#src/service/input/quoteInput.ts'
import { withMargin } from './computeUnits.ts'

type Reads = Readonly<{ svm: SvmReads }>

/** @source agave: MAX_COMPUTE_UNIT_LIMIT, and the limit of each instruction of a transaction that names none */
const maxComputeUnits = 1_400_000n
const defaultComputeUnits = 200_000n

/** @source agave: DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE */
const lamportsPerSignature = 5_000n

/**
 * The steps of an order that one account of an svm chain pays for.
 * @throws AppError INSUFFICIENT_FUNDS if another account pays the fee, and holds too little
 */
export async function svmSteps(
  deps: Reads,
  price: Price,
  context: SvmStepContext,
  { includeComputeUnitLimit }: Pick<SwapInput, 'includeComputeUnitLimit'>,
): Promise<readonly Step[]> {
  const steps = buildSvmSteps(price, context)
  const limited = includeComputeUnitLimit === true
  const [computeUnitLimit] = await Promise.all([
    limited ? computeUnitLimitOf(deps, price, steps) : undefined,
    checkFeePayer(deps, price, context, steps),
  ])
  return limited ? buildSvmSteps(price, { ...context, computeUnitLimit }) : steps
}

/** From a simulation, or from the estimate of the price if the transaction cannot be simulated now. */
async function computeUnitLimitOf(
  { svm }: Reads,
  { currencyIn, transactionGas }: Price,
  [step]: readonly Step[],
): Promise<number> {
  const data = step?.svmItem?.data
  const simulated = data && svm.computeUnits(currencyIn.currency.chainId, data)
  const units = withMargin((await simulated?.catch(ignoreFailure)) ?? transactionGas)
  return Number(units < maxComputeUnits ? units : maxComputeUnits)
}

/** Accepts the payer if no node answers in time. */
async function checkFeePayer(
  { svm }: Reads,
  price: Price,
  { feePayer, depositAddress, microLamports }: SvmStepContext,
  [step]: readonly Step[],
): Promise<void> {
  if (feePayer === undefined) return
  const { chainId, address } = price.currencyIn.currency
  const accounts = await svm.accounts(chainId, [feePayer]).catch(ignoreFailure)
  if (accounts === undefined) return
  const held = accounts[0]?.lamports ?? 0n
  const rentOfAddress = address === svmNative ? 0n : rentOf(BigInt(accountSizes.token))
  const rent = depositAddress === undefined ? rentOf(recordBytes) : rentOfAddress
  const instructions = BigInt(step?.svmItem?.data.instructions.length ?? 0)
  const priority = divUp(instructions * defaultComputeUnits * microLamports, 1_000_000n)
  // Two accounts sign, and the chain lets no payer fall below the minimum.
  const needed = 2n * lamportsPerSignature + priority + rent + minBalance
  if (held < needed) throw new FeePayerError(feePayer, { held, needed, chainId })
}

/** The account that is to pay the fee of the deposit holds too little. */
class FeePayerError extends FieldError {
  constructor(
    payer: Pubkey,
    { held, needed, chainId }: Readonly<{ held: bigint; needed: bigint; chainId: number }>,
  ) {
    super(
      'INSUFFICIENT_FUNDS',
      ['depositFeePayer'],
      `${payer} holds ${held} lamports on chain ${chainId}, and the fee and the rent of the deposit need ${needed}`,
      { chainId, held: held.toString(), needed: needed.toString() },
    )
  }
}
