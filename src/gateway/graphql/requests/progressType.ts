import { toChainId } from '#src/core/units/chainId.ts'
import { explorerUrlOf } from '#src/gateway/explorerUrl.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { NodeType, nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import { StepNameType } from '#src/gateway/graphql/steps/stepType.ts'
import type { ObservedTransaction, Progress } from '#src/requests/state/requestState.ts'
import type { RequestAnswer } from '#src/service/answers.ts'
import { paidBy } from '#src/service/paidAmounts.ts'
import { PaidAmountType } from './paidAmountType.ts'

/** A transaction with its answer, which counts confirmations. */
type TransactionOf = ObservedTransaction & Readonly<{ answer: RequestAnswer }>

type ProgressOf = Readonly<{ progress: Progress; answer: RequestAnswer }>

const ProgressStatusType = builder.enumType('ProgressStatus', {
  description: 'Progress of a transaction.',
  values: {
    waiting: { description: 'No transaction is known yet.' },
    signed: {
      description: 'The user has signed. The solver has not sent the transaction yet.',
    },
    sent: { description: 'Sent or about to be sent. No block contains it yet.' },
    seen: { description: 'A block contains it. It is not confirmed yet.' },
    confirmed: {
      description:
        'Enough blocks follow it: the gateway waits for a number that depends on the chain.',
    },
    reverted: {
      description:
        'It reverted, and enough blocks follow its block. Only gas was spent. Another transaction may replace it.',
    },
    implied: {
      description: 'Not observed, but a later confirmed transaction proves that it succeeded.',
    },
    skipped: { description: 'No longer expected: the request ends without it.' },
  } satisfies Record<Progress['status'], object>,
})

const SeenTransactionType = builder.objectRef<TransactionOf>('SeenTransaction').implement({
  description: 'A transaction of a request, and its block.',
  fields: (t) => ({
    chainId: t.field({
      type: 'ChainId',
      description: 'EIP-155 id of its chain.',
      resolve: ({ chainId }) => toChainId(chainId),
    }),
    hash: t.expose('hash', {
      type: 'Hex',
      description: 'Transaction hash: 32 bytes, or base58 on a chain without the EVM.',
    }),
    explorerUrl: t.string({
      nullable: true,
      description:
        'Page of the transaction in the block explorer of its chain; null if no explorer is configured.',
      resolve: ({ chainId, hash }, _, { operations }) =>
        explorerUrlOf({ chainId, txHash: hash }, operations) ?? null,
    }),
    blockNumber: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'Number of the block that contains it; null before it is mined.',
      resolve: ({ block }) => block?.number ?? null,
    }),
    confirmations: t.int({
      nullable: true,
      description:
        'Number of blocks from its block to the head of the chain, both included, at the time of this answer; null before it is mined, or if the head is unknown.',
      resolve: ({ answer, ...transaction }) => answer.confirmations(transaction) ?? null,
    }),
  }),
})

export const ProgressType = builder.objectRef<ProgressOf>('Progress').implement({
  description: 'Progress of one transaction.',
  fields: (t) => ({
    status: t.field({
      type: ProgressStatusType,
      description: 'State of the transaction.',
      resolve: ({ progress }) => progress.status,
    }),
    transaction: t.field({
      type: SeenTransactionType,
      nullable: true,
      description: 'The transaction; null if none is known.',
      resolve: ({ progress, answer }) =>
        'transaction' in progress ? { ...progress.transaction, answer } : null,
    }),
    paid: t.field({
      type: PaidAmountType,
      nullable: true,
      description:
        'What the fill, the refund or the user’s own swap has paid. Null until it is confirmed, for other transactions, and if the chain does not show the amount: native currency out of a Uniswap v4 pool or after the calls of an order leaves no log.',
      resolve: ({ progress, answer }) => paidBy(progress, answer.request) ?? null,
    }),
  }),
})

type StepOf = Readonly<{ at: number; answer: RequestAnswer }>

export const StepProgressType = builder.objectRef<StepOf>('StepProgress').implement({
  description: 'Progress of one step of the quote.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'StepProgress', ({ answer, at }) => [answer.request.requestId, at]),
    name: t.field({
      type: StepNameType,
      description: 'Kind of the step.',
      resolve: (step) => quotedStep(step).id,
    }),
    description: t.string({
      description: 'For people: the purpose of the step.',
      resolve: (step) => quotedStep(step).description,
    }),
    items: t.field({
      type: [ProgressType],
      description: 'Progress of each item of the step, in the order of execution.',
      extensions: { items: 2 },
      resolve: ({ at, answer }) =>
        (answer.state.steps[at] ?? []).map((progress) => ({ progress, answer })),
    }),
  }),
})

function quotedStep({ at, answer }: StepOf) {
  const step = answer.request.steps[at]
  if (step === undefined) throw new Error(`${answer.request.requestId} has no step ${at}`)
  return step
}
