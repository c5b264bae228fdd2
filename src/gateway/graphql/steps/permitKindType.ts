import { builder } from '#src/gateway/graphql/builder.ts'
import { signedKinds } from '#src/service/input/permitInput.ts'

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
