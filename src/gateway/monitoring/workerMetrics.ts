import { Counter, Gauge, type Registry } from 'prom-client'
import type { Duty } from './workerStatus.ts'

type DutyOf<Kind extends Duty['kind']> = Extract<Duty, Readonly<{ kind: Kind }>>

/** Adds what trackers and solvers do here: figures of those that this process leads, as others are elsewhere. */
export function addWorkMetrics(registry: Registry, duties: () => readonly Duty[]): void {
  const registers = [registry]

  new Gauge({
    name: 'crossquote_leads',
    help: 'Whether this process does the work: 1, or 0 while it stands by or cannot ask. Of all processes together one does.',
    labelNames: ['work', 'chain'],
    registers,
    collect() {
      for (const duty of duties())
        this.set({ work: duty.kind, chain: chainOf(duty) }, duty.turn === 'leads' ? 1 : 0)
    },
  })

  const led = <Kind extends Duty['kind']>(kind: Kind): readonly DutyOf<Kind>[] =>
    duties().filter((duty): duty is DutyOf<Kind> => duty.kind === kind && duty.turn === 'leads')

  const gaugeOf =
    <Kind extends 'tracker' | 'solver'>(kind: Kind) =>
    (name: string, help: string, figureOf: (duty: DutyOf<Kind>) => number | undefined) =>
      new Gauge({
        name: `crossquote_${kind}_${name}`,
        help,
        labelNames: ['chain'],
        registers,
        collect() {
          this.reset()
          for (const duty of led(kind)) {
            const figure = figureOf(duty)
            if (figure !== undefined) this.set({ chain: chainOf(duty) }, figure)
          }
        },
      })

  const ofTracker = gaugeOf('tracker')
  ofTracker(
    'head_block',
    'Height of the last block that was followed for deposits and payments.',
    ({ head }) => numberOf(head),
  )
  ofTracker(
    'cursor_block',
    'Height that is followed on from after a restart: the last final block that was saved.',
    ({ cursor }) => numberOf(cursor),
  )
  ofTracker(
    'watched_transactions',
    'Transactions that are waited for because somebody named them.',
    ({ watched }) => watched,
  )
  new Counter({
    name: 'crossquote_tracker_restarts_total',
    help: 'Times that following began anew: after a reorg too deep to be undone, or a failure.',
    labelNames: ['chain'],
    registers,
    collect() {
      this.reset()
      for (const duty of led('tracker')) this.inc({ chain: duty.chain }, duty.restarts)
    },
  })

  const ofSolver = gaugeOf('solver')
  ofSolver('block', 'Height of the block at the last look that came to an end.', ({ block }) =>
    numberOf(block),
  )
  ofSolver(
    'open_transactions',
    'Transactions that are written ahead and in no block that counts.',
    ({ open }) => open,
  )
  ofSolver(
    'failures',
    'Looks that failed since the last one that did not.',
    ({ failures }) => failures,
  )
  ofSolver(
    'is_allocator',
    'Whether its key may sign for the depository: without that nothing is refunded or settled.',
    ({ isAllocator }) => (isAllocator === undefined ? undefined : Number(isAllocator)),
  )
}

const chainOf = (duty: Duty): string => (duty.kind === 'webhooks' ? '' : duty.chain)

const numberOf = (height: bigint | undefined): number | undefined =>
  height === undefined ? undefined : Number(height)
