import { builder } from '#src/gateway/graphql/builder.ts'
import { CheckType } from '#src/gateway/graphql/steps/checkType.ts'
import { units } from '#src/gateway/limits/units.ts'
import type { QuotedSvmItem } from '#src/service/quotedSteps.ts'

type Instruction = QuotedSvmItem['instructions'][number]

const AccountMetaType = builder.objectRef<Instruction['keys'][number]>('SvmAccountMeta').implement({
  description: 'An account that an instruction uses.',
  fields: (t) => ({
    pubkey: t.expose('pubkey', { type: 'Address', description: 'The account, in base58.' }),
    isSigner: t.exposeBoolean('isSigner', { description: 'Whether it must sign.' }),
    isWritable: t.exposeBoolean('isWritable', { description: 'Whether it may change.' }),
  }),
})

const InstructionType = builder.objectRef<Instruction>('SvmInstruction').implement({
  description: 'A call of a program.',
  fields: (t) => ({
    programId: t.expose('programId', { type: 'Address', description: 'The program, in base58.' }),
    keys: t.expose('keys', {
      type: [AccountMetaType],
      description: 'The accounts of the instruction, in the order of the program.',
    }),
    data: t.exposeString('data', {
      description: 'The data of the instruction: hexadecimal digits without 0x.',
    }),
  }),
})

export const SvmTransactionType = builder.objectRef<QuotedSvmItem>('SvmTransaction').implement({
  description:
    'A transaction of an svm chain. The wallet adds a recent block hash, signs and sends it.',
  fields: (t) => ({
    chainId: t.expose('chainId', {
      type: 'ChainId',
      description: 'Id of the chain to send it on.',
    }),
    payer: t.expose('payer', {
      type: 'Address',
      description: 'Account that signs first and pays the fee, in base58.',
    }),
    instructions: t.expose('instructions', {
      type: [InstructionType],
      description: 'The instructions in the order of execution.',
    }),
    addressLookupTableAddresses: t.field({
      type: ['Address'],
      description: 'The lookup tables that the transaction needs. Always empty.',
      resolve: () => [],
    }),
    gas: t.field({
      type: 'Amount',
      nullable: true,
      description:
        'Compute units: simulated units plus a margin. Null if the transaction would fail now, or if no node simulates it. The only field of the transaction that needs an RPC call.',
      extensions: { units: units.gas },
      resolve: async ({ gas }) => (await gas()) ?? null,
    }),
    check: t.expose('check', {
      type: CheckType,
      nullable: true,
      description: 'Status request of the quote; null except on the last step.',
    }),
  }),
})
