import { z } from 'zod'
import { builder } from '#src/gateway/graphql/builder.ts'
import { described } from '#src/gateway/graphql/inputs/priceInputType.ts'
import { AuthorizationInputType } from '#src/gateway/graphql/inputs/quoteInputType.ts'
import { FailReasonType } from '#src/gateway/graphql/requests/statusEnums.ts'
import { units } from '#src/gateway/limits/units.ts'
import {
  callFields,
  checkOptions,
  executeFields,
  subsidizeField,
} from '#src/service/input/executeInput.ts'
import { hashField } from '#src/service/input/inputFields.ts'
import type { ExecutedCall, RelayedCallAnswer } from '#src/service/relayedCalls/relayedCalls.ts'

const ExecuteInputType = builder
  .inputType('ExecuteInput', {
    description: 'A call that the relayer sends for an API key.',
    fields: (t) => ({
      chainId: t.field({ type: 'ChainId', required: true, ...described(callFields.chainId) }),
      to: t.field({ type: 'Address', required: true, ...described(callFields.to) }),
      data: t.field({ type: 'Hex', required: true, ...described(callFields.data) }),
      authorizationList: t.field({
        type: [AuthorizationInputType],
        ...described(callFields.authorizationList),
      }),
      subsidizeFees: t.boolean({ required: true, ...described(subsidizeField) }),
      requestId: t.field({ type: 'RequestId', ...described(executeFields.requestId) }),
      originGasOverhead: t.field({
        type: 'SafeInt',
        ...described(executeFields.originGasOverhead),
      }),
      idempotencyKey: t.string(described(executeFields.idempotencyKey)),
    }),
  })
  .validate(
    z
      .strictObject({
        chainId: callFields.chainId,
        to: callFields.to,
        data: callFields.data,
        authorizationList: callFields.authorizationList,
        subsidizeFees: subsidizeField,
        ...executeFields,
      })
      .superRefine((input, context) => checkOptions(input, context, ['subsidizeFees'])),
  )

const ExecutedCallType = builder.objectRef<ExecutedCall>('ExecutedCall').implement({
  description: 'A call was accepted, and the relayer will send it.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'For people.' }),
    requestId: t.expose('requestId', {
      type: 'RequestId',
      description:
        'Id of the quoted request, else of the call itself: the argument of `relayedCalls`.',
    }),
  }),
})

const RelayedCallStatusType = builder.enumType('RelayedCallStatus', {
  description: 'The state of a call.',
  values: {
    QUEUED: { value: 'queued', description: 'Accepted. Nothing is sent yet.' },
    SENT: { value: 'sent', description: 'Its transaction is sent.' },
    SUCCEEDED: { value: 'succeeded', description: 'Its transaction is confirmed. Final.' },
    FAILED: { value: 'failed', description: 'It had no effect, and never will have one. Final.' },
  } as const,
})

const RelayedCallType = builder.objectRef<RelayedCallAnswer>('RelayedCall').implement({
  description: 'A call that the relayer sends. The relayer pays its gas.',
  fields: (t) => ({
    chainId: t.expose('chainId', {
      type: 'ChainId',
      description: 'EIP-155 id of the chain that it is sent on.',
    }),
    status: t.expose('status', { type: RelayedCallStatusType, description: 'Its state.' }),
    failReason: t.expose('failReason', {
      type: FailReasonType,
      nullable: true,
      description: 'Code of the reason why it failed; null if it did not fail.',
    }),
    details: t.exposeString('reason', {
      nullable: true,
      description: 'For people: the reason why it failed; null if it did not fail.',
    }),
    transactionHash: t.expose('txHash', {
      type: 'Hex',
      nullable: true,
      description: 'Hash of its transaction; null until that is confirmed.',
    }),
    createdAtMs: t.expose('createdAt', {
      type: 'SafeInt',
      description: 'Time at which it was accepted, in milliseconds since 1970.',
    }),
    updatedAtMs: t.expose('updatedAt', {
      type: 'SafeInt',
      description: 'Time of its last change, in milliseconds since 1970.',
    }),
  }),
})

builder.mutationField('execute', (t) =>
  t.field({
    type: ExecutedCallType,
    description:
      'Asks the relayer to send a call and to pay its gas from the budget of the API key: for example a batch (EIP-7702) that approves and deposits for a wallet without native currency. The relayer never sends a value. The call is simulated first. The same call under the same `requestId` or `idempotencyKey` is sent once. Errors: UNAUTHORIZED without an API key; CALL_REVERTED; GAS_BUDGET_EXCEEDED; UNSUPPORTED_EXECUTION_TYPE if the operator has no relayer. After an error nothing has happened.',
    args: {
      input: t.arg({
        type: ExecuteInputType,
        required: true,
        description: 'The call, and its payment.',
      }),
    },
    extensions: { cost: 100, units: units.execute },
    resolve: (_, { input }, { operations, client }) =>
      operations.execute({ ...input, value: callFields.value.parse('0') }, client),
  }),
)

builder.queryField('relayedCalls', (t) =>
  t.field({
    type: [RelayedCallType],
    description: 'The calls that were accepted under an id, oldest first. Empty for an unknown id.',
    args: t.validate(
      {
        requestId: t.arg({
          type: 'RequestId',
          required: true,
          description:
            'Id of the quoted request that the call deposits for, else of the call itself.',
        }),
      },
      z.strictObject({ requestId: hashField }),
    ),
    extensions: { cost: 20, units: units.list, items: 2 },
    resolve: async (_, { requestId }, { operations }) => [
      ...(await operations.relayedCalls(requestId)),
    ],
  }),
)
