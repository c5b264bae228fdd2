import { hash } from 'node:crypto'
import type { Config } from '#src/config/config.ts'
import { AppError } from '#src/core/errors.ts'
import type { Usd } from '#src/core/units/usd.ts'

/** The sender of a request, as the APIs know it. */
export type Client = Readonly<{
  /** The `x-api-key` header. */
  apiKey: string | undefined
  /** The network that the request came from: an IPv4 address, or 64 bits of an IPv6 address. */
  network: string
}>

/** A client with an API key in the configuration. */
export type Caller = Readonly<{
  name: string
  /** Whether it may pay its users' fees (`subsidizeFees`). */
  sponsors: boolean
  /** Whether its quotes may have a `fixedRate` below the fee schedule. */
  discounts?: boolean
  /** Whether it may read the solver's books. */
  operator?: boolean
  /** Its own limit on open quotes. */
  maxOpenQuotes?: number
  /** Its own budget for the gas of its calls within 24 hours. */
  gasBudgetUsd?: Usd
}>

/**
 * Finds the client of an API key; `undefined` without a key.
 * @throws AppError UNAUTHORIZED for an unknown key.
 */
export type Identify = (apiKey: string | undefined) => Caller | undefined

/**
 * The name under which open quotes are counted: that of the API key, else of the network. It is never the user's:
 * nobody proves to be the user, so others could lock the user out. The network is stored as a hash only.
 */
export const quotaOf = (caller: Caller | undefined, { network }: Client): string =>
  caller === undefined
    ? `network:${widerNetworks(network)
        .map((each) => hashOf(each).slice(0, 16))
        .join('/')}`
    : `key:${caller.name}`

/** The name under which the time of pricing is counted: the API key, else the IPv4 address or the site of IPv6. */
export const timeName = (identify: Identify, client: Client): string => {
  const caller = knownCaller(identify, client)
  if (caller !== undefined) return `key:${caller.name}`
  const { network } = client
  return network.includes(':') ? (widerNetworks(network)[0] ?? network) : network
}

export const isKeyQuota = (quota: string): boolean => quota.startsWith('key:')

/** The quota, and for a network the names of the wider networks that it is in, from the narrowest to the widest. */
export function networkLevels(quota: string): readonly string[] {
  if (isKeyQuota(quota)) return [quota]
  const parts = quota.split('/')
  return parts.map((_, level) => parts.slice(0, parts.length - level).join('/'))
}

/**
 * The network and those that one owner may have whole, from the widest to the narrowest: 24 and 32 bits of IPv4; 48, 56
 * and 64 of IPv6. @source RFC 6177: sites get between 48 and 64 bits
 */
function widerNetworks(network: string): readonly string[] {
  const [, ipv4] = /^(\d+\.\d+\.\d+)\.\d+$/.exec(network) ?? []
  if (ipv4 !== undefined) return [`${ipv4}.0/24`, network]
  const [, site, subnet] = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):([0-9a-f]+)::\/64$/.exec(network) ?? []
  if (site === undefined || subnet === undefined) return [network]
  const first8 = subnet.padStart(4, '0').slice(0, 2)
  return [`${site}::/48`, `${site}:${first8}00::/56`, network]
}

/**
 * The caller of a client; `undefined` for an unknown key, so that invented keys get no limits of their own. Operations
 * that use the key refuse an unknown one.
 */
export function knownCaller(identify: Identify, { apiKey }: Client): Caller | undefined {
  try {
    return identify(apiKey)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Looks keys up by their hash, so that the response time reveals nothing about valid keys. */
export function createCallers(apiKeys: Config['apiKeys']): Identify {
  const callers = new Map(
    apiKeys.map(({ key, maxOpenQuotes, gasBudgetUsd, ...client }): [string, Caller] => [
      hashOf(key),
      {
        name: client.name,
        sponsors: client.sponsors,
        discounts: client.discounts,
        operator: client.operator,
        ...(maxOpenQuotes !== undefined && { maxOpenQuotes }),
        ...(gasBudgetUsd !== undefined && { gasBudgetUsd }),
      },
    ]),
  )
  return (apiKey) => {
    if (apiKey === undefined) return undefined
    const caller = callers.get(hashOf(apiKey))
    if (caller === undefined)
      throw new AppError('UNAUTHORIZED', 'x-api-key: unknown API key. Correct it or leave it out.')
    return caller
  }
}

const hashOf = (key: string): string => hash('sha256', key, 'hex')
