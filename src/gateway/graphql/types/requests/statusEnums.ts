import { builder } from '#src/gateway/graphql/builder.ts'
import { failReasonTexts, refundFailReasonTexts } from '#src/operations/requests/statusUpdate.ts'
import type { RequestStatus } from '#src/requests/status/requestStatus.ts'

export const RequestStatusNameType = builder.enumType('RequestStatusName', {
  description: 'How a request stands. Of success, failure and refund nothing changes any more.',
  values: {
    waiting: { description: 'Quoted; no deposit counts yet.' },
    depositing: {
      description: 'Deposits of a multi-input quote come in; others are waited for.',
    },
    pending: {
      description:
        'What is deposited counts, and the fill is to be sent. Where the user swaps alone: a block holds the swap.',
    },
    submitted: { description: 'The fill is sent, and does not count yet.' },
    success: { description: 'The recipient was paid.' },
    failure: { description: 'Not filled, and no refund was due or possible.' },
    refund: { description: 'Not filled; what was deposited was paid back on its own chain.' },
  } satisfies Record<RequestStatus, object>,
})

const described = <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([name, description]) => [name, { description }]),
  ) as Record<Name, { description: string }>

export const FailReasonType = builder.enumType('FailReason', {
  description: 'Why a request was not filled, or a deposit is not what it was filled for.',
  values: described(failReasonTexts),
})

export const RefundFailReasonType = builder.enumType('RefundFailReason', {
  description: 'Why a deposit could not be paid back.',
  values: described(refundFailReasonTexts),
})
