import { Counter, Gauge, type Registry } from 'prom-client'
import type { WorkerStatus } from './workerStatus.ts'

type WorkerOf<Kind extends WorkerStatus['kind']> = Extract<WorkerStatus, Readonly<{ kind: Kind }>>

/**
 * Adds the metrics of trackers, solvers, relayers and feeds. A process reports the figures of the workers that it leads: the
 * others run in other processes.
 */
export function addWorkerMetrics(
  registry: Registry,
  workerStatuses: () => readonly WorkerStatus[],
): void {
  const registers = [registry]

  new Gauge({
    name: 'crossquote_leads',
    help: 'Whether this process leads the worker: 1, or 0 while it stands by or cannot ask. The sum over all processes is 1.',
    labelNames: ['work', 'chain'],
    registers,
    collect() {
      for (const worker of workerStatuses())
        this.set(
          { work: worker.kind, chain: chainOf(worker) },
          worker.leadership === 'leads' ? 1 : 0,
        )
    },
  })

  new Gauge({
    name: 'crossquote_leader',
    help: 'Whether this process holds the lease of the duty: 1 or 0. The sum over all processes is 1.',
    labelNames: ['duty'],
    registers,
    collect() {
      for (const { name, leadership } of workerStatuses())
        this.set({ duty: name }, leadership === 'leads' ? 1 : 0)
    },
  })
  new Counter({
    name: 'crossquote_lease_lost_total',
    help: 'How often this process has lost the lease of the duty: it was frozen, or could not reach the database in time.',
    labelNames: ['duty'],
    registers,
    collect() {
      this.reset()
      for (const { name, leasesLost } of workerStatuses()) this.inc({ duty: name }, leasesLost)
    },
  })

  const led = <Kind extends WorkerStatus['kind']>(kind: Kind): readonly WorkerOf<Kind>[] =>
    workerStatuses().filter(
      (worker): worker is WorkerOf<Kind> => worker.kind === kind && worker.leadership === 'leads',
    )

  const gaugeOf =
    <Kind extends 'tracker' | 'solver' | 'relayer' | 'feed'>(kind: Kind) =>
    (name: string, help: string, toValue: (worker: WorkerOf<Kind>) => number | undefined) =>
      new Gauge({
        name: `crossquote_${kind}_${name}`,
        help,
        labelNames: ['chain'],
        registers,
        collect() {
          this.reset()
          for (const worker of led(kind)) {
            const value = toValue(worker)
            if (value !== undefined) this.set({ chain: chainOf(worker) }, value)
          }
        },
      })

  const addTrackerGauge = gaugeOf('tracker')
  addTrackerGauge(
    'head_block',
    'Height of the last block that the tracker has processed.',
    ({ head }) => numberOf(head),
  )
  addTrackerGauge(
    'cursor_block',
    'Height of the last final block that was saved. A restart continues from here.',
    ({ cursor }) => numberOf(cursor),
  )
  addTrackerGauge(
    'watched_transactions',
    'Transactions that clients have announced and no block contains yet.',
    ({ watched }) => watched,
  )
  addTrackerGauge(
    'wrong_genesis',
    'Whether the nodes of the chain serve another block 0 than the one that the stored data belongs to: 1 or 0. With 1 the chain is stopped.',
    ({ hasWrongGenesis }) => Number(hasWrongGenesis),
  )
  new Counter({
    name: 'crossquote_tracker_restarts_total',
    help: 'How often the tracker has started again from its cursor, after a failure or a reorg deeper than the blocks it remembers.',
    labelNames: ['chain'],
    registers,
    collect() {
      this.reset()
      for (const worker of led('tracker')) this.inc({ chain: worker.chain }, worker.restarts)
    },
  })

  const addSolverGauge = gaugeOf('solver')
  addSolverGauge('block', 'Height of the block at the solver’s last complete round.', ({ block }) =>
    numberOf(block),
  )
  addSolverGauge(
    'open_transactions',
    'Transactions of the solver that are stored and not final yet.',
    ({ open }) => open,
  )
  addSolverGauge(
    'failures',
    'Rounds of the solver that have failed since the last complete one.',
    ({ failures }) => failures,
  )
  addSolverGauge(
    'is_allocator',
    'Whether the solver’s key may sign payouts of the depository: 1 or 0. With 0 nothing is refunded or settled.',
    ({ isAllocator }) => (isAllocator === undefined ? undefined : Number(isAllocator)),
  )
  addSolverGauge(
    'is_key_of_identity',
    'Whether the solver’s account may fill in the name of solver.identity: 1 or 0. With 0 nothing is filled.',
    ({ isKeyOfIdentity }) => (isKeyOfIdentity === undefined ? undefined : Number(isKeyOfIdentity)),
  )
  addSolverGauge(
    'signer_failures',
    'Signatures that have failed since the last that succeeded. Above 0 payouts wait for the signer.',
    ({ signerFailures }) => signerFailures,
  )
  addSolverGauge(
    'unknown_nonces',
    'Transactions of the solver’s account that the database does not have. Above 0 the account sends nothing until an operator reconciles it.',
    ({ unknownNonces }) => unknownNonces,
  )
  addSolverGauge(
    'unexplained_fills',
    'Fills whose nonce is final although no node has a receipt of them. They are neither paid again nor refunded until an operator decides.',
    ({ unexplainedFills }) => unexplainedFills,
  )
  addSolverGauge(
    'deposits_near_exit',
    'Deposits of requests and fills that are not settled, and that their depositors can take back in less than three days.',
    ({ nearExit }) => nearExit,
  )
  addSolverGauge(
    'unsettleable_deposits',
    'Filled deposits whose settlement failed at its last try.',
    ({ unsettleable }) => unsettleable,
  )
  addSolverGauge(
    'exposure_usd',
    'US dollars of the chain’s deposits that were filled and are not final yet, or are gone. At the ceiling, fills wait for finality.',
    ({ exposureUsd }) => (exposureUsd === undefined ? undefined : Number(exposureUsd) / 1e6),
  )
  addSolverGauge(
    'stopped_assets',
    'Assets that are stopped on the chain because their price feeds disagree with other chains. An operator has to resume them.',
    ({ stoppedAssets }) => stoppedAssets,
  )

  const addRelayerGauge = gaugeOf('relayer')
  addRelayerGauge(
    'balance',
    'Native currency of the relayer’s account, in whole units. Without it no call is sent.',
    ({ balance, decimals }) =>
      balance === undefined ? undefined : Number(balance) / 10 ** decimals,
  )
  addRelayerGauge(
    'open_transactions',
    'Transactions of the relayer that are stored and not final yet.',
    ({ open }) => open,
  )
  addRelayerGauge(
    'failures',
    'Rounds of the relayer that have failed since the last complete one.',
    ({ failures }) => failures,
  )
  addRelayerGauge(
    'signer_failures',
    'Signatures of the relayer that have failed since the last that succeeded. Above 0 calls wait for the signer.',
    ({ signerFailures }) => signerFailures,
  )
  addRelayerGauge(
    'unknown_nonces',
    'Transactions of the relayer’s account that the database does not have. Above 0 it sends nothing until an operator reconciles it.',
    ({ unknownNonces }) => unknownNonces,
  )

  gaugeOf('feed')(
    'block',
    'Height of the block that the feed of the chain has published last.',
    ({ block }) => numberOf(block),
  )
}

const chainOf = (worker: WorkerStatus): string => (worker.kind === 'webhooks' ? '' : worker.chain)

const numberOf = (height: bigint | undefined): number | undefined =>
  height === undefined ? undefined : Number(height)
