import { redactUrl } from '#src/chains/rpc/redact.ts'
import type { Config } from '#src/config/config.ts'
import { type Environment, secretNames } from '#src/config/environment.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'

/** What replaces a secret. */
const mask = '…'

/** Keys whose URLs clients see anyway. */
const publicUrls = /^(public(Rpc|Ws)Url|explorerUrl|iconUrl|logoURI)$/
/** Keys of strings that are secrets, such as `apiKeys[].key` and `upstream.apiKey`. */
const secretKeys = /key$|secret|password/i
/** Keys of amounts in US dollars. All other `bigint`s are whole numbers, such as basis points and blocks. */
const dollarKeys = /Usd$|^flat$/

/**
 * The effective configuration, with presets and defaults, in the format of the file. Read back it gives the same
 * configuration, except for secrets: keys, and all of a private URL but its host.
 */
export const shownConfig = ({ svmChains, ...config }: Config): unknown => ({
  ...(shownValue('', config) as object),
  chains: [...config.chains.map(shownChain), ...svmChains.map(shownSvmChain)],
})

type Endpoints = Readonly<Pick<Config['chains'][number], 'rpcUrls' | 'sendUrls' | 'rpcLimits'>>

function shownEndpoints({ rpcUrls, sendUrls, rpcLimits }: Endpoints) {
  const endpoint = (url: string) => ({ url: redactUrl(url), ...rpcLimits.get(url) })
  return {
    rpcUrls: rpcUrls.length === 0 ? undefined : rpcUrls.map(endpoint),
    sendUrls: sendUrls?.map(endpoint),
  }
}

function shownSvmChain(chain: SvmChainConfig) {
  const { rpcLimits: _, ...rest } = chain
  return { ...(shownValue('', rest) as object), ...shownEndpoints(chain) }
}

function shownChain(chain: Config['chains'][number]) {
  const { rpcLimits: _, factories, ...rest } = chain
  return {
    ...(shownValue('', rest) as object),
    // The chain's own, which factories of Uniswap v4 repeat.
    factories: shownValue(
      '',
      factories.map((each) => ({ ...each, wrappedNative: undefined })),
    ),
    ...shownEndpoints(chain),
    // Absent, the one of the preset would count.
    sequencerFeed: chain.sequencerFeed ?? null,
  }
}

function shownValue(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return dollarKeys.test(key) ? dollarsOf(value) : Number(value)
  if (typeof value === 'string') {
    if (secretKeys.test(key)) return mask
    const isUrl = /^(https?|wss?):\/\//.test(value)
    return isUrl && !publicUrls.test(key) ? redactUrl(value) : value
  }
  if (Array.isArray(value)) return value.map((each) => shownValue(key, each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, shownValue(name, each)]),
  )
}

/** Exact: amounts in the configuration have at most six decimals. */
const dollarsOf = (micros: bigint): string =>
  `${micros / 1_000_000n}.${`${micros % 1_000_000n}`.padStart(6, '0')}`

/** The effective variables, with defaults. Of a secret URL only scheme and host are shown, of another secret nothing. */
export const shownEnvironment = (environment: Environment): unknown =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => {
      if (value instanceof Set) return [name, [...value].join(',')]
      if (value === undefined || !secretNames.includes(name)) return [name, value]
      return [name, URL.canParse(`${value}`) ? redactUrl(`${value}`) : mask]
    }),
  )
