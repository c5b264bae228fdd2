import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { units } from '#src/gateway/limits/units.ts'
import { permitFields } from '#src/operations/input/permitInput.ts'
import type { PermitAnswer } from '#src/operations/quotedSteps.ts'
import { PermitKindType } from './permitKindType.ts'
import { StepType } from './stepType.ts'

const ExecutedPermitType = builder
  .objectRef<PermitAnswer & Readonly<{ requestId: string }>>('ExecutedPermit')
  .implement({
    description: 'A signature was accepted.',
    fields: (t) => ({
      message: t.exposeString('message', { description: 'For people.' }),
      steps: t.field({
        type: [StepType],
        description:
          'What is left to do: the transaction, if another account than the solver sends it; else empty. They are not stored: `node` does not find them.',
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
      'Takes the signature of a step of kind "signature". The whole payment is simulated first. A good signature is stored, the request is `depositing`, and the solver sends its transaction; the same signature again has the same answer. Errors: PERMIT_FAILED and INSUFFICIENT_FUNDS, after which nothing has happened; UNKNOWN_REQUEST.',
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
          description: 'What was signed, as the step says.',
        }),
        signature: t.arg({
          type: 'Hex',
          required: true,
          description:
            'The signature of the step’s typed data: 65 bytes, or 64 (EIP-2098); a contract wallet’s up to 4,096.',
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
