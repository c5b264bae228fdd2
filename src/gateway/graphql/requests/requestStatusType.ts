import { builder, type FieldsOf } from '#src/gateway/graphql/builder.ts'
import { NodeType, nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import { leastAdvancedRefund } from '#src/requests/progress.ts'
import { parentIdOf, shownDepositAddress, statusDetails } from '#src/requests/status.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { paidAppFees, paidToRecipient } from '#src/service/paidAmounts.ts'
import { publicOrderId, storedCurrencies } from '#src/service/requests/publicOrder.ts'
import { DepositAddressType } from './depositAddressType.ts'
import { DepositType } from './depositType.ts'
import { InputProgressType } from './inputProgressType.ts'
import { PaidAmountType } from './paidAmountType.ts'
import { ProgressType, StepProgressType } from './progressType.ts'
import { RequestedAmountType } from './requestedAmountType.ts'
import { FailReasonType, RefundFailReasonType, RequestStatusNameType } from './statusEnums.ts'

export const RequestStatusType = builder.objectRef<RequestAnswer>('RequestStatus').implement({
  description: 'A request and its progress. A quote with steps creates a request.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'RequestStatus', ({ request }) => [request.requestId]),
    requestId: t.field({
      type: 'RequestId',
      description: 'Id of the request, 32 bytes.',
      resolve: ({ request }) => request.requestId,
    }),
    ...stateFields(t),
    ...timeFields(t),
    ...accountFields(t),
    ...relationFields(t),
    ...orderFields(t),
    ...fundingFields(t),
    ...paymentFields(t),
  }),
})

type Fields = FieldsOf<RequestAnswer>

const stateFields = (t: Fields) => ({
  seq: t.int({
    description:
      'Number of changes so far; 0 for a new request. To miss no change, pass it as `after` when you subscribe again.',
    resolve: ({ state }) => state.seq,
  }),
  status: t.field({
    type: RequestStatusNameType,
    description: 'State of the request. success, failure and refund are terminal.',
    resolve: ({ state }) => state.status,
  }),
  failReason: t.field({
    type: FailReasonType,
    nullable: true,
    description:
      'Reason why it is not filled, or is filled without the calls of its order; null if there is none.',
    resolve: ({ state }) => state.failReason ?? null,
  }),
  refundFailReason: t.field({
    type: RefundFailReasonType,
    nullable: true,
    description: 'Reason why it cannot be refunded; null unless a due refund has failed.',
    resolve: ({ state }) => state.refundFailReason ?? null,
  }),
  details: t.string({
    nullable: true,
    description:
      'For people: the difference from the quote, such as a reverted deposit, and the place of the funds. Null if everything goes as quoted.',
    resolve: ({ request, state }) => statusDetails(request, state) ?? null,
  }),
  inTxHashes: t.field({
    type: ['Hex'],
    description: 'Hashes of the user’s transactions: the deposits, or the user’s own swap.',
    resolve: ({ state }) => state.inTxHashes,
  }),
  txHashes: t.field({
    type: ['Hex'],
    description: 'Hashes of the payments: the fill, the refunds, or the user’s own swap.',
    resolve: ({ state }) => state.txHashes,
  }),
})

const timeFields = (t: Fields) => ({
  updatedAtMs: t.field({
    type: 'SafeInt',
    description: 'Time of the last change, in milliseconds since 1970.',
    resolve: ({ state }) => state.updatedAt,
  }),
  updatedAt: t.field({
    type: 'SafeInt',
    deprecationReason: 'Its unit is in the name of `updatedAtMs`.',
    description: 'Time of the last change, in milliseconds since 1970.',
    resolve: ({ state }) => state.updatedAt,
  }),
  quoteCreatedAtMs: t.field({
    type: 'SafeInt',
    description: 'Time of the quote, in milliseconds since 1970.',
    resolve: ({ request }) => request.createdAt,
  }),
  quoteCreatedAt: t.field({
    type: 'SafeInt',
    deprecationReason: 'Its unit is in the name of `quoteCreatedAtMs`.',
    description: 'Time of the quote, in milliseconds since 1970.',
    resolve: ({ request }) => request.createdAt,
  }),
  deadline: t.field({
    type: 'SafeInt',
    description:
      'Latest block time of a deposit, in seconds since 1970. Later deposits are refunded.',
    resolve: ({ request }) => request.deadline,
  }),
})

const accountFields = (t: Fields) => ({
  originChainId: t.field({
    type: 'ChainId',
    description:
      'EIP-155 id of the chain that the user pays on. With several `inputs`, that of the first.',
    resolve: ({ request }) => request.originChainId,
  }),
  destinationChainId: t.field({
    type: 'ChainId',
    description: 'EIP-155 id of the chain that the recipient is paid on.',
    resolve: ({ request }) => request.destinationChainId,
  }),
  user: t.field({
    type: 'Address',
    description:
      'Account that pays. For a multi-input quote the root `user`: each of `inputs` has its own.',
    resolve: ({ request }) => request.user,
  }),
  recipient: t.field({
    type: 'Address',
    description: 'Account that is paid.',
    resolve: ({ request }) => request.recipient,
  }),
  refundTo: t.field({
    type: 'Address',
    description: 'Account that a refund is paid to. With several `inputs`, that of the first.',
    resolve: ({ request }) => request.refundTo,
  }),
})

