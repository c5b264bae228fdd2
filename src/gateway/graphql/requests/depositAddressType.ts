import { builder } from '#src/gateway/graphql/builder.ts'
import type { DepositAddress } from '#src/requests/status.ts'

const DepositAddressKindType = builder.enumType('DepositAddressKind', {
  description:
    'Kinds of deposit addresses. Each is a contract that can only deposit: nobody has a key.',
  values: {
    open: {
      description:
        'It accepts any number of payments until its deadline. Each payment is quoted when it arrives, as a request of its own.',
    },
    strict: { description: 'It accepts one payment, for the order as quoted.' },
  },
})

export const DepositAddressType = builder.objectRef<DepositAddress>('DepositAddress').implement({
  description: 'The address that the user of a request pays.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'The address.' }),
    kind: t.expose('depositAddressType', {
      type: DepositAddressKindType,
      description: 'Kind of the address.',
    }),
    depositor: t.expose('depositor', {
      type: 'Address',
      description: 'The account that the address deposits for.',
    }),
  }),
})
