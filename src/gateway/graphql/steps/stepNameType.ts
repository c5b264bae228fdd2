import { builder } from '#src/gateway/graphql/builder.ts'
import type { Step } from '#src/protocol/steps/step.ts'

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