const relationFields = (t: Fields) => ({
  depositAddress: t.field({
    type: DepositAddressType,
    nullable: true,
    description: 'The deposit address that the user pays; null without one.',
    resolve: ({ request }) => shownDepositAddress(request) ?? null,
  }),
  parentRequestId: t.field({
    type: 'RequestId',
    nullable: true,
    description:
      'Id of the request of the open deposit address that this request’s payment went to, 32 bytes. Null for other requests.',
    resolve: ({ request }) => parentIdOf(request) ?? null,
  }),
  supersededByRequestId: t.field({
    type: 'RequestId',
    nullable: true,
    description:
      'For an open deposit address, the id of the request of its newest payment, 32 bytes. The request of the address itself stays `waiting`. Null before the first payment, and for other requests.',
    resolve: ({ state }) => state.supersededBy ?? null,
  }),
})

const orderFields = (t: Fields) => ({
  currencyIn: t.field({
    type: RequestedAmountType,
    description: 'Quoted payment of the user. With several `inputs`, that of the first.',
    resolve: ({ request }) => ({
      chainId: request.originChainId,
      address: request.originCurrency,
      amount: request.amountIn,
      minimumAmount: request.amountIn,
      currency: storedCurrencies(request)?.origin,
    }),
  }),
  currencyOut: t.field({
    type: RequestedAmountType,
    description: 'Quoted output of the recipient.',
    resolve: ({ request }) => ({
      chainId: request.destinationChainId,
      address: request.destinationCurrency,
      amount: request.amountOut,
      minimumAmount: request.minimumAmountOut,
      currency: storedCurrencies(request)?.destination,
    }),
  }),
  referrer: t.string({
    nullable: true,
    description: 'The `referrer` of the quote; null without one.',
    resolve: ({ request }) => request.referrer ?? null,
  }),
  orderId: t.field({
    type: 'Hex',
    nullable: true,
    description:
      'Id of the order, 32 bytes. Null until a deposit is found (before that only the quote reveals it), and for a user’s own swap.',
    resolve: (answer) => publicOrderId(answer) ?? null,
  }),
})

const fundingFields = (t: Fields) => ({
  steps: t.field({
    type: [StepProgressType],
    description: 'Progress of each step of the quote, in order.',
    extensions: { items: 2 },
    resolve: (answer) => answer.request.steps.map((_, at) => ({ at, answer })),
  }),
  inputs: t.field({
    type: [InputProgressType],
    description:
      'The expected deposits with their progress, in the order of the steps; empty for a user’s own swap, and if another service executes the request.',
    extensions: { items: 2 },
    resolve: (answer) => {
      const { request } = answer
      return request.execution === 'solver'
        ? request.inputs.map((input, at) => ({ input, at, answer }))
        : []
    },
  }),
  depositDeadline: t.field({
    type: 'SafeInt',
    nullable: true,
    description:
      'Latest block time of a deposit of a multi-input quote, in seconds since 1970; null for other quotes.',
    resolve: (answer) => fundingOf(answer)?.depositDeadline ?? null,
  }),
  partial: t.boolean({
    nullable: true,
    description:
      'Whether a multi-input quote is filled with the deposits that arrive by `depositDeadline` if others are missing; null for other quotes.',
    resolve: (answer) => fundingOf(answer)?.partial ?? null,
  }),
})

const paymentFields = (t: Fields) => ({
  paid: t.field({
    type: PaidAmountType,
    nullable: true,
    description:
      'What the recipient got: by the fill, or by the user’s own swap. Null until it is confirmed, and if the chain does not show the amount.',
    resolve: (answer) => paidToRecipient(answer) ?? null,
  }),
  paidAppFees: t.field({
    type: [PaidAmountType],
    nullable: true,
    description:
      'The app fees that were paid out of settled deposits, or by the user’s own swap; empty before. Null if the chain does not show the amounts. Refused ones are in the `claims` of `deposits`. Reads the database, as `deposits` does.',
    extensions: { cost: 10, items: 2 },
    resolve: async (answer) => (await paidAppFees(answer)) ?? null,
  }),
  fill: t.field({
    type: ProgressType,
    nullable: true,
    description:
      'Progress of the solver’s payment on the destination chain; null for a user’s own swap.',
    resolve: (answer) => answer.state.fill && { progress: answer.state.fill, answer },
  }),
  refund: t.field({
    type: ProgressType,
    nullable: true,
    description:
      'Progress of the refund; null unless one is due. With several refunds, the least advanced one.',
    resolve: (answer) => {
      const progress = leastAdvancedRefund(answer.state)
      return progress && { progress, answer }
    },
  }),
  deposits: t.field({
    type: [DepositType],
    description:
      'Deposits received for the request at the time of this answer, oldest first. The only field with a database query of its own.',
    extensions: { cost: 10, items: 2 },
    resolve: async (answer) => (await answer.deposits()).map((deposit) => ({ ...deposit, answer })),
  }),
})

const fundingOf = ({ request }: RequestAnswer) =>
  request.execution === 'solver' ? request.funding : undefined
