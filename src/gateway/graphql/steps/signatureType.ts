import { builder } from '#src/gateway/graphql/builder.ts'
import type { QuotedStep } from '#src/service/quotedSteps.ts'
import { CheckType } from './checkType.ts'
import { PermitKindType } from './permitKindType.ts'

type Signature = NonNullable<QuotedStep['signature']>

/** The typed data and the body of the request are JSON in the form that wallets and the REST API accept. */
export const SignatureRequestType = builder.objectRef<Signature>('SignatureRequest').implement({
  description:
    'Typed data (EIP-712) for a wallet to sign. The signature goes to the mutation `executePermit`.',
  fields: (t) => ({
    kind: t.field({
      type: PermitKindType,
      description: 'Kind of the signed message: the `kind` of the mutation `executePermit`.',
      resolve: ({ post }) => post.body.kind,
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
