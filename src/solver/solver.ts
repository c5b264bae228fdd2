import { createReadFinal } from '#src/chains/follow/finality.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Signer } from '#src/config/keys/signer.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { createBooks, type SolverBooks } from './books/books.ts'
import { createReceiptCosts } from './books/receiptCost.ts'
import { type ChainView, readOpen, readView } from './chainView.ts'
import { createAllocatorCheck, createSignPayout } from './depository/depositoryCalls.ts'
import type { DepositChecks } from './deposits/depositChecks.ts'
import { createExitAlarm, createExposureReview } from './deposits/exposureReview.ts'
import type { FillChecks } from './fills/fillChecks.ts'
import { createFills } from './fills/fills.ts'
import { createMonitor } from './monitor/monitor.ts'
import { createNonceRecovery } from './monitor/nonceRecovery.ts'
import { createPegWatch } from './monitor/pegWatch.ts'
import { createStillPays } from './monitor/stillPays.ts'
import { createOpenPayments, type Requote } from './payments/openPayments.ts'
import { createRefunds } from './payouts/refunds.ts'
import { createSettlements } from './payouts/settlements.ts'
import { createPermits } from './permitPayments/permitPayments.ts'
import type { SolverChain, SolverLimits, WorkerPorts } from './ports.ts'
import { createBackgroundWork, createRounds, createSendingTask } from './rounds.ts'
import {
  createIdentityCheck,
  createSignerAlarm,
  type SignerAlarm,
} from './sending/identityCheck.ts'
import { createOutbox } from './sending/outbox.ts'
import { createSharedOutbox } from './sending/sharedOutbox.ts'
import { createSweeps } from './sweeps/sweeps.ts'

export type Solver = Readonly<{
  /** Works until `signal` fires. Only one process at a time may run it for a chain and an account. */
  run: (signal: AbortSignal) => Promise<void>
  /** For health checks and metrics; the gateway's `WorkerStatus` documents the fields. */
  status: () => {
    block: bigint | undefined
    open: number
    failures: number
    isAllocator: boolean | undefined
    isKeyOfIdentity: boolean | undefined
    signerFailures: number | undefined
    unknownNonces: number | undefined
    unexplainedFills: number
    nearExit: number | undefined
    unsettleable: number
    exposureUsd: Usd | undefined
    stoppedAssets: number | undefined
    settlementStopped: boolean | undefined
    books: SolverBooks | undefined
  }
}>

export type SolverPorts = WorkerPorts &
  Readonly<{
    depositChecks: DepositChecks
    fillChecks: FillChecks
    /** Quotes payments to open deposit addresses. */
    requote: Requote
    /** Signs payouts as the allocator of the chain's depository. Default: `account`. */
    allocator?: Signer
  }>

export type SolverConfig = Readonly<{ chain: ChainConfig; limits: SolverLimits; identity: Address }>

