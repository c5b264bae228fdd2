import type { Registry } from 'prom-client'
import type { Usd } from '#src/core/units/usd.ts'
import { type BookSums, profitOf, unknownIn } from '#src/requests/state/books.ts'
import { addReadings, type Readings } from './readings.ts'
import type { WorkerStatus } from './workerStatus.ts'

type Kind = WorkerStatus['kind']

type WorkerOf<Wanted extends Kind> = Extract<WorkerStatus, Readonly<{ kind: Wanted }>>

/**
 * Adds the metrics of trackers, solvers, relayers and feeds. A process reports the figures of the workers that it leads:
 * the others run in other processes.
 */
export function addWorkerMetrics(
  registry: Registry,
  workerStatuses: () => readonly WorkerStatus[],
): void {
  const byWork = () =>
    workerStatuses().map((each) => [{ work: each.kind, chain: chainOf(each) }, each] as const)
  addReadings(registry, ['work', 'chain'], byWork, workReadings)
  const byDuty = () => workerStatuses().map((each) => [{ duty: each.name }, each] as const)
  addReadings(registry, ['duty'], byDuty, dutyReadings)

  const addLed = <Wanted extends Kind>(kind: Wanted, readings: Readings<WorkerOf<Wanted>>) => {
    const led = () =>
      workerStatuses()
        .filter((each): each is WorkerOf<Wanted> => each.kind === kind)
        .filter(leads)
        .map((each) => [{ chain: chainOf(each) }, each] as const)
    addReadings(registry, ['chain'], led, readings)
  }
  addLed('tracker', trackerReadings)
  addLed('solver', solverReadings)
  addLed('relayer', relayerReadings)
  addLed('feed', feedReadings)

  const books = () =>
    workerStatuses().flatMap((each) =>
      each.kind === 'solver' && leads(each) && each.books !== undefined
        ? [{ chain: each.chain, ...each.books }]
        : [],
    )
  const totals = () => books().map(({ chain, total }) => [{ chain }, total] as const)
  addReadings(registry, ['chain'], totals, totalReadings)
  const days = () =>
    books().flatMap(({ chain, today, yesterday }) => [
      [{ chain, day: 'today' }, today] as const,
      [{ chain, day: 'yesterday' }, yesterday] as const,
    ])
  addReadings(registry, ['chain', 'day'], days, dayReadings)
}

const leads = ({ leadership }: WorkerStatus): boolean => leadership === 'leads'

const workReadings: Readings<WorkerStatus> = {
  crossquote_leads: [
    'Whether this process leads the worker: 1, or 0 while it stands by or cannot ask. The sum over all processes is 1.',
    (worker) => Number(leads(worker)),
  ],
}

const dutyReadings: Readings<WorkerStatus> = {
  crossquote_leader: [
    'Whether this process holds the lease of the duty: 1 or 0. The sum over all processes is 1.',
    (worker) => Number(leads(worker)),
  ],
  crossquote_lease_lost_total: [
    'How often this process has lost the lease of the duty: it was frozen, or could not reach the database in time.',
    ({ leasesLost }) => leasesLost,
  ],
}

const trackerReadings: Readings<WorkerOf<'tracker'>> = {
  crossquote_tracker_head_block: [
    'Height of the last block that the tracker has processed.',
    ({ head }) => numberOf(head),
  ],
  crossquote_tracker_cursor_block: [
    'Height of the last final block that was saved. A restart continues from here.',
    ({ cursor }) => numberOf(cursor),
  ],
  crossquote_tracker_watched_transactions: [
    'Transactions that clients have announced and no block contains yet.',
    ({ watched }) => watched,
  ],
  crossquote_tracker_wrong_genesis: [
    'Whether the nodes of the chain serve another block 0 than the one that the stored data belongs to: 1 or 0. With 1 the chain is stopped.',
    ({ hasWrongGenesis }) => Number(hasWrongGenesis),
  ],
  crossquote_tracker_restarts_total: [
    'How often the tracker has started again from its cursor, after a failure or a reorg deeper than the blocks it remembers.',
    ({ restarts }) => restarts,
  ],
}

