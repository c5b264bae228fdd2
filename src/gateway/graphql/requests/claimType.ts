import { toAddress } from '#src/core/units/address.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import type { Claim } from '#src/service/depositRefunds.ts'

const ClaimCallType = builder.objectRef<ReturnType<Claim['callTo']>>('ClaimCall').implement({
  description: 'A transaction that takes a claimable amount from the depository. It has no value.',
  fields: (t) => ({
    chainId: t.expose('chainId', { type: 'ChainId', description: 'EIP-155 id of the chain.' }),
    to: t.expose('to', { type: 'Address', description: 'The depository.' }),
    data: t.expose('data', { type: 'Hex', description: 'Calldata.' }),
  }),
})

export const ClaimType = builder.objectRef<Claim>('Claim').implement({
  description:
    'An amount in the currency of its deposit that an account did not accept, and can claim from the depository.',
  fields: (t) => ({
    account: t.expose('account', {
      type: 'Address',
      description: 'Account that owns the amount: it did not accept the payment.',
    }),
    amount: t.expose('amount', {
      type: 'Amount',
      description: 'Claimable amount, in the smallest unit of the currency of the deposit.',
    }),
    call: t.field({
      type: ClaimCallType,
      description:
        'The transaction that claims it. Anybody may send it if `recipient` is the account itself, else only the account.',
      args: {
        recipient: t.arg({
          type: 'Address',
          description: 'Account that is paid. Default: `account`.',
        }),
      },
      resolve: ({ account, callTo }, { recipient }) =>
        callTo(recipient == null ? account : toAddress(recipient)),
    }),
  }),
})
