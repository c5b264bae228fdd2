import { z } from 'zod'
import { units } from '#src/gateway/limits/units.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeSteps, stepBody } from '#src/gateway/rest/bodies/stepBody.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { permitFields } from '#src/service/input/permitInput.ts'
import { exampleRequestId } from './statusRoutes.ts'

const executedPermitBody = component(
  'ExecutedPermit',
  z
    .object({
      message: z.string().describe('For people.'),
      steps: z
        .array(stepBody)
        .optional()
        .describe(
          'The step with the transaction, if another account than the solver sends it; else absent.',
        ),
    })
    .describe('A signature was accepted.'),
)

export const executePermitRoute = restRoute({
  path: '/execute/permits',
  method: 'POST',
  operation: 'executePermit',
  summary: 'Submit a signature',
  description:
    'Accepts the signature of a step of kind `signature`. The whole payment is simulated first. An invalid signature is refused with PERMIT_FAILED, without any effect. A valid signature is stored, the request becomes `depositing`, and the solver sends its transaction. The same signature again gets the same answer.',
  input: z.strictObject({
    ...permitFields,
    api: z.string().max(32).nullish().describe('Purpose of the signature, as in the step.'),
    referrer: referrerParameter,
  }),
  queryFields: ['signature'],
  body: executedPermitBody,
  takesApiKey: false,
  mayNotFind: true,
  units: () => units.permit,
  example: () => ({
    requestId: exampleRequestId,
    kind: 'eip3009',
    signature: `0x${'ab'.repeat(65)}`,
  }),
  async answer({ requestId, kind, signature }, { operations }) {
    const { message, steps } = await operations.executePermit({ requestId, kind, signature })
    return { message, ...(steps !== undefined && { steps: await encodeSteps(steps) }) }
  },
})
