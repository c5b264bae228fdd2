import { z } from 'zod'
import { exampleOrder } from '#src/gateway/exampleOrders.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import {
  blocksBody,
  encodeBlocks,
  encodeDetails,
  encodeFees,
  encodeTotalFees,
  feesBody,
  priceDetailsBody,
  totalFeesUsdText,
} from '#src/gateway/rest/bodies/priceBody.ts'
import { encodeWarnings, warningsBody } from '#src/gateway/rest/bodies/warningBody.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { priceInput } from '#src/service/input/priceInput.ts'

const priceBody = component(
  'Price',
  z
    .object({
      fees: feesBody.describe('Fees by component.'),
      totalFeesUsd: totalFeesUsdText,
      details: priceDetailsBody.describe('Amounts, accounts, rate, price impact and slippage.'),
      warnings: warningsBody,
      blocks: blocksBody,
    })
    .describe('An indicative price. It cannot be executed.'),
)

export const priceRoute = restRoute({
  path: '/price',
  method: 'POST',
  operation: 'price',
  summary: 'Price a swap or transfer',
  description:
    'Prices a swap or transfer between any two currencies, on one chain or across two, from pool states held in memory.',
  input: priceInput,
  body: priceBody,
  takesApiKey: false,
  example: exampleOrder,
  async answer(request, { operations, loaders, client, unavailable }) {
    const price = await operations.price(request, loaders, client)
    const [userBalance, warnings] = await Promise.all([price.userBalance(), price.warnings()])
    if (userBalance === undefined && request.user != null) unavailable.add('details.userBalance')
    return {
      fees: encodeFees(price.fees),
      totalFeesUsd: encodeTotalFees(price.fees),
      details: encodeDetails(price, userBalance),
      warnings: encodeWarnings(warnings),
      blocks: encodeBlocks(price.blocks, operations),
    }
  },
})
