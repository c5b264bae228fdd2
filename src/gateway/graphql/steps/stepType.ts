import { builder } from '#src/gateway/graphql/builder.ts'
import { NodeType, nodeId } from '#src/gateway/graphql/nodes/nodeType.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { Step, StepItem } from '#src/protocol/step.ts'
import { signedKinds } from '#src/service/input/permitInput.ts'
import type { QuotedItem, QuotedStep } from '#src/service/quotedSteps.ts'
import { CheckType } from './checkType.ts'
import { SvmTransactionType } from './svm/svmTransactionType.ts'

export const PermitKindType = builder.enumType('PermitKind', {
  description: 'Kind of message that a user signs to pay.',
  values: {
    EIP3009: { value: signedKinds[0], description: 'A transfer by the currency’s own contract.' },
    PERMIT2: { value: signedKinds[1], description: 'A transfer by Permit2.' },
    EIP2612: {
      value: signedKinds[2],
      description: 'An allowance for Permit2 by the currency’s own contract. It makes no payment.',
    },
  } as const,
})

type Signature = NonNullable<QuotedStep['signature']>

/** The typed data and the body of the request are JSON in the form that wallets and the REST API accept. */
const SignatureRequestType = builder.objectRef<Signature>('SignatureRequest').implement({
  description:
    'Typed data (EIP-712) for a wallet to sign. The signature goes to the mutation `executePermit`.',
  fields: (t) => ({
    kind: t.field({
      type: PermitKindType,
      description: 'Kind of the signed message: the `kind` of the mutation `executePermit`.',
      resolve: ({ post }) => post.body.kind,
    }),
    typedData: t.expose('typedData', {
      type: 'JsonObject',
      description:
        'The JSON for `eth_signTypedData_v4`, to pass on unchanged: `domain`, `types` with `EIP712Domain`, `primaryType` and `message`. The chain id is a number, times are numbers of seconds since 1970, and amounts and nonces are strings of decimal digits.',
    }),
    domain: t.field({
      type: 'JsonObject',
      description: 'Domain of the signature. Its contract is the currency, or Permit2.',
      resolve: ({ sign }) => sign.domain,
    }),
    types: t.field({
      type: 'JsonObject',
      description: 'Types of the message, by name, without `EIP712Domain`.',
      resolve: ({ sign }) => sign.types,
    }),
    primaryType: t.string({
      description: 'Name of the type of the message.',
      resolve: ({ sign }) => sign.primaryType,
    }),
    message: t.field({
      type: 'JsonObject',
      description:
        'The message. Amounts are strings of decimal digits; times are seconds since 1970.',
      resolve: ({ sign }) => sign.value,
    }),
    witness: t.field({
      type: 'JsonObject',
      nullable: true,
      description:
        'The run of the router. Its hash is the nonce of an EIP-3009 transfer. Null for other kinds, whose message contains it.',
      resolve: ({ witness }) => witness ?? null,
    }),
    check: t.expose('check', {
      type: CheckType,
      nullable: true,
      description: 'Status request of the quote; null except on the last step.',
    }),
  }),
})

export const StepNameType = builder.enumType('StepName', {
  description:
    'Kind of a step. A quote has at most one deposit, swap or send for each account that pays.',
  values: {
    APPROVE: {
      value: 'approve',
      description: 'Allows a contract to spend the currency that the user pays with.',
    },
    DEPOSIT: { value: 'deposit', description: 'Pays into the depository of the origin chain.' },
    SWAP: { value: 'swap', description: 'Swaps on one chain, without the solver.' },
    SEND: { value: 'send', description: 'Transfers the currency to the recipient on one chain.' },
    AUTHORIZE1: {
      value: 'authorize1',
      description:
        'A signature that pays for a deposit. If there are two signatures, the first one, which lets Permit2 transfer the currency.',
    },
    AUTHORIZE2: {
      value: 'authorize2',
      description:
        'A signature that pays for a swap on one chain. If there are two signatures, the second one, which pays.',
    },
  } as const satisfies Record<string, { value: Step['id']; description: string }>,
})

