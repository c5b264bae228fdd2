import { AppError } from '#src/core/errors.ts'
import type { Currency } from '#src/core/units/currency.ts'

/** The input is worth less than a single unit of the output. */
export class OutputTooLowError extends AppError {
  constructor(output: Currency) {
    super('AMOUNT_TOO_LOW', `The amount is worth less than the smallest unit of ${output.symbol}.`)
  }
}
