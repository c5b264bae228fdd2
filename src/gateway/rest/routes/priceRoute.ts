import { z } from 'zod'
import { exampleOrder } from '#src/gateway/exampleOrders.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeDetails, priceDetailsBody } from '#src/gateway/rest/bodies/detailsBody.ts'
import { encodeFees, feesBody } from '#src/gateway/rest/bodies/feesBody.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { priceInput } from '#src/operations/input/priceInput.ts'

const priceBody = component(
  'Price',
  z
    .object({
      fees: feesBody.describe('What it costs, by component.'),
      details: priceDetailsBody.describe('Who pays and gets what.'),
    })
    .describe('What a swap comes to right now: indicative, with nothing to execute.'),
)

export const priceRoute = restRoute({
  path: '/price',
  method: 'POST',
  operation: 'price',
  summary: 'What a swap or a transfer comes to',
  description:
    'Prices a swap or a transfer between any two currencies, on one chain or between two, from state held in memory.',
  input: priceInput,
  body: priceBody,
  takesApiKey: false,
  example: exampleOrder,
  async answer(request, { operations, loaders }) {
    const price = await operations.price(request, loaders)
    return {
      fees: encodeFees(price.fees),
      details: encodeDetails(price, await price.userBalance()),
    }
  },
})
