import { builder } from '#src/gateway/graphql/builder.ts'
import { priceInput } from '#src/operations/input/priceInput.ts'
import { orderFields } from './orderFields.ts'

export const PriceInputType = builder
  .inputType('PriceInput', {
    description: 'What to swap into what, for whom.',
    fields: orderFields,
  })
  .validate(priceInput)
