import { z } from 'zod'
import { AppError } from '#src/core/errors.ts'
import { exampleOrder } from '#src/gateway/exampleOrders.ts'
import { units } from '#src/gateway/limits/units.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import {
  blocksBody,
  encodeBlocks,
  encodeFees,
  encodeTotalFees,
  feesBody,
  totalFeesUsdText,
} from '#src/gateway/rest/bodies/priceBody.ts'
import { encodeProtocol, protocolBody } from '#src/gateway/rest/bodies/protocolBody.ts'
import { encodeQuoteDetails, quoteDetailsBody } from '#src/gateway/rest/bodies/quoteDetailsBody.ts'
import { encodeSteps, stepBody } from '#src/gateway/rest/bodies/stepBody.ts'
import {
  encodeIssues,
  encodeWarnings,
  issuesBody,
  warningsBody,
} from '#src/gateway/rest/bodies/warningBody.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'

const quoteBody = component(
  'Quote',
  z
    .object({
      steps: z.array(stepBody).describe('Steps for the user’s wallet, in the order of execution.'),
      fees: feesBody.describe('Fees by component.'),
      totalFeesUsd: totalFeesUsdText,
      details: quoteDetailsBody.describe(
        'Amounts, accounts, rate, route, price impact and slippage.',
      ),
      protocol: protocolBody
        .optional()
        .describe('The order that the solver fills; absent if the user swaps without the solver.'),
      deadline: z
        .int()
        .min(0)
        .describe(
          'Latest block time of the payment, in seconds since 1970. A later payment is refunded.',
        ),
      refreshAfter: z
        .int()
        .min(0)
        .describe('The time from which on to ask for a new price, in seconds since 1970.'),
      warnings: warningsBody,
      issues: issuesBody,
      blocks: blocksBody,
    })
    .describe('An executable price. Its request is stored before the answer is sent.'),
)

export const quoteRoute = restRoute({
  path: '/quote/v2',
  method: 'POST',
  operation: 'quote',
  summary: 'Quote a swap or transfer',
  description:
    'Returns the price, and its execution: transactions for the user’s wallet, and the order that the solver fills.',
  input: quoteInput,
  body: quoteBody,
  takesApiKey: true,
  units: () => units.quote + units.gas,
  example: exampleOrder,
  async answer(request, { operations, loaders, client, unavailable }) {
    const quote = await operations.quote(request, loaders, client)
    const [userBalance, steps, protocol, warnings, issues] = await Promise.all([
      quote.userBalance(),
      quote.steps().then(encodeSteps),
      quote.protocol(),
      quote.warnings(),
      encodeIssues(quote.issues),
    ])
    if (userBalance === undefined) unavailable.add('details.userBalance')
    return {
      steps,
      fees: encodeFees(quote.fees),
      totalFeesUsd: encodeTotalFees(quote.fees),
      details: encodeQuoteDetails(quote, userBalance),
      protocol: protocol && encodeProtocol(protocol),
      deadline: quote.deadline,
      refreshAfter: quote.refreshAfter,
      warnings: encodeWarnings(warnings),
      issues,
      blocks: encodeBlocks(quote.blocks, operations),
    }
  },
})

/**
 * Relay has published the request of its newest quote, but not the body of its answer. Once it does, this file becomes
 * the codec between that body and the operation `quote`. @source docs/protocol.md §10
 */
export const quoteV3Route = restRoute({
  path: '/quote/v3',
  method: 'POST',
  operation: 'quoteV3',
  summary: 'Not served yet',
  description: 'Refused with UNSUPPORTED_ENDPOINT.',
  input: z.looseObject({}),
  body: z.never(),
  takesApiKey: false,
  example: () => undefined,
  answer: () => {
    throw new AppError(
      'UNSUPPORTED_ENDPOINT',
      'POST /quote/v3 is not served: the shape of its answer is not public yet. Send the same body to POST /quote/v2.',
      { successor: '/quote/v2' },
    )
  },
})
