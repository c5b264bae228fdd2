import { z } from 'zod'
import type { MultiInputAnswer, PriceIssues, Shortfall } from '#src/service/answers.ts'
import type { Warning, WarningSeverity } from '#src/service/quote/warnings.ts'
import { addressText, amountText, component } from './bodySchema.ts'

const severities = ['INFO', 'WARNING', 'CRITICAL'] as const satisfies readonly WarningSeverity[]

export const warningsBody = z
  .array(
    component(
      'Warning',
      z.object({
        code: z.string(),
        severity: z.enum(severities),
        message: z.string(),
        data: z.record(z.string(), z.unknown()),
      }),
    ),
  )
  .describe('What the user should know before paying; empty if all is well.')

export const encodeWarnings = (warnings: readonly Warning[]): z.input<typeof warningsBody> =>
  warnings.map(({ data, ...warning }) => ({ ...warning, data: { ...data } }))

const shortfall = {
  chainId: z.int().positive().describe('EIP-155 id of the chain of the currency.'),
  currency: addressText.describe('Contract of the currency; the zero address for the native one.'),
  expected: amountText.describe('Amount that is needed, in the smallest unit.'),
  actual: amountText.describe('Amount that there is, in the smallest unit.'),
}

export const issuesBody = z
  .object({
    balance: z
      .object(shortfall)
      .optional()
      .describe('The missing balance of the origin currency; absent if there is enough.'),
    allowance: z
      .object({ ...shortfall, spender: addressText.describe('Contract that needs the allowance.') })
      .optional()
      .describe('The missing allowance, which the steps begin with; absent if there is enough.'),
  })
  .describe('What the user lacks for the payment, as far as a node told within 250 ms.')

export const originIssuesBody = issuesBody.extend({
  origin: z.int().min(0).describe('Place of the origin in `origins` of the input.'),
  user: addressText.describe('The account that deposits.'),
})

export const encodeOriginIssues = ({
  issues,
}: Pick<MultiInputAnswer, 'issues'>): Promise<z.input<typeof originIssuesBody>[]> =>
  Promise.all(
    issues.origins.map(async ({ at: origin, user, ...each }) => ({
      origin,
      user,
      ...(await encodeIssues(each)),
    })),
  )

/** The steps have read the same balance and allowance. */
export async function encodeIssues(issues: PriceIssues): Promise<z.input<typeof issuesBody>> {
  const [balance, allowance] = await Promise.all([issues.balance(), issues.allowance()])
  return {
    ...(balance && { balance: encodeShortfall(balance) }),
    ...(allowance && {
      allowance: { ...encodeShortfall(allowance), spender: allowance.spender },
    }),
  }
}

const encodeShortfall = ({ currency, expected, actual }: Shortfall) => ({
  chainId: currency.chainId,
  currency: currency.address,
  expected: expected.toString(),
  actual: actual.toString(),
})