const TransactionType = builder.objectRef<QuotedItem['data']>('Transaction').implement({
  description: 'An EIP-1559 transaction for a wallet to sign and send.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Address', description: 'Account that signs it.' }),
    to: t.expose('to', { type: 'Address', description: 'Account or contract that it calls.' }),
    data: t.expose('data', {
      type: 'Hex',
      description: 'Calldata; "0x" for a transfer of the native currency.',
    }),
    value: t.expose('value', {
      type: 'Amount',
      description: 'Native currency to send, in wei.',
    }),
    chainId: t.expose('chainId', {
      type: 'ChainId',
      description: 'EIP-155 id of the chain to send it on.',
    }),
    gas: t.field({
      type: 'Amount',
      nullable: true,
      description:
        'Gas limit: simulated gas plus a margin. Null if the transaction cannot be simulated: another one must come first, or it would revert now. The only field of a step that needs an RPC call.',
      extensions: { units: units.gas },
      resolve: async ({ gas }) => (await gas()) ?? null,
    }),
    maxFeePerGas: t.expose('maxFeePerGas', {
      type: 'Amount',
      description:
        'Highest price for one unit of gas, in wei: twice the base fee plus the priority fee.',
    }),
    maxPriorityFeePerGas: t.expose('maxPriorityFeePerGas', {
      type: 'Amount',
      description: 'Priority fee for one unit of gas, in wei.',
    }),
  }),
})

const StepItemStatusType = builder.enumType('StepItemStatus', {
  description: 'State of an item in a quote.',
  values: {
    incomplete: { description: 'The wallet has to send it.' },
  } satisfies Record<StepItem['status'], object>,
})

const StepKindType = builder.enumType('StepKind', {
  description: 'Action of the wallet.',
  values: {
    transaction: {
      description: 'It sends the transactions in `items`, or the one in `svmTransaction`.',
    },
    signature: { description: 'It signs the typed data in `signature`.' },
  } satisfies Record<Step['kind'], object>,
})

/** A step of a quote, and its index. */
export type StepOf = QuotedStep & Readonly<{ quoteId: string; at: number }>

/** An item of a step, with the index of the step and its own. */
type ItemOf = QuotedItem & Readonly<{ quoteId: string; step: number; at: number }>

const StepItemType = builder.objectRef<ItemOf>('StepItem').implement({
  description: 'One transaction of a step, which the wallet signs and sends.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'StepItem', ({ quoteId, step, at }) => [quoteId, step, at]),
    status: t.expose('status', {
      type: StepItemStatusType,
      description: 'Always "incomplete": clients track their own progress.',
    }),
    data: t.expose('data', { type: TransactionType, description: 'Transaction to sign and send.' }),
    check: t.expose('check', {
      type: CheckType,
      nullable: true,
      description: 'Status request of the quote; null except on the last item of the last step.',
    }),
  }),
})

export const StepType = builder.objectRef<StepOf>('Step').implement({
  description: 'A step for a wallet. Execute all items of a step, then the next step.',
  interfaces: [NodeType],
  fields: (t) => ({
    id: nodeId(t, 'Step', ({ quoteId, at }) => [quoteId, at]),
    name: t.expose('id', { type: StepNameType, description: 'Kind of the step.' }),
    action: t.exposeString('action', {
      description: 'For people: the action that the user confirms in the wallet.',
    }),
    description: t.exposeString('description', {
      description: 'For people: the purpose of the step.',
    }),
    kind: t.expose('kind', { type: StepKindType, description: 'Action of the wallet.' }),
    requestId: t.expose('requestId', {
      type: 'RequestId',
      description: 'Id of the quote’s request. Equal in all steps of a quote.',
    }),
    depositAddress: t.field({
      type: 'Address',
      nullable: true,
      description: 'The deposit address that the step pays; null if it pays none.',
      resolve: ({ depositAddress }) => depositAddress || null,
    }),
    signature: t.expose('signature', {
      type: SignatureRequestType,
      nullable: true,
      description: 'The data to sign; null if the step has transactions.',
    }),
    svmTransaction: t.expose('svmItem', {
      type: SvmTransactionType,
      nullable: true,
      description: 'The transaction of the step on an svm chain; null for any other step.',
    }),
    items: t.field({
      type: [StepItemType],
      description:
        'Transactions in the order of execution. Empty if the step is a signature, or a transaction on an svm chain.',
      resolve: ({ items, quoteId, at: step }) =>
        items.map((item, at) => ({ ...item, quoteId, step, at })),
    }),
  }),
})
