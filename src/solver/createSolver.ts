import { backoffMs } from '#src/chains/backoff.ts'
import { createReadFinal } from '#src/chains/follow/finality.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import { AppError, reasonOf } from '#src/errors.ts'
import { toAddress } from '#src/units/address.ts'
import { type ChainView, readView } from './chainView.ts'
import { createAllowances } from './fills/allowances.ts'
import { createFills } from './fills/fills.ts'
import { createMonitor } from './monitor/monitor.ts'
import { createNonceRecovery } from './monitor/nonceRecovery.ts'
import { createAllocatorCheck, createSignPayouts } from './payouts/depositoryCalls.ts'
import { createRefunds } from './payouts/refunds.ts'
import { createSettlements } from './payouts/settlements.ts'
import { createOutbox } from './sending/outbox.ts'
import type { SolverChain, SolverConfig, SolverDeps } from './solverDeps.ts'

export type Solver = Readonly<{
  /** Works until `signal` fires. Only one process at a time may run it for a chain and an account. */
  run: (signal: AbortSignal) => Promise<void>
  /** For health checks and metrics; the gateway's `WorkerStatus` documents the fields. */
  status: () => {
    block: bigint | undefined
    open: number
    failures: number
    isAllocator: boolean | undefined
  }
}>

/** Fills the requests that pay out on one chain, and refunds and settles the deposits on it. */
export function createSolver(deps: SolverDeps, { chain, limits }: SolverConfig): Solver {
  const { client, log, bus, account, verifiedChains } = deps
  const solver = toAddress(account.address)
  const { contracts } = chain
  const readFinal = createReadFinal(client, chain)
  let lastView: ChainView | undefined
  let failures = 0

  const parts = contracts && createParts(deps, { chain, contracts, solver }, limits)

  /** The order matters: fills, refunds and settlements need a gapless sequence of nonces. */
  async function runRound(): Promise<void> {
    if (parts === undefined || !(await verifiedChains.isVerified(chain.id))) return
    const solverChain = { chain, contracts: parts.contracts, solver }
    const view = await readView({ ...deps, readFinal }, solverChain)
    const { outbox } = parts
    try {
      const missingNonces = await outbox.open(view)
      const ineffective = await parts.monitor(view)
      await parts.recoverNonces(view, missingNonces)
      if (missingNonces.length > 0) return
      await parts.fill({ ...view, open: view.open.filter((each) => !ineffective.has(each)) })
      if (!(await parts.allocator.check())) return
      await parts.refund(view)
      await parts.settle(view)
    } finally {
      await outbox.flushed()
    }
    lastView = view
  }

  async function tryRound(signal: AbortSignal): Promise<void> {
    try {
      await runRound()
      if (failures > 0) log.info({ chainId: chain.id }, 'The solver works again')
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      const facts = { chainId: chain.id, reason: reasonOf(error) }
      const isExpected = error instanceof AppError
      if (!isExpected) log.error({ ...facts, err: error }, 'The solver failed; will retry')
      else log[failures === 1 ? 'warn' : 'debug'](facts, 'The solver cannot work; will retry')
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const wakeSignal = createWakeSignal()
    verifiedChains.reset()
    const unsubscribes = [
      client.onHead(wakeSignal.wake),
      bus.listen((wakeup) => {
        // The request may pay out or be refunded on this chain. A round costs less than finding out.
        const isPending = wakeup.kind === 'change' && wakeup.change.state.status === 'pending'
        if (isPending || wakeup.kind === 'missed') wakeSignal.wake()
      }),
    ]
    signal.addEventListener('abort', wakeSignal.wake)
    if (parts === undefined)
      log.warn({ chainId: chain.id }, 'No contracts are configured: nothing is filled or refunded')
    try {
      while (!signal.aborted) {
        await tryRound(signal)
        if (!signal.aborted) await wakeSignal.wait(pauseMs())
      }
    } finally {
      signal.removeEventListener('abort', wakeSignal.wake)
      for (const unsubscribe of unsubscribes) unsubscribe()
    }
  }

  /** One round a block; after failures, the backoff. */
  const pauseMs = (): number =>
    failures === 0
      ? Math.min(Math.max(chain.blockSeconds * 1000, minPauseMs), maxPauseMs)
      : backoffMs(failures)

  return {
    run,
    status: () => ({
      block: lastView?.head.number,
      open: lastView?.open.length ?? 0,
      failures,
      isAllocator: parts?.allocator.isAllocator(),
    }),
  }
}

const minPauseMs = 250
const maxPauseMs = 10_000

function createParts(deps: SolverDeps, solverChain: SolverChain, limits: SolverConfig['limits']) {
  const outbox = createOutbox(deps, solverChain)
  const sign = createSignPayouts(deps.account, solverChain)
  const { settle, mayBring } = createSettlements(deps, solverChain, { outbox, sign })
  const allowances = createAllowances(deps, solverChain, outbox)
  return {
    contracts: solverChain.contracts,
    outbox,
    allocator: createAllocatorCheck(deps, solverChain),
    monitor: createMonitor(deps, solverChain, outbox),
    recoverNonces: createNonceRecovery(deps, solverChain, outbox),
    fill: createFills(deps, solverChain, { outbox, allowances, limits, mayBring }),
    refund: createRefunds(deps, solverChain, { outbox, sign }),
    settle,
  }
}
