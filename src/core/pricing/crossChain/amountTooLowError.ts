import { AppError } from '#src/core/errors.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Currency, describeAmount } from '#src/core/units/currency.ts'

/** The fees leave nothing for the recipient. */
export class AmountTooLowError extends AppError {
  /** @param minInput the smallest input that works, if it is known, in the `input` currency. */
  constructor(fees: bigint, deposit: Currency, minInput: Amount | undefined, input: Currency) {
    const hint =
      minInput === undefined
        ? ''
        : ` The smallest input that works is about ${describeAmount(minInput, input)}.`
    super(
      'AMOUNT_TOO_LOW',
      `The amount does not cover the fees of ${describeAmount(fees, deposit)}.${hint}`,
      {
        fees: fees.toString(),
        ...(minInput !== undefined && { leastAmount: minInput.toString() }),
      },
    )
  }
}
