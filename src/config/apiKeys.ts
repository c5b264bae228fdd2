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
      /** The key's own limit of open quotes. */
      maxOpenQuotes: z.int().min(1).optional(),
      /** What the key may have the relayer spend on gas within 24 hours, in place of `relayer.gasBudgetUsd`. "0": nothing. */
      gasBudgetUsd: dollars.optional(),
      /** Receives every change of the requests that were quoted with the key, signed with the key. */
      webhookUrl: z.url({ protocol: /^https?$/ }).optional(),
    }),
  )
  .default([])

/** Each key is that of one client. */
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
