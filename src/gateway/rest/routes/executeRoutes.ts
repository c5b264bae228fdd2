import { z } from 'zod'
import { units } from '#src/gateway/limits/units.ts'
import { component, hashText } from '#src/gateway/rest/bodies/bodySchema.ts'
import {
  encodeFlatSteps,
  encodeSteps,
  flatStepBody,
  stepBody,
} from '#src/gateway/rest/bodies/stepBody.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import {
  callFields,
  checkOptions,
  executeFields,
  referrerField,
  subsidizeField,
} from '#src/service/input/executeInput.ts'
import { refuse } from '#src/service/input/inputFields.ts'
import { permitFields } from '#src/service/input/permitInput.ts'
import { exampleRequestId } from './statusRoutes.ts'

const message = z.string().describe('For people.')

const whenSteps =
  'The step with the transaction, if another account than the solver sends it; else absent.'

const executedPermitBody = component(
  'ExecutedPermit',
  z
    .object({ message, steps: z.array(stepBody).optional().describe(whenSteps) })
    .describe('A signature was accepted.'),
)

const executedPermitV2Body = component(
  'ExecutedPermitV2',
  z
    .object({ message, steps: z.array(flatStepBody).optional().describe(whenSteps) })
    .describe('A signature was accepted.'),
)

const permitRoute = {
  method: 'POST',
  input: z.strictObject({
    ...permitFields,
    api: z.string().max(32).nullish().describe('Purpose of the signature, as in the step.'),
    referrer: referrerParameter,
  }),
  queryFields: ['signature'],
  takesApiKey: false,
  mayNotFind: true,
  units: () => units.permit,
  example: () => ({
    requestId: exampleRequestId,
    kind: 'eip3009',
    signature: `0x${'ab'.repeat(65)}`,
  }),
} as const

export const executePermitRoute = restRoute({
  ...permitRoute,
  path: '/execute/permits',
  operation: 'executePermit',
  summary: 'Submit a signature',
  description:
    'Accepts the signature of a step of kind `signature`. The whole payment is simulated first. An invalid signature is refused with PERMIT_FAILED, without any effect. A valid signature is stored, the request becomes `depositing`, and the solver sends its transaction. The same signature again gets the same answer.',
  body: executedPermitBody,
  async answer({ requestId, kind, signature }, { operations }) {
    const { message, steps } = await operations.executePermit({ requestId, kind, signature })
    return { message, ...(steps !== undefined && { steps: await encodeSteps(steps) }) }
  },
})

export const executePermitV2Route = restRoute({
  ...permitRoute,
  path: '/execute/permits/v2',
  operation: 'executePermitV2',
  summary: 'Submit a signature, with flat steps in the answer',
  description: 'As /execute/permits, but its `steps` have no `items`: each is one transaction.',
  body: executedPermitV2Body,
  async answer({ requestId, kind, signature }, { operations }) {
    const { message, steps } = await operations.executePermit({ requestId, kind, signature })
    return { message, ...(steps !== undefined && { steps: await encodeFlatSteps(steps) }) }
  },
})

const executedCallBody = component(
  'ExecutedCall',
  z
    .object({
      message,
      requestId: hashText.describe(
        'Id of the quoted request, else of the call itself. /intents/status/v3 accepts both.',
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
                'Not accepted here, because the order is already fixed: quote with txs and authorizationList',
                'UNSUPPORTED_EXECUTION_TYPE',
              )
          })
          .describe(
            'Refused: the quote fixes the calls on the destination chain by `txs` and `authorizationList`.',
          ),
      })
      .describe('Options of the payment, and the frontend.'),
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
  summary: 'Send a call without gas',
  description:
    'The relayer sends the call and pays its gas from the budget of the API key: for example a batch (EIP-7702) that approves and deposits for a wallet without native currency. The relayer never sends a value. The call is simulated first. A call that reverts is refused with CALL_REVERTED, and a call with a `requestId` must make the deposit of that request. Refused with UNAUTHORIZED without an API key, with GAS_BUDGET_EXCEEDED above its budget, and with UNSUPPORTED_EXECUTION_TYPE if the operator has no relayer. Error bodies have the message as `error` too.',
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
