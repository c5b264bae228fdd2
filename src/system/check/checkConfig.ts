import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { checkChain } from './checkChain.ts'
import { type NamedCurrency, namedCurrenciesOf } from './currencyFacts.ts'
import type { ChainReport } from './fact.ts'
import { namedFeedsOf } from './questions.ts'

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
  checkChains(deps, config, seconds, (chainId) => namedCurrenciesOf(config, listed, chainId))

async function checkChains(
  deps: Deps,
  config: Config,
  seconds: number,
  currenciesOn: (chainId: ChainId) => readonly NamedCurrency[],
): Promise<readonly ChainReport[]> {
  const { svmChains } = config
  // A configuration without svm chains loads none of their code.
  const svm = svmChains.length === 0 ? undefined : await import('./svm/checkSvmChain.ts')
  const evmReports = withEndpoints(config).map((chain) => {
    const feeds = namedFeedsOf(config, chain.id)
    return checkChain(deps, chain, seconds, { currencies: currenciesOn(chain.id), feeds })
  })
  const svmReports = svmChains.flatMap((chain) => {
    const named = { solver: config.solver.svm, currencies: currenciesOn(chain.id) }
    return svm === undefined ? [] : [svm.checkSvmChain(deps, chain, seconds, named)]
  })
  return Promise.all([...evmReports, ...svmReports])
}

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
  const reports = await checkChains({ log: silent, now }, config, seconds, () => [])
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
