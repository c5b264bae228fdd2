import { z } from 'zod'
import { nativeAddress } from '#src/core/units/address.ts'
import { toBps } from '#src/core/units/bps.ts'
import { address, bps, chainId } from './values.ts'

const isPlain = (text: string): boolean => {
  const { username, password, search, hash } = new URL(text)
  return `${username}${password}${search}${hash}` === ''
}

const chain = z.strictObject({
  id: chainId,
  /** Name of the chain in the orders of that service, such as "ethereum". */
  name: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, 'must be 1 to 32 lower-case letters, digits and hyphens'),
  /** The service's contracts: the only ones that its steps may call there, or approve as spenders. */
  contracts: z.array(address).min(1).max(32),
})

/** Another service of the same interface. It quotes what this one cannot. */
export const upstream = z.strictObject({
  /** Base URL of the service. It appears in logs and records, so it must not contain a secret. */
  url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .refine((url) => !URL.canParse(url) || isPlain(url), {
      error: 'must not contain a user, a password, a query or a fragment',
    })
    .transform((url) => url.replace(/\/+$/, '')),
  /** Sent as `x-api-key`. */
  apiKey: z.string().min(1).max(256).optional(),
  /** Timeout of a price or a quote. */
  timeoutSeconds: z.number().min(0.1).max(9).default(5),
  /** Maximum difference between its values in US dollars and those of this gateway's prices. */
  maxUsdDifference: bps.default(toBps(1000n)),
  /** The chains between which it is asked for routes. */
  chains: z
    .array(chain)
    .min(1)
    .refine(
      (chains) => new Set(chains.map(({ id }) => id)).size === chains.length,
      'must differ: a chain is configured twice',
    ),
})

export type UpstreamConfig = z.output<typeof upstream>

/** A configuration without chains may omit the solver, because it fills nothing: adds the zero address. */
export function withoutSolver(input: unknown): unknown {
  const { chains, solver } = (input ?? {}) as Readonly<Record<string, unknown>>
  const isSolo = Array.isArray(chains) && chains.length === 0 && solver === undefined
  return isSolo ? { ...(input as object), solver: { address: nativeAddress } } : input
}

type Parts = Readonly<{
  chains: readonly Readonly<{
    id: number
    contracts?: Readonly<Record<string, string>> | undefined
  }>[]
  upstream?: UpstreamConfig | undefined
}>

/**
 * A configuration without chains needs an upstream. The upstream's contracts must not be ours: this gateway would
 * refund a deposit for the upstream's order, which it does not know, while the upstream fills that order.
 */
export function upstreamIssues({ chains, upstream: other }: Parts) {
  if (other === undefined)
    return chains.length > 0
      ? []
      : [{ path: ['chains'], message: 'at least one chain is required without an upstream' }]
  return other.chains.flatMap(({ id, contracts }, at) => {
    const ours = Object.values(chains.find((each) => each.id === id)?.contracts ?? {})
    return contracts.flatMap((contract, place) =>
      ours.includes(contract)
        ? [
            {
              path: ['upstream', 'chains', at, 'contracts', place],
              message: 'is a contract of this gateway: its deposits would be refunded here',
            },
          ]
        : [],
    )
  })
}
