import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { checkChain } from './checkChain.ts'
import { namedCurrenciesOf } from './currencyFacts.ts'
import type { ChainReport } from './fact.ts'

type Deps = Readonly<{ log: Log; now: () => number }>

/**
 * Checks all chains that have endpoints, concurrently.
 * @param listed the currencies of the token list.
 */
export const checkConfig = (
  deps: Deps,
  config: Config,
  seconds: number,
  listed: readonly Currency[],
): Promise<readonly ChainReport[]> =>
  Promise.all(
    withEndpoints(config).map((chain) =>
      checkChain(deps, chain, seconds, namedCurrenciesOf(config, listed, chain.id)),
    ),
  )

const withEndpoints = ({ chains }: Config) => chains.filter(({ rpcUrls }) => rpcUrls.length > 0)

/** Names each fact of the configuration that the chains contradict. */
class WrongFactsError extends Error {
  constructor(lines: readonly string[]) {
    super(
      `The configuration does not fit its chains:\n${lines.join('\n')}\n\`npm run config -- check\` lists all facts.`,
    )
    this.name = 'WrongFactsError'
  }
}

/**
 * Checks the configuration at the start of a process. A chain that does not answer is only logged: the process starts,
 * and the market of this chain follows when it answers.
 * @param log gets one line for each chain that does not answer.
 * @param silent is the log of the clients of this check. The clients of the process log the same failures later.
 * @param seconds maximum delay by an endpoint that does not answer.
 * @throws WrongFactsError if an endpoint contradicts a fact.
 */
export async function refuseWrongFacts(
  { log, silent, now }: Deps & Readonly<{ silent: Log }>,
  config: Config,
  seconds: number,
): Promise<void> {
  const reports = await Promise.all(
    withEndpoints(config).map((chain) => checkChain({ log: silent, now }, chain, seconds)),
  )
  for (const { chain, outage } of reports)
    if (outage !== undefined)
      log.warn({ chainId: chain.id, reason: outage }, 'The facts of a chain could not be checked')
  const lines = reports.flatMap(({ chain, facts }) =>
    facts
      .filter(({ state }) => state === 'wrong')
      .map(
        ({ name, found, expected }) =>
          `  ${chain.displayName} (${chain.id}): ${name}: found ${found}, expected ${expected}`,
      ),
  )
  if (lines.length > 0) throw new WrongFactsError(lines)
}
