import { builder } from '#src/gateway/graphql/builder.ts'
import { NodeType, nodeId } from '#src/gateway/graphql/types/nodes/nodeType.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import type { DepositWithRefund } from '#src/operations/requests/depositRefunds.ts'
import type { DepositStatus } from '#src/requests/state/deposit.ts'
import { ProgressType } from './progressType.ts'
import { RequestedAmountType } from './requestedAmountType.ts'
import { FailReasonType, RefundFailReasonType } from './statusEnums.ts'

const DepositStatusType = builder.enumType('DepositStatus', {
  description: 'State of a deposit. A deposit is filled or refunded exactly once.',
  values: {
    seen: { description: 'A block contains it. It is not confirmed yet.' },
    credited: { description: 'Confirmed, and accepted for its request.' },
    filled: { description: 'The recipient of its request is paid.' },
    settling: {
      description:
        'The payout from the depository to the account that it is due to is in progress.',
    },
    settled: { description: 'Paid out from the depository to the account that it is due to.' },
    refundable: { description: 'It will be refunded, for its `reason`.' },
    refunded: { description: 'Refunded.' },
    kept: { description: 'It cannot be refunded, for its `refundFailReason`.' },
  } satisfies Record<DepositStatus, object>,
})

/** A deposit with its answer, which counts confirmations. */
type DepositOf = DepositWithRefund & Readonly<{ answer: RequestAnswer }>

export const DepositType = builder.objectRef<DepositOf>('Deposit').implement({
  description: 'A deposit that a depository received for a request.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'Deposit', ({ answer, depositId }) => [answer.request.requestId, depositId]),
    chainId: t.expose('chainId', { type: 'ChainId', description: 'EIP-155 id of its chain.' }),
    txHash: t.expose('txHash', { type: 'Hex', description: 'Transaction hash, 32 bytes.' }),
    depositor: t.expose('depositor', {
      type: 'Address',
      description: 'Account that the depository took the deposit from; it can take it back.',
    }),
    received: t.field({
      type: RequestedAmountType,
      description: 'Currency and amount that the depository received.',
      resolve: ({ chainId, currency, amount }) => ({
        chainId,
        address: currency,
        amount,
        minimumAmount: amount,
      }),
    }),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'Amount received, in the smallest unit.',
    }),
    status: t.expose('status', {
      type: DepositStatusType,
      description: 'What has become of the deposit so far.',
    }),
    reason: t.expose('reason', {
      type: FailReasonType,
      nullable: true,
      description: 'Why it is not filled; null without a reason.',
    }),
    refund: t.field({
      type: ProgressType,
      nullable: true,
      description: 'Progress of its refund; null if none is sent.',
      resolve: ({ refund, answer }) => refund && { progress: refund, answer },
    }),
    refundFailReason: t.expose('refundFailReason', {
      type: RefundFailReasonType,
      nullable: true,
      description: 'Why it cannot be refunded; null without a reason.',
    }),
  }),
})
