import type { Usd } from '#src/core/units/usd.ts'
import type { BookSums } from '#src/requests/state/books.ts'

/** Whether this process is the leader of a worker; `unknown` while the database cannot be asked. */
export type LeadershipState = 'leads' | 'standsBy' | 'unknown'

/**
 * The state of a worker: a tracker, a solver, a relayer, a feed or the webhook sender. One of the processes that share
 * a database runs it, and the others stand by. Metrics and /ready use this state.
 */
export type WorkerStatus = Readonly<{
  /** The duty that processes compete for, such as `tracker:1`. */
  name: string
  leadership: LeadershipState
  /** Number of leases of the duty that this process has lost, rather than given up. */
  leasesLost: number
}> &
  (TrackerWorker | SolverWorker | RelayerWorker | FeedWorker | Readonly<{ kind: 'webhooks' }>)

type FeedWorker = Readonly<{
  kind: 'feed'
  /** Name of its chain. */
  chain: string
  /** Height of the last published block; `undefined` before the first one. */
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
  /** Number of transactions that clients have announced and no block contains yet. */
  watched: number
  /** Number of times that the tracker has restarted from its cursor. */
  restarts: number
  /** Whether the node's block 0 differs from the stored one. The chain is stopped while it does. */
  hasWrongGenesis: boolean
}>

type SolverWorker = Readonly<{
  kind: 'solver'
  /** Name of its chain. */
  chain: string
  /** Height of the block at its last complete round; `undefined` before the first one. */
  block: bigint | undefined
  /** Number of transactions that are stored and not final yet. */
  open: number
  /** Number of rounds that have failed since the last complete one. */
  failures: number
  /** Whether the solver's key may sign payouts of the depository; `undefined` until the chain has answered. */
  isAllocator: boolean | undefined
  /**
   * Whether its account may fill in the name of `solver.identity`; `undefined` until the chain has answered, and on
   * Solana chains, which have no identities.
   */
  isKeyOfIdentity: boolean | undefined
  /** Signatures that have failed since the last that succeeded; `undefined` if the key is in the process. */
  signerFailures: number | undefined
  /**
   * Number of account's transactions on the chain that the store does not have. The account is stopped above 0.
   * `undefined` on Solana chains, whose accounts number no transactions.
   */
  unknownNonces: number | undefined
  /** Number of fills whose nonce is final although no node has their receipt. */
  unexplainedFills: number
  /** Number of unsettled deposits that users can withdraw in less than three days; `undefined` while unknown. */
  nearExit: number | undefined
  /** Number of filled deposits whose settlement failed at its last try. */
  unsettleable: number
  /** Value of the chain's deposits that were filled and are not final, or were orphaned; `undefined` while unknown. */
  exposureUsd: Usd | undefined
  /** Number of assets that are stopped on the chain until an operator resumes them; `undefined` without a market. */
  stoppedAssets: number | undefined
  /** Whether the depository pays the solver nothing, so that no deposit is quoted or filled; `undefined` while unknown. */
  settlementStopped: boolean | undefined
  /** The solver's books of the chain, in all and for two UTC days; `undefined` before they are read. */
  books: Readonly<{ total: BookSums; today: BookSums; yesterday: BookSums }> | undefined
}>

type RelayerWorker = Readonly<{
  kind: 'relayer'
  /** Name of its chain. */
  chain: string
  /** Height of the block at its last complete round; `undefined` before the first one. */
  block: bigint | undefined
  /** Count of its transactions that are stored and not final yet. */
  open: number
  /** Number of rounds that have failed since the last complete one. */
  failures: number
  /** Number of signatures that have failed since the last that succeeded. */
  signerFailures: number
  /** Number of account's transactions on the chain that the store does not have. The account is stopped above 0. */
  unknownNonces: number
  /** Native currency of the account, in its smallest unit; `undefined` before the chain has answered. */
  balance: bigint | undefined
  /** Decimals of the native currency. */
  decimals: number
}>