/** Fills the requests that pay out on one chain, and refunds and settles the deposits on it. */
export function createSolver(
  ports: SolverPorts,
  { chain, limits, identity }: SolverConfig,
): Solver {
  const { client, log, account, market, verifiedChains } = ports
  const solver = toAddress(account.address)
  const { contracts } = chain
  const readFinal = createReadFinal(client, chain)
  let hasNotedWait = false

  const signerAlarm = createSignerAlarm(ports, chain)
  const signing = { ...ports, ...watchSigners(ports, signerAlarm) }
  const parts = contracts && createParts(signing, { chain, contracts, solver, identity }, limits)

  /** Fills requests. Background tasks, such as refunds and settlements, run on during the next rounds. */
  async function runRound(): Promise<void> {
    if (parts === undefined || !(await verifiedChains.isVerified(chain.id))) return
    const solverChain = { chain, contracts: parts.contracts, solver, identity }
    const { outbox } = parts
    try {
      const { view, missing, unknown } = await outbox.openAlone(() =>
        readView({ ...ports, readFinal }, solverChain),
      )
      rounds.reportUnknown(unknown, view)
      await parts.exits.check(view)
      const ineffective = await parts.monitor.inspect(view)
      await parts.recoverNonces(view, missing)
      if (missing.length > 0 || unknown > 0) return
      await parts.exposure.review(view)
      if (!hasMarket()) return
      await parts.pegs.check()
      try {
        await parts.fill({ ...view, open: view.open.filter((each) => !ineffective.has(each)) })
      } finally {
        parts.work.start(view)
      }
    } finally {
      await outbox.flushed()
    }
  }

  /** At its start, a process has no market for a while. */
  function hasMarket(): boolean {
    const isReady = market.latest(chain.id) !== undefined
    if (!(isReady || hasNotedWait))
      log.debug({ chainId: chain.id }, 'The solver waits for the first market of its chain')
    hasNotedWait = !isReady
    return isReady
  }

  const rounds = createRounds(ports, {
    name: 'solver',
    chain,
    account: solver,
    runRound,
    // The request may concern this chain. A round costs less than finding out.
    concerns: ({ status, isSigned }) => status === 'pending' || isSigned === true,
    ended: async () => {
      await parts?.work.ended()
      await parts?.outbox.flushed()
    },
  })

  async function run(signal: AbortSignal): Promise<void> {
    if (parts === undefined)
      log.warn({ chainId: chain.id }, 'No contracts are configured: nothing is filled or refunded')
    await rounds.run(signal)
  }

  return {
    run,
    status: () => ({
      block: parts?.work.lastView()?.head.number,
      open: parts?.work.lastView()?.open.length ?? 0,
      failures: Math.max(rounds.failures(), parts?.work.failures() ?? 0),
      isAllocator: parts?.allocator.isAllocator(),
      isKeyOfIdentity: parts?.identity.isKey(),
      signerFailures: signerAlarm.failures(),
      unknownNonces: rounds.unknownNonces(),
      unexplainedFills: parts?.monitor.unexplained() ?? 0,
      nearExit: parts?.exits.nearExit(),
      unsettleable: parts?.unsettleable() ?? 0,
      exposureUsd: parts?.exposure.exposureUsd(),
      stoppedAssets: market.latest(chain.id)?.stoppedAssets.size,
      settlementStopped: isSettlementStopped(market.latest(chain.id)),
      books: parts?.books.latest(),
    }),
  }
}

const isSettlementStopped = (market: ChainMarket | undefined): boolean | undefined =>
  market?.settlement && market.settlement.stopped !== undefined

/** The solver's signers, watched by the alarm. */
const watchSigners = ({ account, allocator = account }: SolverPorts, { watch }: SignerAlarm) => ({
  account: watch(account),
  allocator: watch(allocator),
})

type Signing = SolverPorts & ReturnType<typeof watchSigners>

function createParts(ports: Signing, solverChain: SolverChain, limits: SolverLimits) {
  const outbox = createSharedOutbox(createOutbox(ports, solverChain), ports.span)
  const sign = createSignPayout(ports.allocator, solverChain)
  const { settle, mayBring, unsettleable } = createSettlements(ports, solverChain, {
    outbox,
    sign,
    limits,
  })
  const allocator = createAllocatorCheck(ports, solverChain, toAddress(ports.allocator.address))
  const identity = createIdentityCheck(ports, solverChain)
  const refund = createRefunds(ports, solverChain, { outbox, sign, limits })
  const taskOf = (name: string, run: (view: ChainView) => Promise<unknown>) =>
    createSendingTask<ChainView>(
      ports,
      {
        chainId: solverChain.chain.id,
        name,
        isCurrent: outbox.isCurrent,
        readOpen: ({ head }) => readOpen(ports, solverChain, head),
      },
      run,
    )
  const withAllocator = (run: (view: ChainView) => Promise<void>) => async (view: ChainView) => {
    if (!(await allocator.check())) return false
    await run(view)
    return true
  }
  const sweep = createSweeps(ports, solverChain, outbox)
  const sendPermits = createPermits(ports, solverChain, outbox, limits)
  const books = createBooks(ports, solverChain, createReceiptCosts(ports.client, solverChain))
  return {
    contracts: solverChain.contracts,
    outbox,
    allocator,
    identity,
    exits: createExitAlarm(ports, solverChain),
    unsettleable,
    books,
    exposure: createExposureReview(ports, solverChain),
    pegs: createPegWatch(ports, solverChain, limits),
    monitor: createMonitor(ports, solverChain, outbox, createStillPays(ports, solverChain, limits)),
    recoverNonces: createNonceRecovery(ports, solverChain, outbox),
    fill: createFills(ports, solverChain, { outbox, identity, limits, mayBring }),
    // In the background: permits that cannot be sent do not delay fills.
    work: createBackgroundWork(ports, { chainId: solverChain.chain.id, books }, [
      taskOf('permits', sendPermits),
      taskOf('sweeps', sweep),
      taskOf('payments', createOpenPayments(ports, solverChain)),
      taskOf('refunds', withAllocator(refund)),
      taskOf('settlements', withAllocator(settle)),
    ]),
  }
}
