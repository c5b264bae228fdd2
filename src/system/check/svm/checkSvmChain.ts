import { DeadlineError, withDeadline } from '#src/chains/rpc/deadline.ts'
import { redactUrl } from '#src/chains/rpc/redact.ts'
import { parseGenesis } from '#src/chains/svm/svmAnswers.ts'
import { createSvmClient, type SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { type Pubkey, svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { type AccountData, decodeMint } from '#src/protocol/svm/accounts.ts'
import { currencyFacts, type NamedCurrency } from '#src/system/check/currencyFacts.ts'
import { endpointFacts } from '#src/system/check/endpointFacts.ts'
import type { Answers, ChainReport, Fact } from '#src/system/check/fact.ts'
import { accountsOf, programFacts } from './programFacts.ts'

type Deps = Readonly<{
  log: Log
  /** Unix time in milliseconds. */
  now: () => number
}>

/** The solver of the configuration, and the currencies that it names on the chain. */
type Named = Readonly<{
  solver: Config['solver']['svm']
  currencies: readonly NamedCurrency[]
}>

/**
 * Compares the facts of a Solana chain in the configuration with the answers of its endpoints, as `checkChain` does.
 * @param seconds time limit. Facts without an answer by then are `notChecked`.
 */
export async function checkSvmChain(
  deps: Deps,
  chain: SvmChainConfig,
  seconds: number,
  named: Named,
): Promise<ChainReport> {
  const genesis = {
    name: 'genesis hash',
    expected: chain.genesisHash,
    request: { method: 'getGenesisHash', params: [] },
    parse: parseGenesis,
  }
  const [clusters, { facts, outage }] = await Promise.all([
    endpointFacts(deps, chain, genesis, seconds),
    checkAccounts(deps, chain, seconds, named),
  ])
  return { chain, facts: [...clusters, ...facts], outage }
}

async function checkAccounts(
  { log, now }: Deps,
  chain: SvmChainConfig,
  seconds: number,
  named: Named,
): Promise<Answers> {
  // A third of the time for each endpoint leaves time for several.
  const client = createSvmClient(chain, log, { timeoutSeconds: seconds / 3 })
  try {
    const facts = await withDeadline(seconds, [], () => readFacts(client, chain, named, now()))
    return { facts, outage: undefined }
  } catch (error) {
    if (!(error instanceof AppError || error instanceof DeadlineError)) throw error
    const hosts = chain.rpcUrls.map(redactUrl).join(', ')
    const outage = error instanceof AppError ? reasonOf(error) : `${hosts}: ${reasonOf(error)}`
    const expected = chain.program ?? 'currencies'
    return { facts: [{ name: 'accounts', state: 'notChecked', found: outage, expected }], outage }
  } finally {
    client.close()
  }
}

async function readFacts(
  client: SvmClient,
  chain: SvmChainConfig,
  { solver, currencies: named }: Named,
  now: number,
): Promise<readonly Fact[]> {
  const mints = named.map(({ address }) => toPubkey(address))
  // Token lists name many mints that nobody deposits.
  const deposited = named.flatMap((each) =>
    each.listing === undefined ? [toPubkey(each.address)] : [],
  )
  const setUp = chain.program &&
    solver && { program: chain.program, solver, currencies: [svmNative, ...deposited] }
  const asked = [...mints, ...(setUp === undefined ? [] : accountsOf(setUp))]
  const { accounts } = await client.getAccounts(asked, 'confirmed')
  const found = new Map(asked.map((address, at) => [address, accounts[at]]))
  const read = named.map((each) => toCurrency(chain, each, found))
  return [
    ...(setUp === undefined ? [] : programFacts(setUp, found, now)),
    ...currencyFacts(named, read),
  ]
}

/** A mint has no texts: those of the listing count. */
function toCurrency(
  { id: chainId }: SvmChainConfig,
  { name, address, listing }: NamedCurrency,
  found: ReadonlyMap<Pubkey, AccountData | undefined>,
): Currency | undefined {
  const answer = decodeMint(found.get(toPubkey(address)))
  if (answer.kind === 'refused') return undefined
  const texts = listing ?? { symbol: name, name, metadata: { verified: false, isNative: false } }
  return { ...texts, chainId, address, decimals: answer.mint.decimals }
}
