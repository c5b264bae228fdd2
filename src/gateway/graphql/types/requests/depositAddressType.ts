import { builder } from '#src/gateway/graphql/builder.ts'
import type { DepositAddress } from '#src/requests/status/depositAddress.ts'

const DepositAddressKindType = builder.enumType('DepositAddressKind', {
  description: 'Kinds of deposit addresses.',
  values: {
    strict: { description: 'A contract that can only deposit for one order. Nobody has a key.' },
  },
})

export const DepositAddressType = builder.objectRef<DepositAddress>('DepositAddress').implement({
  description: 'The address that the user of a request pays.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'The address.' }),
    kind: t.expose('depositAddressType', {
      type: DepositAddressKindType,
      description: 'Whom it obeys.',
    }),
    depositor: t.expose('depositor', {
      type: 'Address',
      description: 'The account in whose name it deposits.',
    }),
  }),
})
