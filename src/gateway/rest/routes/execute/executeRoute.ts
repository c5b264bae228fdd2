import { z } from 'zod'
import { units } from '#src/gateway/limits/units.ts'
import { component, hashText } from '#src/gateway/rest/bodies/bodySchema.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import {
  callFields,
  checkOptions,
  executeFields,
  referrerField,
  subsidizeField,
} from '#src/operations/input/executeInput.ts'
import { refuse } from '#src/operations/input/inputFields.ts'

const executedCallBody = component(
  'ExecutedCall',
  z
    .object({
      message: z.string().describe('For people.'),
      requestId: hashText.describe(
        'Id of the quoted request, or of the call itself: /intents/status/v3 answers to both.',
      ),
    })
    .describe('A call was accepted, and the relayer will send it.'),
)

const input = z
  .strictObject({
    executionKind: z
      .literal('rawCalls', 'Must be rawCalls: there is no other kind')
      .describe('Always `rawCalls`.'),
    data: z.strictObject(callFields).describe('The call.'),
    executionOptions: z
      .strictObject({
        referrer: referrerField,
        subsidizeFees: subsidizeField,
        destinationChainExecutionData: z
          .unknown()
          .optional()
          .superRefine((value, context) => {
            if (value != null)
              refuse(
                context,
                'Not taken here: the order is signed by then. Quote with txs and authorizationList',
                'UNSUPPORTED_EXECUTION_TYPE',
              )
          })
          .describe(
            'Refused: calls on the destination chain are those of the quote, its `txs` and its `authorizationList`.',
          ),
      })
      .describe('Who pays, and for whom.'),
    ...executeFields,
  })
  .superRefine(({ requestId, idempotencyKey, executionOptions }, context) =>
    checkOptions({ requestId, idempotencyKey, ...executionOptions }, context, [
      'executionOptions',
      'subsidizeFees',
    ]),
  )

export const executeRoute = restRoute({
  path: '/execute',
  method: 'POST',
  operation: 'execute',
  summary: 'Have a call sent without gas',
  description:
    'The relayer sends the call, and pays its gas out of the budget of the API key: a batch of a wallet without native currency, for example, that approves and deposits (EIP-7702). It never sends a value. The call is simulated first: one that reverts is refused with CALL_REVERTED, and one for a `requestId` has to make its deposit. Refused with UNAUTHORIZED without an API key, with GAS_BUDGET_EXCEEDED beyond its budget, and with UNSUPPORTED_EXECUTION_TYPE where the operator has no relayer. Error bodies have the message as `error` too.',
  input,
  body: executedCallBody,
  takesApiKey: true,
  mayNotFind: true,
  namesError: true,
  referrerOf: ({ executionOptions }) => executionOptions.referrer,
  units: () => units.execute,
  example: (operations) => {
    const chainId = operations.chains()[0]?.id
    return chainId === undefined
      ? undefined
      : {
          executionKind: 'rawCalls',
          data: { chainId, to: `0x${'12'.repeat(20)}`, data: '0x12345678', value: '0' },
          executionOptions: { subsidizeFees: true },
          idempotencyKey: 'batch-1',
        }
  },
  answer: (
    { data, executionOptions, executionKind: _, requestId, ...options },
    { operations, client },
  ) => {
    const { subsidizeFees } = executionOptions
    return operations.execute({ ...data, ...options, requestId, subsidizeFees }, client)
  },
})
