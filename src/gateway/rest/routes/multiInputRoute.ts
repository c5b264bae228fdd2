import { z } from 'zod'
import { exampleMultiOrder } from '#src/gateway/exampleOrders.ts'
import { units } from '#src/gateway/limits/units.ts'
import { amountText, component } from '#src/gateway/rest/bodies/bodySchema.ts'
import {
  blocksBody,
  encodeBlocks,
  encodeDetails,
  encodeFees,
  feesBody,
  swapDetails,
} from '#src/gateway/rest/bodies/priceBody.ts'
import { encodeSteps, stepBody } from '#src/gateway/rest/bodies/stepBody.ts'
import {
  encodeOriginIssues,
  encodeWarnings,
  originIssuesBody,
  warningsBody,
} from '#src/gateway/rest/bodies/warningBody.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { multiInput } from '#src/service/input/multiInput.ts'

const breakdownBody = component(
  'MultiInputBreakdown',
  z.object({ value: amountText, timeEstimate: z.int().min(0) }),
)

const balancesBody = component(
  'MultiInputBalances',
  z.object({
    userBalance: amountText
      .optional()
      .describe(
        'Value of the users’ balances of the origin currencies, in smallest units of the destination currency; absent if no node reports them within 250 ms.',
      ),
    requiredToSolve: amountText,
  }),
)

const detailsBody = component(
  'MultiInputDetails',
  z.object({
    ...swapDetails,
    userBalance: amountText.optional().describe('The same as `balances.userBalance`.'),
  }),
)

const multiInputBody = component(
  'MultiInputQuote',
  z
    .object({
      steps: z.array(stepBody),
      fees: feesBody.describe('Fees by component, in currencies of the destination chain.'),
      breakdown: z.array(breakdownBody),
      balances: balancesBody.describe('The users’ balances and the required amount.'),
      details: detailsBody.describe('Amounts, accounts, rate, price impact and slippage.'),
      depositDeadline: z.int().min(0),
      warnings: warningsBody,
      issues: z.array(originIssuesBody).describe('What the users lack: one for each deposit.'),
      blocks: blocksBody,
    })
    .describe(
      'One swap into one currency, paid for by several deposits. Its request is stored before the answer is sent.',
    ),
)

export const multiInputRoute = restRoute({
  path: '/execute/swap/multi-input',
  method: 'POST',
  operation: 'multiInputQuote',
  summary: 'Quote a swap with several inputs',
  description:
    'Quotes one swap into one destination currency, paid for by up to 16 deposits. Each deposit has its own chain, currency, amount and user. The answer contains the steps of all users.',
  input: multiInput,
  body: multiInputBody,
  takesApiKey: true,
  units: ({ origins }) => units.quote + origins.length * (units.origin + units.gas),
  example: exampleMultiOrder,
  async answer(request, { operations, loaders, client, unavailable }) {
    const quote = await operations.multiInputQuote(request, loaders, client)
    const [userBalance, steps, depositDeadline, warnings, issues] = await Promise.all([
      quote.userBalance(),
      quote.steps().then(encodeSteps),
      quote.depositDeadline(),
      quote.warnings(),
      encodeOriginIssues(quote),
    ])
    if (userBalance === undefined) unavailable.add('details.userBalance')
    return {
      steps,
      fees: encodeFees(quote.fees),
      breakdown: quote.breakdown.map(({ value, timeEstimate }) => {
        return { value: value.toString(), timeEstimate }
      }),
      balances: {
        userBalance: userBalance?.toString(),
        requiredToSolve: quote.currencyIn.amount.toString(),
      },
      details: encodeDetails(quote, userBalance),
      depositDeadline,
      warnings: encodeWarnings(warnings),
      issues,
      blocks: encodeBlocks(quote.blocks, operations),
    }
  },
})
