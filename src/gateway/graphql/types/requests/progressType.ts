import { builder } from '#src/gateway/graphql/builder.ts'
import type { RequestAnswer } from '#src/operations/operations.ts'
import type { Progress, TransactionSighting } from '#src/requests/state/requestState.ts'
import { toChainId } from '#src/units/chainId.ts'

/** With the answer that it is part of, which knows the heads of chains. */
type Sighting = TransactionSighting & Readonly<{ answer: RequestAnswer }>

export type ProgressOf = Readonly<{ progress: Progress; answer: RequestAnswer }>

const ProgressStatusType = builder.enumType('ProgressStatus', {
  description: 'How far a transaction has come.',
  values: {
    waiting: { description: 'Nothing is known of it yet.' },
    sent: { description: 'Sent, or about to be; no block holds it yet.' },
    seen: { description: 'A block holds it, not deep enough in the chain to count.' },
    confirmed: { description: 'Deep enough in the chain to count.' },
    implied: {
      description: 'Not seen itself, but what counts by now could not have been made without it.',
    },
    skipped: { description: 'Not to come any more: the request ends otherwise.' },
  } satisfies Record<Progress['status'], object>,
})

const SeenTransactionType = builder.objectRef<Sighting>('SeenTransaction').implement({
  description: 'A transaction of a request, and where it was found.',
  fields: (t) => ({
    chainId: t.field({
      type: 'ChainId',
      description: 'The chain it is on.',
      resolve: ({ chainId }) => toChainId(chainId),
    }),
    hash: t.expose('hash', { type: 'Hex', description: 'Its hash, 32 bytes.' }),
    blockNumber: t.field({
      type: 'SafeInt',
      nullable: true,
      description: 'The block that holds it; null while none does.',
      resolve: ({ block }) => block?.number ?? null,
    }),
    confirmations: t.int({
      nullable: true,
      description:
        'Blocks from its own to the head of its chain, both counted, as of this answer; null while no block holds it or the head is not known.',
      resolve: ({ answer, ...transaction }) => answer.confirmations(transaction) ?? null,
    }),
  }),
})

export const ProgressType = builder.objectRef<ProgressOf>('Progress').implement({
  description: 'How far one transaction has come.',
  fields: (t) => ({
    status: t.field({
      type: ProgressStatusType,
      description: 'How far it has come.',
      resolve: ({ progress }) => progress.status,
    }),
    transaction: t.field({
      type: SeenTransactionType,
      nullable: true,
      description: 'The transaction; null where none was seen.',
      resolve: ({ progress, answer }) =>
        'transaction' in progress ? { ...progress.transaction, answer } : null,
    }),
  }),
})

type StepOf = Readonly<{ at: number; answer: RequestAnswer }>

export const StepProgressType = builder.objectRef<StepOf>('StepProgress').implement({
  description: 'How far the user has come with one step of the quote.',
  fields: (t) => ({
    id: t.string({
      description: 'One of approve, deposit, swap and send.',
      resolve: (step) => quotedStep(step).id,
    }),
    description: t.string({
      description: 'What the step is good for, in words.',
      resolve: (step) => quotedStep(step).description,
    }),
    items: t.field({
      type: [ProgressType],
      description: 'One for each item of the step, in their order.',
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
