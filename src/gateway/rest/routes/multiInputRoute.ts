import { z } from 'zod'
import { exampleMultiOrder } from '#src/gateway/exampleOrders.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeDetails, swapDetails } from '#src/gateway/rest/bodies/detailsBody.ts'
import { encodeFees, feesBody } from '#src/gateway/rest/bodies/feesBody.ts'
import { encodeSteps, stepBody } from '#src/gateway/rest/bodies/stepBody.ts'
import { amountText } from '#src/gateway/rest/bodies/texts.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { multiInput } from '#src/operations/input/multiInput.ts'

const breakdownBody = component(
  'MultiInputBreakdown',
  z.object({ value: amountText, timeEstimate: z.int().min(0) }),
)

const balancesBody = component(
  'MultiInputBalances',
  z.object({
    userBalance: amountText.describe(
      'What the users hold of the origins’ currencies, as the smallest units of the destination currency that it is worth.',
    ),
    requiredToSolve: amountText,
  }),
)

const detailsBody = component(
  'MultiInputDetails',
  z.object({
    ...swapDetails,
    userBalance: amountText.describe('The same as in `balances`.'),
  }),
)

const multiInputBody = component(
  'MultiInputQuote',
  z
    .object({
      steps: z.array(stepBody),
      fees: feesBody.describe(
        'What all of it costs, by component, in currencies of the destination chain.',
      ),
      breakdown: z.array(breakdownBody),
      balances: balancesBody.describe('What the users hold, and what they need.'),
      details: detailsBody.describe('Who pays and gets what.'),
      depositDeadline: z.int().min(0),
    })
    .describe(
      'One swap into one currency that several deposits pay for; its request is stored before the answer leaves.',
    ),
)

export const multiInputRoute = restRoute({
  path: '/execute/swap/multi-input',
  method: 'POST',
  operation: 'multiInputQuote',
  summary: 'The same from several accounts, chains and currencies at once',
  description:
    'Quotes one swap into one currency that several deposits pay for, each with its own chain, currency, amount and user; with the steps that make it so.',
  input: multiInput,
  body: multiInputBody,
  takesApiKey: true,
  example: exampleMultiOrder,
  async answer(request, { operations, loaders, apiKey }) {
    const quote = await operations.multiInputQuote(request, loaders, apiKey)
    const [userBalance, steps, depositDeadline] = await Promise.all([
      quote.userBalance(),
      quote.steps().then(encodeSteps),
      quote.depositDeadline(),
    ])
    return {
      steps,
      fees: encodeFees(quote.fees),
      breakdown: quote.breakdown.map(({ value, timeEstimate }) => {
        return { value: value.toString(), timeEstimate }
      }),
      balances: {
        userBalance: userBalance.toString(),
        requiredToSolve: quote.currencyIn.amount.toString(),
      },
      details: encodeDetails(quote, userBalance),
      depositDeadline,
    }
  },
})
