import { AppError } from '#src/core/errors.ts'
import { formatUsd, type Usd } from '#src/core/units/usd.ts'
import type { GasBudget, RelayedCallStore } from '#src/requests/relayedCall.ts'
import type { Caller } from '#src/service/callers.ts'
import { createOpenQuotes } from './openQuotes.ts'

/** The gas budget of a key is used up. */
class GasBudgetExceededError extends AppError {
  constructor(budget: Usd, charged: Usd, needed: Usd) {
    super(
      'GAS_BUDGET_EXCEEDED',
      `The API key may spend $${formatUsd(budget)} on gas within 24 hours: $${formatUsd(charged)} is spent or reserved, and the call may cost up to $${formatUsd(needed)}. Try again later, or ask the operator for a larger budget.`,
      { budgetUsd: `${budget}`, chargedUsd: `${charged}`, neededUsd: `${needed}` },
    )
  }
}

/** Limits the relayer's gas spending and the open calls per API key. */
export type GasBudgets = Readonly<{
  /**
   * Admits one more call of the key that costs up to `neededUsd`. Returns the limit that the save must check again,
   * because other calls of the key may be accepted meanwhile.
   * @throws AppError GAS_BUDGET_EXCEEDED; RATE_LIMITED with too many open calls; SERVICE_UNAVAILABLE
   */
  admit: (caller: Caller, neededUsd: Usd) => Promise<GasBudget>
}>

const dayMs = 86_400_000
/** Maximum unconfirmed calls of a key: the relayer sends the calls of all keys one after the other. */
const maxOpenCalls = 32

export function createGasBudgets(
  {
    requests,
    now,
  }: Readonly<{
    requests: Pick<RelayedCallStore, 'gasChargedUsd' | 'countOpenRelayedCalls'>
    /** Milliseconds since 1970. */
    now: () => number
  }>,
  usualUsd: Usd,
): GasBudgets {
  const openCalls = createOpenQuotes({
    count: requests.countOpenRelayedCalls,
    now,
    refuse: (limit) =>
      new AppError(
        'RATE_LIMITED',
        `The API key has ${limit} calls that are not confirmed. Wait until one is.`,
        { retryAfterSeconds: 1, limit },
      ),
  })
  return {
    admit: async ({ name, gasBudgetUsd: maxUsd = usualUsd }, neededUsd) => {
      const since = now() - dayMs
      const charged = await requests.gasChargedUsd(name, since)
      if (charged + neededUsd > maxUsd) throw new GasBudgetExceededError(maxUsd, charged, neededUsd)
      await openCalls.admit(name, maxOpenCalls)
      return { apiKey: name, since, maxUsd }
    },
  }
}
