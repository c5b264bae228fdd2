import { builder } from '#src/gateway/graphql/builder.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import { depositProgress } from '#src/operations/requests/statusUpdate.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { InputFunding } from '#src/requests/state/requestState.ts'
import { ProgressType } from './progressType.ts'
import { RequestedAmountType } from './requestedAmountType.ts'

/** One of the request's inputs, by its place. */
type InputOf = Readonly<{ input: RequestInput; at: number; answer: RequestAnswer }>

const FundingStatusType = builder.enumType('FundingStatus', {
  description: 'Whether the deposit that a request waits for has come.',
  values: {
    open: { description: 'It is waited for.' },
    funded: { description: 'It has come, and counts.' },
    missed: { description: 'It has not come in time; what comes later is paid back.' },
  } satisfies Record<InputFunding['status'], object>,
})

export const InputProgressType = builder.objectRef<InputOf>('InputProgress').implement({
  description: 'What one account deposits for a request, and how far that has come.',
  fields: (t) => ({
    chainId: t.field({
      type: 'ChainId',
      description: 'The chain to deposit on.',
      resolve: ({ input }) => input.chainId,
    }),
    user: t.field({
      type: 'Address',
      description: 'Who deposits.',
      resolve: ({ input }) => input.user,
    }),
    refundTo: t.field({
      type: 'Address',
      description: 'Who is paid back there if the deposit is not filled.',
      resolve: ({ input }) => input.refundTo,
    }),
    currency: t.field({
      type: RequestedAmountType,
      description: 'What the user pays, as it was quoted.',
      resolve: ({ input: { chainId, currency, amount } }) => ({
        ...{ chainId, address: currency, amount },
        minimumAmount: amount,
      }),
    }),
    depositCurrency: t.field({
      type: 'Address',
      description:
        'What the depository is to receive: the contract of the currency, zero for the native one.',
      resolve: ({ input }) => input.depositCurrency,
    }),
    depositAmount: t.field({
      type: 'Amount',
      description: 'How much of it was quoted, in the smallest unit.',
      resolve: ({ input }) => input.depositAmount,
    }),
    leastDeposit: t.field({
      type: 'Amount',
      description:
        'The least of it that is as ordered: what a swap before the deposit gives at the least.',
      resolve: ({ input }) => input.leastDeposit,
    }),
    funding: t.field({
      type: FundingStatusType,
      description: 'Whether its deposit has come.',
      resolve: ({ at, answer }) => fundingAt(answer, at).status,
    }),
    deposit: t.field({
      type: ProgressType,
      description: 'How far its deposit has come.',
      resolve: ({ at, answer }) => ({
        progress: depositProgress({ ...answer.request, state: answer.state }, at),
        answer,
      }),
    }),
    refund: t.field({
      type: ProgressType,
      nullable: true,
      description: 'The payment back; null unless one is due.',
      resolve: ({ at, answer }) => {
        const progress = answer.state.refunds?.[at]
        return progress && { progress, answer }
      },
    }),
  }),
})

function fundingAt({ request, state }: RequestAnswer, at: number): InputFunding {
  const funding = state.fundings[at]
  if (funding === undefined) throw new Error(`${request.requestId} has no input ${at}`)
  return funding
}
