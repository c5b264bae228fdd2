import { z } from 'zod'
import { units } from '#src/gateway/limits/units.ts'
import { component } from '#src/gateway/rest/bodies/bodySchema.ts'
import { encodeSteps, stepBody } from '#src/gateway/rest/bodies/stepBody.ts'
import { referrerParameter } from '#src/gateway/rest/queryParameters.ts'
import { restRoute } from '#src/gateway/rest/restRoute.ts'
import { exampleRequestId } from '#src/gateway/rest/routes/statusRoutes.ts'
import { permitFields } from '#src/operations/input/permitInput.ts'

const executedPermitBody = component(
  'ExecutedPermit',
  z
    .object({
      message: z.string().describe('For people.'),
      steps: z
        .array(stepBody)
        .optional()
        .describe('What is left to do. Absent if the solver sends the transaction.'),
    })
    .describe('A signature was accepted.'),
)

export const executePermitRoute = restRoute({
  path: '/execute/permits',
  method: 'POST',
  operation: 'executePermit',
  summary: 'Hand in a signature',
  description:
    'Takes the signature of a step of kind `signature`. The whole payment is simulated first: a bad signature is refused with PERMIT_FAILED, and nothing has happened. A good one is stored, the request is `depositing`, and the solver sends its transaction. The same signature again has the same answer.',
  input: z.strictObject({
    ...permitFields,
    api: z.string().max(32).nullish().describe('What the signature is for, as the step says.'),
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
