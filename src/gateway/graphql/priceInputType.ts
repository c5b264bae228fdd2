import { priceInput } from '#src/operations/priceInput.ts'
import { builder } from './builder.ts'
import { orderFields } from './orderFields.ts'

export const PriceInputType = builder
  .inputType('PriceInput', {
    description: 'What to swap into what, for whom.',
    fields: orderFields,
  })
  .validate(priceInput)
