import { builder } from '#src/gateway/graphql/builder.ts'
import { NodeType, nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import type { DepositStatus } from '#src/requests/state/deposit.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import type { DepositWithRefund } from '#src/service/depositRefunds.ts'
import { ClaimType } from './claimType.ts'
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
      description: 'The payout from the depository to the entitled account is in progress.',
    },
    settled: { description: 'Paid out from the depository to the entitled account.' },
    refundable: { description: 'It will be refunded. `reason` has the cause.' },
    refunded: { description: 'Refunded.' },
    kept: { description: 'It cannot be refunded. `refundFailReason` has the cause.' },
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
    txHash: t.expose('txHash', {
      type: 'Hex',
      description: 'Transaction hash: 32 bytes, or base58 on a chain without the EVM.',
    }),
    depositor: t.expose('depositor', {
      type: 'Address',
      description:
        'Account that the depository credits the deposit to. It can withdraw a recorded deposit after the exit time.',
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
      description: 'State of the deposit.',
    }),
    reason: t.expose('reason', {
      type: FailReasonType,
      nullable: true,
      description: 'Reason why it is not filled; null if there is none.',
    }),
    refund: t.field({
      type: ProgressType,
      nullable: true,
      description: 'Progress of its refund; null if no refund is sent.',
      resolve: ({ refund, answer }) => refund && { progress: refund, answer },
    }),
    refundFailReason: t.expose('refundFailReason', {
      type: RefundFailReasonType,
      nullable: true,
      description: 'Reason why it cannot be refunded; null if there is none.',
    }),
    claims: t.field({
      type: [ClaimType],
      description:
        'Refunds and app fees out of it that their recipients did not accept, such as native currency for a contract that takes none. They stay claimable until somebody claims them.',
      extensions: { items: 1 },
      resolve: ({ claims }) => claims,
    }),
  }),
})
