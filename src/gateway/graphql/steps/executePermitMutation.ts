import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { units } from '#src/gateway/limits/units.ts'
import { permitFields } from '#src/service/input/permitInput.ts'
import type { PermitAnswer } from '#src/service/quotedSteps.ts'
import { PermitKindType, StepType } from './stepType.ts'

const ExecutedPermitType = builder
  .objectRef<PermitAnswer & Readonly<{ requestId: string }>>('ExecutedPermit')
  .implement({
    description: 'A signature was accepted.',
    fields: (t) => ({
      message: t.exposeString('message', { description: 'For people.' }),
      steps: t.field({
        type: [StepType],
        description:
          'The step with the transaction if another account than the solver sends it; else empty. It is not stored, so `node` does not find it.',
        extensions: { items: 1 },
        resolve: ({ steps = [], requestId: quoteId }) =>
          steps.map((step, at) => ({ ...step, quoteId, at })),
      }),
    }),
  })

builder.mutationField('executePermit', (t) =>
  t.field({
    type: ExecutedPermitType,
    description:
      'Accepts the signature of a step of kind "signature". The whole payment is simulated first. A valid signature is stored, the request becomes `depositing`, and the solver sends its transaction. The same signature again gets the same answer. Errors: PERMIT_FAILED, INSUFFICIENT_FUNDS and UNKNOWN_REQUEST. After an error nothing has happened.',
    args: t.validate(
      {
        requestId: t.arg({
          type: 'RequestId',
          required: true,
          description: 'Id of the request that the signature is for.',
        }),
        kind: t.arg({
          type: PermitKindType,
          required: true,
          description: 'Kind of the signed message, as in the step.',
        }),
        signature: t.arg({
          type: 'Hex',
          required: true,
          description:
            'Signature of the step’s typed data: 65 bytes, or 64 (EIP-2098); for a contract wallet up to 4,096 bytes.',
        }),
      },
      z.strictObject(permitFields),
    ),
    extensions: { cost: 100, units: units.permit },
    resolve: async (_, { requestId, kind, signature }, { operations }) => ({
      ...(await operations.executePermit({ requestId, kind, signature })),
      requestId,
    }),
  }),
)