const solverReadings: Readings<WorkerOf<'solver'>> = {
  crossquote_solver_block: [
    'Height of the block at the solver’s last complete round.',
    ({ block }) => numberOf(block),
  ],
  crossquote_solver_open_transactions: [
    'Transactions of the solver that are stored and not final yet.',
    ({ open }) => open,
  ],
  crossquote_solver_failures: [
    'Rounds of the solver that have failed since the last complete one.',
    ({ failures }) => failures,
  ],
  crossquote_solver_is_allocator: [
    'Whether the solver’s key may sign payouts of the depository: 1 or 0. With 0 nothing is refunded or settled.',
    ({ isAllocator }) => (isAllocator === undefined ? undefined : Number(isAllocator)),
  ],
  crossquote_solver_is_key_of_identity: [
    'Whether the solver’s account may fill in the name of solver.identity: 1 or 0. With 0 nothing is filled.',
    ({ isKeyOfIdentity }) => (isKeyOfIdentity === undefined ? undefined : Number(isKeyOfIdentity)),
  ],
  crossquote_solver_signer_failures: [
    'Signatures that have failed since the last that succeeded. Above 0 payouts wait for the signer.',
    ({ signerFailures }) => signerFailures,
  ],
  crossquote_solver_unknown_nonces: [
    'Transactions of the solver’s account that the database does not have. Above 0 the account sends nothing until an operator reconciles it.',
    ({ unknownNonces }) => unknownNonces,
  ],
  crossquote_solver_unexplained_fills: [
    'Fills whose nonce is final although no node has a receipt of them. They are neither paid again nor refunded until an operator decides.',
    ({ unexplainedFills }) => unexplainedFills,
  ],
  crossquote_solver_deposits_near_exit: [
    'Deposits of requests and fills that are not settled, and that their depositors can take back in less than three days.',
    ({ nearExit }) => nearExit,
  ],
  crossquote_solver_unsettleable_deposits: [
    'Filled deposits whose settlement failed at its last try.',
    ({ unsettleable }) => unsettleable,
  ],
  crossquote_solver_exposure_usd: [
    'US dollars of the chain’s deposits that were filled and are not final yet, or are gone. At the ceiling, fills wait for finality.',
    ({ exposureUsd }) => (exposureUsd === undefined ? undefined : Number(exposureUsd) / 1e6),
  ],
  crossquote_solver_stopped_assets: [
    'Assets that are stopped on the chain because their price feeds disagree with other chains. An operator has to resume them.',
    ({ stoppedAssets }) => stoppedAssets,
  ],
  crossquote_solver_settlement_stopped: [
    'Whether the depository pays the solver nothing: 1 or 0. With 1 deposits on the chain are neither quoted nor filled.',
    ({ settlementStopped }) =>
      settlementStopped === undefined ? undefined : Number(settlementStopped),
  ],
}

const dollars = (usd: Usd): number => Number(usd) / 1e6

const totalReadings: Readings<BookSums> = {
  crossquote_solver_booked_transactions_total: [
    'Final transactions of the solver and the relayer in the books of the chain.',
    ({ transactions }) => transactions,
  ],
  crossquote_solver_volume_usd_total: [
    'US dollars that fills on the chain took from the solver, at the prices of their booking.',
    ({ volumeUsd }) => dollars(volumeUsd),
  ],
  crossquote_solver_gas_usd_total: [
    'US dollars of gas that the solver and the relayer spent on the chain, at the prices of their booking.',
    ({ gasUsd }) => dollars(gasUsd),
  ],
  crossquote_solver_unknown_values_total: [
    'Values that the sums of the books leave out, for want of a price or a receipt.',
    unknownIn,
  ],
}

const dayReadings: Readings<BookSums> = {
  crossquote_solver_day_volume_usd: [
    'US dollars that fills on the chain took from the solver. By UTC day: today, yesterday.',
    ({ volumeUsd }) => dollars(volumeUsd),
  ],
  crossquote_solver_day_fees_usd: [
    'US dollars of fees that fills on the chain and refunds earned, by UTC day. Negative: more was paid out than taken in.',
    ({ feesUsd }) => dollars(feesUsd),
  ],
  crossquote_solver_day_sponsored_usd: [
    'US dollars of fees of fills on the chain that API keys sponsor, by UTC day. Not part of the profit.',
    ({ sponsoredUsd }) => dollars(sponsoredUsd),
  ],
  crossquote_solver_day_gas_usd: [
    'US dollars of gas that the solver and the relayer spent on the chain, by UTC day.',
    ({ gasUsd }) => dollars(gasUsd),
  ],
  crossquote_solver_day_profit_usd: [
    'US dollars of fees minus gas on the chain, by UTC day. A fill earns on the chain that it pays on: add up all chains.',
    (sums) => dollars(profitOf(sums)),
  ],
}

const relayerReadings: Readings<WorkerOf<'relayer'>> = {
  crossquote_relayer_balance: [
    'Native currency of the relayer’s account, in whole units. Without it no call is sent.',
    ({ balance, decimals }) =>
      balance === undefined ? undefined : Number(balance) / 10 ** decimals,
  ],
  crossquote_relayer_open_transactions: [
    'Transactions of the relayer that are stored and not final yet.',
    ({ open }) => open,
  ],
  crossquote_relayer_failures: [
    'Rounds of the relayer that have failed since the last complete one.',
    ({ failures }) => failures,
  ],
  crossquote_relayer_signer_failures: [
    'Signatures of the relayer that have failed since the last that succeeded. Above 0 calls wait for the signer.',
    ({ signerFailures }) => signerFailures,
  ],
  crossquote_relayer_unknown_nonces: [
    'Transactions of the relayer’s account that the database does not have. Above 0 it sends nothing until an operator reconciles it.',
    ({ unknownNonces }) => unknownNonces,
  ],
}

const feedReadings: Readings<WorkerOf<'feed'>> = {
  crossquote_feed_block: [
    'Height of the block that the feed of the chain has published last.',
    ({ block }) => numberOf(block),
  ],
}

const chainOf = (worker: WorkerStatus): string => (worker.kind === 'webhooks' ? '' : worker.chain)

const numberOf = (height: bigint | undefined): number | undefined =>
  height === undefined ? undefined : Number(height)
