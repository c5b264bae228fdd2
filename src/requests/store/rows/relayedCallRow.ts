import { z } from 'zod'
import { toUsd } from '#src/core/units/usd.ts'
import { type RelayedCall, relayedCallStatuses } from '#src/requests/relayedCall.ts'
import { failReasons } from '#src/requests/state/requestState.ts'
import { address, chainId, hash, hex, presentIn } from '#src/requests/state/valueSchemas.ts'
import type { relayedCallTable } from '#src/requests/store/tables/relayedCallTable.ts'
import { authorization } from './requestRow.ts'

type Row = typeof relayedCallTable.$inferSelect

/** The row with the next version. */
export const toRelayedCallRow = (call: RelayedCall): Row => ({
  ...call,
  failReason: call.failReason ?? null,
  reason: call.reason ?? null,
  txHash: call.txHash ?? null,
  version: call.version + 1,
})

/** @throws ZodError or RangeError for an invalid row. */
export const parseRelayedCall = (row: Row): RelayedCall => relayedCall.parse(presentIn(row))

const relayedCall: z.ZodType<RelayedCall> = z.object({
  callId: z.string(),
  requestId: hash,
  chainId,
  relayer: address,
  apiKey: z.string(),
  // One driver returns it parsed, the other as text.
  isQuoted: z.union([z.boolean(), z.enum(['t', 'f']).transform((text) => text === 't')]),
  call: z.object({
    to: address,
    data: hex,
    authorizationList: z.array(authorization).exactOptional(),
  }),
  gas: z.bigint(),
  maxCost: z.bigint(),
  chargedUsd: z.bigint().transform(toUsd),
  status: z.enum(relayedCallStatuses),
  failReason: z.enum(failReasons).exactOptional(),
  reason: z.string().exactOptional(),
  txHash: hash.exactOptional(),
  dueAt: z.int(),
  createdAt: z.int(),
  updatedAt: z.int(),
  version: z.int().min(1),
})
