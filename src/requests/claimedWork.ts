import type { Fence } from './lease.ts'
import type { RequestChange, StoredRequest } from './state/requestState.ts'

/** A webhook call that is due for a change. */
export type WebhookDelivery = Readonly<{
  change: RequestChange
  request: StoredRequest
  /** Name of the API key that the webhook belongs to. */
  apiKey: string
  /** Number of failed calls so far. */
  failures: number
}>

export type WebhookStore = Readonly<{
  /**
   * Claims up to `limit` calls of `apiKey` that are due at `now` (Unix ms), until `now + leaseMs`. Per request only
   * the oldest call can be claimed.
   */
  claimWebhooks: (
    args: Readonly<{ apiKey: string; now: number; leaseMs: number; limit: number }>,
    fence?: Fence,
  ) => Promise<readonly WebhookDelivery[]>
  /** `done`: the call succeeded or is given up. Else it is due again at `dueAt` (Unix ms), with one more failure. */
  recordWebhookOutcome: (
    delivery: WebhookDelivery,
    outcome: 'done' | Readonly<{ dueAt: number }>,
    fence?: Fence,
  ) => Promise<void>
}>

/** Status checks of the requests that another service executes. */
export type UpstreamStore = Readonly<{
  /**
   * Claims up to `limit` of them whose status check is due at `now` (Unix ms), until `until`, the longest overdue
   * first.
   */
  claimUpstream: (
    args: Readonly<{ now: number; until: number; limit: number }>,
  ) => Promise<readonly StoredRequest[]>
  /**
   * Ends a claim: the next check is due at `dueAt` (Unix ms), or never. A `dueAt` does not replace a time that
   * `hastenUpstream` has set since the claim.
   */
  scheduleUpstream: (
    requestId: string,
    claim: Readonly<{ until: number; dueAt: number | undefined }>,
  ) => Promise<void>
  /** Makes the status check due at once. Ignores requests that have ended or that no other service executes. */
  hastenUpstream: (requestId: string, now: number) => Promise<void>
}>
