import { z } from 'zod'
import { exampleOrder } from '#src/gateway/exampleOrders.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeFees, feesBody } from '#src/gateway/rest/bodies/feesBody.ts'
import { encodeProtocol, protocolBody } from '#src/gateway/rest/bodies/protocolBody.ts'
import { encodeQuoteDetails, quoteDetailsBody } from '#src/gateway/rest/bodies/quoteDetailsBody.ts'
import { encodeSteps, stepBody } from '#src/gateway/rest/bodies/stepBody.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { quoteInput } from '#src/operations/input/quoteInput.ts'

const quoteBody = component(
  'Quote',
  z
    .object({
      steps: z.array(stepBody).describe('What the wallet does, in turn.'),
      fees: feesBody.describe('What it costs, by component.'),
      details: quoteDetailsBody.describe('Who pays and gets what.'),
      protocol: protocolBody
        .optional()
        .describe('The order that the solver fills; absent where the user swaps alone.'),
    })
    .describe('A price that can be executed; its request is stored before the answer leaves.'),
)

export const quoteRoute = restRoute({
  path: '/quote/v2',
  method: 'POST',
  operation: 'quote',
  summary: 'The same, with steps to execute it',
  description:
    'Everything that /price gives, and the steps that make it so: transactions for the user’s wallet, and the order that the solver fills.',
  input: quoteInput,
  body: quoteBody,
  takesApiKey: true,
  example: exampleOrder,
  async answer(request, { operations, loaders, apiKey }) {
    const quote = await operations.quote(request, loaders, apiKey)
    const [userBalance, steps, protocol] = await Promise.all([
      quote.userBalance(),
      quote.steps().then(encodeSteps),
      quote.protocol(),
    ])
    return {
      steps,
      fees: encodeFees(quote.fees),
      details: encodeQuoteDetails(quote, userBalance),
      protocol: protocol && encodeProtocol(protocol),
    }
  },
})
