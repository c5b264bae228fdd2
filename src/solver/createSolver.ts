import { backoffMs } from '#src/chains/backoff.ts'
import { createAlarm } from '#src/chains/wakeSignal.ts'
import { AppError, reasonOf } from '#src/errors.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { type ChainView, readView } from './chainView.ts'
import { createAllowances } from './fills/allowances.ts'
import { createFills } from './fills/fills.ts'
import { createWatch } from './monitor/monitor.ts'
import { createRevival } from './monitor/nonceRecovery.ts'
import { createAllocatorCheck, createSignPayouts } from './payouts/depositoryCalls.ts'
import { createRefunds } from './payouts/refunds.ts'
import { createSettlements } from './payouts/settlements.ts'
import { createOutbox } from './sending/outbox.ts'
import type { SolverChain, SolverConfig, SolverDeps } from './solverDeps.ts'

/** For health checks and metrics. */
type SolverStatus = Readonly<{
  chainId: ChainId
  solver: Address
  /** The block of its last look that came to an end. */
  block: bigint | undefined
  /** Transactions that are written ahead and in no block that counts. */
  open: number
  /** Looks that failed since the last one that did not. */
  failures: number
  /** Whether it may sign for the depository; undefined until it has asked. */
  isAllocator: boolean | undefined
}>

export type Solver = Readonly<{
  /** Works until `signal` fires. One at a time for an account and a chain, in all processes. */
  run: (signal: AbortSignal) => Promise<void>
  status: () => SolverStatus
}>

/** Fills what pays out on one chain, refunds and settles what was deposited there. */
export function createSolver(deps: SolverDeps, { chain, limits }: SolverConfig): Solver {
  const { client, log, bus, account, knownChains } = deps
  const solver = toAddress(account.address)
  const { contracts } = chain
  let last: ChainView | undefined
  let failures = 0

  const parts = contracts && partsOf(deps, { chain, contracts, solver }, limits)

  async function step(): Promise<void> {
    if (parts === undefined || !(await knownChains.isKnown(chain.id))) return
    const view = await readView(deps, { chain, contracts: parts.contracts, solver })
    const { outbox } = parts
    try {
      const missing = await outbox.open(view)
      const ineffective = await parts.watch(view)
      await parts.revive(view, missing)
      if (missing.length > 0) return
      await parts.fill({ ...view, open: view.open.filter((each) => !ineffective.has(each)) })
      if (!(await parts.allocator.check())) return
      await parts.refund(view)
      await parts.settle(view)
    } finally {
      await outbox.flushed()
    }
    last = view
  }

  async function look(signal: AbortSignal): Promise<void> {
    try {
      await step()
      if (failures > 0) log.info({ chainId: chain.id }, 'The solver works again')
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      const facts = { chainId: chain.id, reason: reasonOf(error) }
      const isExpected = error instanceof AppError
      if (!isExpected) log.error({ ...facts, err: error }, 'The solver failed; trying on')
      else log[failures === 1 ? 'warn' : 'debug'](facts, 'The solver cannot work; trying on')
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const alarm = createAlarm()
    knownChains.forget()
    const ends = [
      client.onHead(alarm.ring),
      bus.listen((wakeup) => {
        // A request that pays out here, or whose refund is due here: a look costs less than asking which.
        if (wakeup.kind === 'missed') alarm.ring()
        else if (wakeup.kind === 'change' && wakeup.change.state.status === 'pending') alarm.ring()
      }),
    ]
    signal.addEventListener('abort', alarm.ring)
    if (parts === undefined)
      log.warn({ chainId: chain.id }, 'No contracts are configured: nothing is filled or refunded')
    try {
      while (!signal.aborted) {
        await look(signal)
        if (!signal.aborted) await alarm.wait(pauseMs(failures))
      }
    } finally {
      signal.removeEventListener('abort', alarm.ring)
      for (const end of ends) end()
    }
  }

  /** As often as blocks come; where it fails, ever more seldom. */
  const pauseMs = (failed: number): number =>
    failed === 0
      ? Math.min(Math.max(chain.blockSeconds * 1000, shortestPauseMs), longestPauseMs)
      : backoffMs(failed)

  return {
    run,
    status: () => ({
      chainId: chain.id,
      solver,
      block: last?.head.number,
      open: last?.open.length ?? 0,
      failures,
      isAllocator: parts?.allocator.isAllocator(),
    }),
  }
}

const shortestPauseMs = 250
const longestPauseMs = 10_000

function partsOf(deps: SolverDeps, solverChain: SolverChain, limits: SolverConfig['limits']) {
  const outbox = createOutbox(deps, solverChain)
  const sign = createSignPayouts(deps.account, solverChain)
  const { settle, mayBring } = createSettlements(deps, solverChain, { outbox, sign })
  const allowances = createAllowances(deps, solverChain, outbox)
  return {
    contracts: solverChain.contracts,
    outbox,
    allocator: createAllocatorCheck(deps, solverChain),
    watch: createWatch(deps, solverChain, outbox),
    revive: createRevival(deps, solverChain, outbox),
    fill: createFills(deps, solverChain, { outbox, allowances, limits, mayBring }),
    refund: createRefunds(deps, solverChain, { outbox, sign }),
    settle,
  }
}
