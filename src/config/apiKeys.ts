import { z } from 'zod'
import { dollars } from './values.ts'

export const apiKeys = z
  .array(
    z.strictObject({
      /** The client's name in records. */
      name: z.string().min(1).max(64),
      key: z.string().min(16).max(256),
      /** Whether the client may pay the fees of its users. */
      sponsors: z.boolean().default(false),
      /** Whether its quotes may have a `fixedRate` below the fee schedule: the solver then earns less. */
      discounts: z.boolean().default(false),
      /** Maximum open quotes of the key, in place of the general `maxOpenQuotes`. */
      maxOpenQuotes: z.int().min(1).optional(),
      /** Maximum gas costs of the relayer for the key within 24 hours, in place of `relayer.gasBudgetUsd`. */
      gasBudgetUsd: dollars.optional(),
      /** Receives every change of the requests that were quoted with the key, signed with the key. */
      webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
    }),
  )
  .default([])

/** Two clients must not have the same key. */
export function apiKeyIssues({
  apiKeys: clients,
}: Readonly<{ apiKeys: z.output<typeof apiKeys> }>) {
  const keys = clients.map(({ key }) => key)
  return keys.flatMap((key, at) =>
    keys.indexOf(key) < at
      ? [{ path: ['apiKeys', at, 'key'], message: 'another client has the same key' }]
      : [],
  )
}
