import { builder } from '#src/gateway/graphql/builder.ts'
import type { WalletCalls } from '#src/service/quote/walletCalls.ts'

const WalletCallType = builder.objectRef<WalletCalls['calls'][number]>('WalletCall').implement({
  description: 'A call of a batch.',
  fields: (t) => ({
    to: t.expose('to', { type: 'Address', description: 'Account or contract that it calls.' }),
    data: t.expose('data', { type: 'Hex', description: 'Calldata.' }),
    value: t.exposeString('value', {
      description: 'Native currency to send in wei, as 0x and hexadecimal digits.',
    }),
  }),
})

export const WalletCallsType = builder.objectRef<WalletCalls>('WalletCalls').implement({
  description:
    'The transactions of a quote as one batch, in the form of `wallet_sendCalls` (EIP-5792): add `version` and `atomicRequired`.',
  fields: (t) => ({
    from: t.expose('from', { type: 'Address', description: 'Account that signs the batch.' }),
    chainId: t.exposeString('chainId', {
      description: 'EIP-155 id of the chain, as 0x and hexadecimal digits.',
    }),
    calls: t.expose('calls', {
      type: [WalletCallType],
      description: 'The calls in the order of execution.',
    }),
  }),
})
