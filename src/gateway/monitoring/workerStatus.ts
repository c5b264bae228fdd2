/** Whether this process does the work; `unknown` while the database does not say who does. */
export type Turn = 'leads' | 'standsBy' | 'unknown'

/** Work that is done by one process at a time, and how far it is where this is the one. */
export type Duty = Readonly<{ name: string; turn: Turn }> &
  (TrackerDuty | SolverDuty | Readonly<{ kind: 'webhooks' }>)

type TrackerDuty = Readonly<{
  kind: 'tracker'
  /** The chain's name. */
  chain: string
  /** Height of the last block that was followed. */
  head: bigint | undefined
  /** Height that is followed on from after a restart. */
  cursor: bigint | undefined
  /** Transactions that are waited for because somebody named them. */
  watched: number
  restarts: number
}>

type SolverDuty = Readonly<{
  kind: 'solver'
  chain: string
  /** Height of the block at its last look that came to an end. */
  block: bigint | undefined
  /** Transactions that are written ahead and in no block that counts. */
  open: number
  /** Looks that failed since the last one that did not. */
  failures: number
  /** Undefined until it has asked. */
  isAllocator: boolean | undefined
}>
