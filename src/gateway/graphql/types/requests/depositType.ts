import { builder } from '#src/gateway/graphql/builder.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import type { RepaidDeposit } from '#src/operations/requests/depositRefunds.ts'
import type { DepositStatus } from '#src/requests/state/deposit.ts'
import { ProgressType } from './progressType.ts'
import { RequestedAmountType } from './requestedAmountType.ts'
import { FailReasonType, RefundFailReasonType } from './statusEnums.ts'

const DepositStatusType = builder.enumType('DepositStatus', {
  description: 'What becomes of a deposit: it is filled or refunded exactly once.',
  values: {
    seen: { description: 'In a block, not deep enough in the chain to count.' },
    credited: { description: 'Its request counts on it.' },
    filled: { description: 'Its request was paid out.' },
    settling: { description: 'On its way from the depository to whom it is due now.' },
    settled: { description: 'Paid on to whom it is due.' },
    refundable: { description: 'To be paid back, for its `reason`.' },
    refunded: { description: 'Paid back.' },
    kept: { description: 'Cannot be paid back, for its `refundFailReason`.' },
  } satisfies Record<DepositStatus, object>,
})

/** With the answer that it is part of, which knows the heads of chains. */
type DepositOf = RepaidDeposit & Readonly<{ answer: RequestAnswer }>

export const DepositType = builder.objectRef<DepositOf>('Deposit').implement({
  description: 'Money that arrived at a depository for a request.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'ChainId', description: 'The chain it arrived on.' }),
    txHash: t.expose('txHash', { type: 'Hex', description: 'Its transaction, 32 bytes.' }),
    depositor: t.expose('depositor', { type: 'Address', description: 'Who deposited.' }),
    currency: t.field({
      type: RequestedAmountType,
      description: 'What arrived, and how much of it.',
      resolve: ({ chainId, currency, amount }) => ({
        chainId,
        address: currency,
        amount,
        minimumAmount: amount,
      }),
    }),
    amount: t.expose('amount', { type: 'Amount', description: 'In the smallest unit.' }),
    status: t.expose('status', {
      type: DepositStatusType,
      description: 'What has become of it.',
    }),
    reason: t.expose('reason', {
      type: FailReasonType,
      nullable: true,
      description: 'Why it was not filled for; null unless set.',
    }),
    refund: t.field({
      type: ProgressType,
      nullable: true,
      description: 'The payment back; null where none was sent.',
      resolve: ({ refund, answer }) => refund && { progress: refund, answer },
    }),
    refundFailReason: t.expose('refundFailReason', {
      type: RefundFailReasonType,
      nullable: true,
      description: 'Why it cannot be paid back; null unless set.',
    }),
  }),
})
