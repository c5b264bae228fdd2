import { z } from 'zod'
import { AppError } from '#src/core/errors.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { PriceInputType } from '#src/gateway/graphql/inputs/priceInputType.ts'
import { invalidRequest } from '#src/gateway/http/fieldIssues.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { PriceAnswer } from '#src/service/answers.ts'
import { type PriceInput, priceInput } from '#src/service/input/priceInput.ts'
import { type Failure, FailureType, toFailure } from './failureType.ts'
import { PriceType } from './priceType.ts'

const maxPrices = 50

const PriceResultType = builder.unionType('PriceResult', {
  description: 'The price of an input, or the reason why it has none.',
  types: [PriceType, FailureType],
  resolveType: (result) => (isFailure(result) ? FailureType : PriceType),
})

const isFailure = (result: PriceAnswer | Failure): result is Failure => 'code' in result

builder.queryField('prices', (t) =>
  t.field({
    type: [PriceResultType],
    description:
      'Prices several orders on the same blocks. Each input gets its own price or failure: a bad input does not affect the others.',
    args: t.validate(
      {
        inputs: t.arg({
          type: [PriceInputType],
          required: true,
          description: `The orders, at most ${maxPrices}. The results are in the same order.`,
        }),
      },
      z.strictObject({
        inputs: z.array(z.unknown()).max(maxPrices, `At most ${maxPrices} inputs`),
      }),
    ),
    extensions: { items: 'inputs', itemCost: 50, itemUnits: units.price },
    resolve: (_, { inputs }, context) => pricesOf(inputs, context),
  }),
)

/** Validates inputs here, and not with the arguments, so that each has its own failure. */
async function pricesOf(
  inputs: readonly unknown[],
  { operations, loaders, client }: RequestContext,
): Promise<(PriceAnswer | Failure)[]> {
  const parsed = inputs.map((input): PriceInput | AppError => {
    const { data, error } = priceInput.safeParse(input)
    return error === undefined ? data : invalidRequest(error.issues)
  })
  const valid = parsed.filter((each): each is PriceInput => !(each instanceof AppError))
  const answers = await operations.prices(valid, loaders, client)
  const results = answers[Symbol.iterator]()
  return parsed.map((each) => {
    const result = each instanceof AppError ? each : results.next().value
    if (result === undefined) throw new Error('An input has no result')
    return result instanceof AppError ? toFailure(result) : result
  })
}
