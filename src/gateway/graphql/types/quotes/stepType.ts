import { builder } from '#src/gateway/graphql/builder.ts'
import type { QuotedItem, QuotedStep } from '#src/operations/operations.ts'

const TransactionType = builder.objectRef<QuotedItem['data']>('Transaction').implement({
  description: 'A transaction as wallets take it (EIP-1559).',
  fields: (t) => ({
    from: t.expose('from', { type: 'Address', description: 'Who signs it.' }),
    to: t.expose('to', { type: 'Address', description: 'The account or contract it goes to.' }),
    data: t.expose('data', { type: 'Hex', description: 'Its calldata.' }),
    value: t.expose('value', {
      type: 'Amount',
      description: 'Native currency sent along, in wei.',
    }),
    chainId: t.expose('chainId', { type: 'ChainId', description: 'The chain to send it on.' }),
    gas: t.field({
      type: 'Amount',
      nullable: true,
      description:
        'Its gas limit, simulated, with room to spare; null where it cannot be simulated yet because another transaction comes first, or because it would fail as things stand. The one field of a step that costs a call of the chain.',
      resolve: async ({ gas }) => (await gas()) ?? null,
    }),
    maxFeePerGas: t.expose('maxFeePerGas', {
      type: 'Amount',
      description: 'Wei a unit of gas at the most: twice the base fee and the tip.',
    }),
    maxPriorityFeePerGas: t.expose('maxPriorityFeePerGas', {
      type: 'Amount',
      description: 'Wei a unit of gas for whoever mines it.',
    }),
  }),
})

const CheckType = builder.objectRef<NonNullable<QuotedItem['check']>>('Check').implement({
  description: 'Where to ask how the request stands.',
  fields: (t) => ({
    endpoint: t.exposeString('endpoint', { description: 'Path and query on this server.' }),
    method: t.exposeString('method', { description: 'The HTTP method.' }),
  }),
})

const StepItemType = builder.objectRef<QuotedItem>('StepItem').implement({
  description: 'One thing for the wallet to do.',
  fields: (t) => ({
    status: t.exposeString('status', {
      description:
        'Always "incomplete" from here: clients note for themselves what they have done.',
    }),
    data: t.expose('data', { type: TransactionType, description: 'What to sign and send.' }),
    check: t.expose('check', {
      type: CheckType,
      nullable: true,
      description: 'Where to ask how the request stands; on the last step’s last item alone.',
    }),
  }),
})

export const StepType = builder.objectRef<QuotedStep>('Step').implement({
  description: 'What the wallet does in turn: the items of a step, then the next step.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'One of approve, deposit, swap and send.' }),
    action: t.exposeString('action', { description: 'What the wallet asks for, in words.' }),
    description: t.exposeString('description', { description: 'What it is good for, in words.' }),
    kind: t.exposeString('kind', {
      description: 'Always transaction: its items are transactions.',
    }),
    requestId: t.expose('requestId', {
      type: 'Hex',
      description: 'The request that this step belongs to, 32 bytes; the same in all its steps.',
    }),
    depositAddress: t.string({
      nullable: true,
      description: 'Of deposits alone: empty, as nothing is paid to a deposit address.',
      resolve: ({ depositAddress }) => depositAddress ?? null,
    }),
    items: t.expose('items', { type: [StepItemType], description: 'In the order to do them in.' }),
  }),
})
