import type { Usd } from '#src/units/usd.ts'

/** Whether this process is the leader of a worker; `unknown` while the database cannot be asked. */
export type LeadershipState = 'leads' | 'standsBy' | 'unknown'

/**
 * The state of a worker: a tracker, a solver, a relayer, a feed or the webhook sender. Of all processes that share a database,
 * one runs it, and the others stand by. Metrics and /ready are made from this.
 */
export type WorkerStatus = Readonly<{
  /** The duty that processes compete for, such as `tracker:1`. */
  name: string
  leadership: LeadershipState
  /** How often this process has lost its lease of the duty, rather than given it up. */
  leasesLost: number
}> &
  (TrackerWorker | SolverWorker | RelayerWorker | FeedWorker | Readonly<{ kind: 'webhooks' }>)

type FeedWorker = Readonly<{
  kind: 'feed'
  /** Name of its chain. */
  chain: string
  /** Height of the block that it has published last; `undefined` before the first one. */
  block: bigint | undefined
  /** Whether it has a market to publish. A standby has one too. */
  hasMarket: boolean
}>

type TrackerWorker = Readonly<{
  kind: 'tracker'
  /** Name of its chain. */
  chain: string
  /** Height of the last processed block; `undefined` before the first one. */
  head: bigint | undefined
  /** Height of the last final block that was saved. A restart continues from here. */
  cursor: bigint | undefined
  /** Count of the transactions that clients have announced and no block contains yet. */
  watched: number
  /** How often the tracker has started again from its cursor. */
  restarts: number
  /** Whether the node's block 0 is not that of the stored data. The chain is stopped until it is. */
  hasWrongGenesis: boolean
}>

type SolverWorker = Readonly<{
  kind: 'solver'
  /** Name of its chain. */
  chain: string
  /** Height of the block at its last complete round; `undefined` before the first one. */
  block: bigint | undefined
  /** Count of the transactions that are stored and not final yet. */
  open: number
  /** Count of the rounds that have failed since the last complete one. */
  failures: number
  /** Whether the solver's key may sign payouts of the depository; `undefined` until the chain has answered. */
  isAllocator: boolean | undefined
  /** Whether its account may fill in the name of `solver.identity`; `undefined` until the chain has answered. */
  isKeyOfIdentity: boolean | undefined
  /** Count of the signatures that have failed since the last that succeeded. */
  signerFailures: number
  /** Count of the account's transactions on the chain that the store does not have. The account is stopped above 0. */
  unknownNonces: number
  /** Count of the fills whose nonce is final although no node has a receipt of them. */
  unexplainedFills: number
  /** Count of the deposits that are not settled and that can be taken back in less than three days; `undefined` before it is known. */
  nearExit: number | undefined
  /** Value of the chain's deposits that were filled and are not final yet, or are gone; `undefined` before it is known. */
  exposureUsd: Usd | undefined
}>

type RelayerWorker = Readonly<{
  kind: 'relayer'
  /** Name of its chain. */
  chain: string
  /** Height of the block at its last complete round; `undefined` before the first one. */
  block: bigint | undefined
  /** Count of its transactions that are stored and not final yet. */
  open: number
  /** Count of the rounds that have failed since the last complete one. */
  failures: number
  /** Count of the signatures that have failed since the last that succeeded. */
  signerFailures: number
  /** Count of the account's transactions on the chain that the store does not have. The account is stopped above 0. */
  unknownNonces: number
  /** Native currency of the account, in wei; `undefined` before the chain has answered. */
  balance: bigint | undefined
}>
