import { builder } from '#src/gateway/graphql/builder.ts'
import type { Warning, WarningSeverity } from '#src/service/quote/warnings.ts'

const WarningSeverityType = builder.enumType('WarningSeverity', {
  description: 'How serious a warning is.',
  values: {
    INFO: { description: 'Good to know.' },
    WARNING: { description: 'The user should see it before paying.' },
    CRITICAL: {
      description:
        'The user would probably lose money, or a quote is refused: ask for consent, or offer no payment.',
    },
  } satisfies Record<WarningSeverity, object>,
})

export const WarningType = builder.objectRef<Warning>('Warning').implement({
  description: 'What a user should know before paying.',
  fields: (t) => ({
    code: t.exposeString('code', {
      description:
        'Stable code for programs, such as SWAP_IMPACT or QUOTE_REFUSED. New codes may come: show the message of an unknown one.',
    }),
    severity: t.expose('severity', {
      type: WarningSeverityType,
      description: 'How serious it is.',
    }),
    message: t.exposeString('message', { description: 'For people, in whole English sentences.' }),
    data: t.expose('data', {
      type: 'JsonObject',
      description:
        'The values in the message, by the code. `percent` is a share of the input’s value as a decimal string, `usd` are US dollars, and `errorCode` is the error of a quote.',
    }),
  }),
})
