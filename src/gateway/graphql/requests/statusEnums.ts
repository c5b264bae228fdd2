import { builder } from '#src/gateway/graphql/builder.ts'
import type { RequestStatus } from '#src/requests/state/requestState.ts'
import { failReasonTexts, refundFailReasonTexts } from '#src/requests/status.ts'

export const RequestStatusNameType = builder.enumType('RequestStatusName', {
  description: 'Status of a request. success, failure and refund are terminal.',
  values: {
    waiting: { description: 'Quoted. No deposit is confirmed yet.' },
    depositing: {
      description: 'Some deposits of a multi-input quote are confirmed. Others are still expected.',
    },
    pending: {
      description:
        'The deposit is confirmed, and the fill will be sent. For a user’s own swap: a block contains the swap.',
    },
    submitted: { description: 'The fill is sent. It is not confirmed yet.' },
    success: { description: 'The recipient is paid.' },
    failure: { description: 'Not filled. No refund was due or possible.' },
    refund: { description: 'Not filled. The deposits are refunded on their own chains.' },
  } satisfies Record<RequestStatus, object>,
})

const withDescriptions = <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>

export const FailReasonType = builder.enumType('FailReason', {
  description:
    'Reason why a request is not filled or is filled without the calls of its order, or why a deposit is refunded.',
  values: withDescriptions(failReasonTexts),
})

export const RefundFailReasonType = builder.enumType('RefundFailReason', {
  description: 'Reason why a deposit cannot be refunded.',
  values: withDescriptions(refundFailReasonTexts),
})
