import { builder } from '#src/gateway/graphql/builder.ts'
import { NodeType, nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import { depositProgress } from '#src/requests/progress.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import type { InputState } from '#src/requests/state/requestState.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { ProgressType } from './progressType.ts'
import { RequestedAmountType } from './requestedAmountType.ts'

/** One input of a request, and its index. */
type InputOf = Readonly<{ input: RequestInput; at: number; answer: RequestAnswer }>

const FundingStatusType = builder.enumType('FundingStatus', {
  description: 'Whether the deposit for an input has arrived.',
  values: {
    open: { description: 'No deposit is confirmed yet.' },
    funded: { description: 'A deposit is confirmed and accepted.' },
    missed: { description: 'The deadline has passed without a deposit. A later one is refunded.' },
  } satisfies Record<InputState['status'], object>,
})

export const InputProgressType = builder.objectRef<InputOf>('InputProgress').implement({
  description: 'One deposit that a request expects, and its progress.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'InputProgress', ({ answer, at }) => [answer.request.requestId, at]),
    chainId: t.field({
      type: 'ChainId',
      description: 'EIP-155 id of the chain to deposit on.',
      resolve: ({ input }) => input.chainId,
    }),
    user: t.field({
      type: 'Address',
      description: 'Account that deposits.',
      resolve: ({ input }) => input.user,
    }),
    refundTo: t.field({
      type: 'Address',
      description: 'Account that a refund is paid to, on the same chain.',
      resolve: ({ input }) => input.refundTo,
    }),
    payment: t.field({
      type: RequestedAmountType,
      description: 'Quoted payment of the user, before the swap of the origin leg if there is one.',
      resolve: ({ input: { chainId, currency, amount } }) => ({
        chainId,
        address: currency,
        amount,
        minimumAmount: amount,
      }),
    }),
    depositCurrency: t.field({
      type: 'Address',
      description:
        'Contract of the currency that the depository must receive; the zero address for the native currency.',
      resolve: ({ input }) => input.depositCurrency,
    }),
    depositAmount: t.field({
      type: 'Amount',
      description: 'Quoted amount of `depositCurrency`, in the smallest unit.',
      resolve: ({ input }) => input.depositAmount,
    }),
    leastDeposit: t.field({
      type: 'Amount',
      description:
        'Lowest amount of `depositCurrency` that completes the input: the minimum output of the swap before the deposit, in the smallest unit.',
      resolve: ({ input }) => input.leastDeposit,
    }),
    funding: t.field({
      type: FundingStatusType,
      description: 'Whether the deposit has arrived.',
      resolve: ({ at, answer }) => fundingAt(answer, at).status,
    }),
    deposit: t.field({
      type: ProgressType,
      description: 'Progress of the deposit.',
      resolve: ({ at, answer }) => ({
        progress: depositProgress({ ...answer.request, state: answer.state }, at),
        answer,
      }),
    }),
    refund: t.field({
      type: ProgressType,
      nullable: true,
      description: 'Progress of the refund; null unless one is due.',
      resolve: ({ at, answer }) => {
        const progress = answer.state.refunds?.[at]
        return progress && { progress, answer }
      },
    }),
  }),
})

function fundingAt({ request, state }: RequestAnswer, at: number): InputState {
  const funding = state.inputStates[at]
  if (funding === undefined) throw new Error(`${request.requestId} has no input ${at}`)
  return funding
}
