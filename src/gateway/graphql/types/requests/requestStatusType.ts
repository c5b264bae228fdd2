import { builder } from '#src/gateway/graphql/builder.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import { shownOrderId } from '#src/operations/requests/publicOrderId.ts'
import { shownRefund } from '#src/operations/requests/statusUpdate.ts'
import { DepositType } from './depositType.ts'
import { InputProgressType } from './inputProgressType.ts'
import { ProgressType, StepProgressType } from './progressType.ts'
import { RequestedAmountType } from './requestedAmountType.ts'
import { FailReasonType, RefundFailReasonType, RequestStatusNameType } from './statusEnums.ts'

export const RequestStatusType = builder.objectRef<RequestAnswer>('RequestStatus').implement({
  description: 'A request that was quoted with steps, and how it stands.',
  fields: (t) => ({
    requestId: t.field({
      type: 'RequestId',
      description: 'Names it.',
      resolve: ({ request }) => request.requestId,
    }),
    seq: t.int({
      description:
        'Counts its changes: 0 is the quote as it was stored. Who subscribes again with it as `after` misses nothing.',
      resolve: ({ state }) => state.seq,
    }),
    status: t.field({
      type: RequestStatusNameType,
      description: 'How it stands.',
      resolve: ({ state }) => state.status,
    }),
    failReason: t.field({
      type: FailReasonType,
      nullable: true,
      description: 'Why it will not be filled; null unless that is known.',
      resolve: ({ state }) => state.failReason ?? null,
    }),
    refundFailReason: t.field({
      type: RefundFailReasonType,
      nullable: true,
      description:
        'Why it cannot be paid back either; null unless it failed where a refund was due.',
      resolve: ({ state }) => state.refundFailReason ?? null,
    }),
    inTxHashes: t.field({
      type: ['Hex'],
      description: 'What the user sent: deposits, or the swap where the user swaps alone.',
      resolve: ({ state }) => state.inTxHashes,
    }),
    txHashes: t.field({
      type: ['Hex'],
      description: 'What paid: the fill, the refunds, or the swap where the user swaps alone.',
      resolve: ({ state }) => state.txHashes,
    }),
    updatedAt: t.field({
      type: 'SafeInt',
      description: 'When it last changed, in milliseconds since 1970.',
      resolve: ({ state }) => state.updatedAt,
    }),
    quoteCreatedAt: t.field({
      type: 'SafeInt',
      description: 'When it was quoted, in milliseconds since 1970.',
      resolve: ({ request }) => request.createdAt,
    }),
    deadline: t.field({
      type: 'SafeInt',
      description: 'Until when a deposit counts, in seconds since 1970.',
      resolve: ({ request }) => request.deadline,
    }),
    originChainId: t.field({
      type: 'ChainId',
      description:
        'The chain that it pays in on: of the first of its `inputs`, where there are several.',
      resolve: ({ request }) => request.originChainId,
    }),
    destinationChainId: t.field({
      type: 'ChainId',
      description: 'The chain that it pays out on.',
      resolve: ({ request }) => request.destinationChainId,
    }),
    user: t.field({
      type: 'Address',
      description:
        'Who pays; of a multi-input quote, who asked for it: each of its `inputs` names its own.',
      resolve: ({ request }) => request.user,
    }),
    recipient: t.field({
      type: 'Address',
      description: 'Who is paid.',
      resolve: ({ request }) => request.recipient,
    }),
    refundTo: t.field({
      type: 'Address',
      description: 'Who is paid back if it is not filled; each of its `inputs` names its own.',
      resolve: ({ request }) => request.refundTo,
    }),
    currencyIn: t.field({
      type: RequestedAmountType,
      description:
        'What the user pays, as it was quoted; of the first of its `inputs`, where there are several.',
      resolve: ({ request: { originChainId, originCurrency, amountIn } }) => ({
        chainId: originChainId,
        address: originCurrency,
        amount: amountIn,
        minimumAmount: amountIn,
      }),
    }),
    currencyOut: t.field({
      type: RequestedAmountType,
      description: 'What the recipient gets, as it was quoted.',
      resolve: ({ request }) => ({
        chainId: request.destinationChainId,
        address: request.destinationCurrency,
        amount: request.amountOut,
        minimumAmount: request.minimumAmountOut,
      }),
    }),
    referrer: t.string({
      nullable: true,
      description: 'Who sent the user, in the client’s own words; null where none was named.',
      resolve: ({ request }) => request.referrer ?? null,
    }),
    orderId: t.field({
      type: 'Hex',
      nullable: true,
      description:
        'What deposits for it carry, 32 bytes; null until one is seen, as the quote alone tells it before, and where the user swaps alone.',
      resolve: (answer) => shownOrderId(answer) ?? null,
    }),
    steps: t.field({
      type: [StepProgressType],
      description: 'How far the user has come, step by step.',
      extensions: { items: 2 },
      resolve: (answer) => answer.request.steps.map((_, at) => ({ at, answer })),
    }),
    inputs: t.field({
      type: [InputProgressType],
      description:
        'What is deposited for it, one entry a deposit, in the order of the steps; empty where the user swaps alone.',
      extensions: { items: 2 },
      resolve: (answer) => {
        const { request } = answer
        return request.execution === 'user'
          ? []
          : request.inputs.map((input, at) => ({ input, at, answer }))
      },
    }),
    depositDeadline: t.field({
      type: 'SafeInt',
      nullable: true,
      description:
        'Until when its deposits are gathered, in seconds since 1970: the time of the last block that they count in; null unless it is of a multi-input quote.',
      resolve: (answer) => gatheringOf(answer)?.until ?? null,
    }),
    partial: t.boolean({
      nullable: true,
      description:
        'Whether what has come by then is filled without the rest; null unless it is of a multi-input quote.',
      resolve: (answer) => gatheringOf(answer)?.partial ?? null,
    }),
    fill: t.field({
      type: ProgressType,
      nullable: true,
      description:
        'The solver’s payment on the destination chain; null where the user swaps alone.',
      resolve: (answer) => answer.state.fill && { progress: answer.state.fill, answer },
    }),
    refund: t.field({
      type: ProgressType,
      nullable: true,
      description:
        'The payment back, or of several the one that has come least far; null unless one is due.',
      resolve: (answer) => {
        const progress = shownRefund(answer.state)
        return progress && { progress, answer }
      },
    }),
    deposits: t.field({
      type: [DepositType],
      description:
        'What arrived for it, oldest first, as of this answer. The one field that costs a query of its own.',
      extensions: { cost: 10, items: 2 },
      resolve: async (answer) =>
        (await answer.deposits()).map((deposit) => ({ ...deposit, answer })),
    }),
  }),
})

const gatheringOf = ({ request }: RequestAnswer) =>
  request.execution === 'solver' ? request.gathering : undefined
