import type { SettlementState } from '#src/core/pricing/market.ts'
import { accountSizes } from '#src/protocol/svm/accounts.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'
import { createBooks } from '#src/solver/books/books.ts'
import { createExitAlarm } from '#src/solver/deposits/exposureReview.ts'
import { createOpenPayments } from '#src/solver/payments/openPayments.ts'
import type { SolverLimits } from '#src/solver/ports.ts'
import { createBackgroundWork, createRounds, createSendingTask } from '#src/solver/rounds.ts'
import type { Solver } from '#src/solver/solver.ts'
import { makeNonceAccount } from './nonceAccounts.ts'
import { createSvmCosts } from './svmCosts.ts'
import { createSvmFills } from './svmFills.ts'
import { createSvmMonitor } from './svmMonitor.ts'
import { createSvmOutbox } from './svmOutbox.ts'
import type { SvmSolverChain, SvmSolverPorts } from './svmPorts.ts'
import { createSvmRecords } from './svmRecords.ts'
import { createSvmRefunds } from './svmRefunds.ts'
import { createSvmSettlements } from './svmSettlements.ts'
import { createSvmSweeps } from './svmSweeps.ts'
import { readSvmOpen, readSvmView, type SvmView } from './svmView.ts'

/** Seconds between two rounds without news. */
const roundSeconds = 1
/** Nonce accounts that one transaction makes. */
const madeAtOnce = 4
/** Milliseconds before missing nonce accounts are made again. */
const makeAgainMs = 30_000

/** Fills the requests that pay out on a Solana chain, and refunds and settles the deposits on it. */
export function createSvmSolver(
  ports: SvmSolverPorts,
  solverChain: SvmSolverChain,
  limits: SolverLimits,
): Solver {
  const { market, verifiedChains } = ports
  const { chain, solver } = solverChain
  const stopOf = () => market.latest(chain.id)?.settlement?.stopped
  const parts = createParts(ports, solverChain, { limits, stopOf })
  const { outbox, exits, monitor, fill, work, books } = parts

  /** Fills requests. Sweeps, refunds and settlements run on during the next rounds. */
  async function runRound(): Promise<void> {
    if (!(await verifiedChains.isVerified(chain.id))) return
    try {
      const view = await outbox.openAlone(() => readSvmView(ports, solverChain))
      await parts.makeMissing(view)
      await exits.check(view)
      await monitor.inspect(view)
      if (market.latest(chain.id) === undefined) return
      try {
        await fill(view)
      } finally {
        work.start(view)
      }
    } finally {
      await outbox.flushed()
    }
  }

  const rounds = createRounds(
    { ...ports, client: { onHead: () => () => {} } },
    {
      name: 'solver',
      chain: { id: chain.id, blockSeconds: Math.max(chain.blockSeconds, roundSeconds) },
      account: solver,
      runRound,
      concerns: ({ status }) => status === 'pending',
      ended: async () => {
        await work.ended()
        await outbox.flushed()
      },
    },
  )

  return {
    run: (signal) => rounds.run(signal),
    status: () => ({
      block: work.lastView()?.head.number,
      open: work.lastView()?.open.length ?? 0,
      failures: Math.max(rounds.failures(), work.failures()),
      isAllocator: market.latest(chain.id) && stopOf() !== 'otherAllocator',
      // Nothing fills in another name, keys are in the process, and accounts number no transactions.
      isKeyOfIdentity: undefined,
      signerFailures: undefined,
      unknownNonces: undefined,
      unexplainedFills: monitor.unexplained(),
      nearExit: exits.nearExit(),
      unsettleable: parts.unsettleable(),
      exposureUsd: undefined,
      stoppedAssets: market.latest(chain.id)?.stoppedAssets.size,
      settlementStopped: market.latest(chain.id)?.settlement && stopOf() !== undefined,
      books: books.latest(),
    }),
  }
}

type Terms = Readonly<{
  limits: SolverLimits
  /** Why nothing is settled now. */
  stopOf: () => SettlementState['stopped'] | undefined
}>

function createParts(ports: SvmSolverPorts, solverChain: SvmSolverChain, terms: Terms) {
  const { client } = ports
  const { chain, program } = solverChain
  const { limits, stopOf } = terms
  const outbox = createSvmOutbox(ports, solverChain)
  const records = createSvmRecords(client, solverChain)
  const { settle, mayBring, unsettleable } = createSvmSettlements(ports, solverChain, {
    outbox,
    records,
  })
  const books = createBooks(ports, solverChain, createSvmCosts(client, program))
  // Nothing but final deposits is stored.
  const bindPayments = createOpenPayments(ports, {
    chain: { id: chain.id, depositConfirmations: 0 },
  })
  const taskOf = (name: string, run: (view: SvmView) => Promise<void>) =>
    createSendingTask<SvmView>(
      ports,
      {
        chainId: chain.id,
        name,
        isCurrent: outbox.isCurrent,
        readOpen: () => readSvmOpen(ports, solverChain),
      },
      run,
    )
  /** The depository refuses whatever another account than its allocator signs. */
  const withAllocator = (run: (view: SvmView) => Promise<void>) => async (view: SvmView) => {
    if (stopOf() === undefined) await run(view)
  }
  return {
    outbox,
    books,
    unsettleable,
    exits: createExitAlarm(ports, solverChain),
    monitor: createSvmMonitor(ports, solverChain, { outbox, records }),
    makeMissing: createNonceMaker(ports, solverChain),
    fill: createSvmFills(ports, solverChain, { outbox, records, limits, mayBring }),
    work: createBackgroundWork(ports, { chainId: chain.id, books }, [
      taskOf('sweeps', withAllocator(createSvmSweeps(ports, solverChain, outbox))),
      taskOf('payments', bindPayments),
      taskOf(
        'refunds',
        withAllocator(createSvmRefunds(ports, solverChain, { outbox, records, limits })),
      ),
      taskOf('settlements', withAllocator(settle)),
    ]),
  }
}

/** Makes the nonce accounts that the solver lacks. They stay, and hold their rent. */
function createNonceMaker(
  { client, account, log, now }: SvmSolverPorts,
  { chain, solver }: SvmSolverChain,
): (view: SvmView) => Promise<void> {
  let triedAt = Number.NEGATIVE_INFINITY
  return async ({ missing }) => {
    if (missing.size === 0 || now() - triedAt < makeAgainMs) return
    triedAt = now()
    const [rent, { blockhash }] = await Promise.all([
      client.getRent(accountSizes.nonce),
      client.getLatestBlockhash('finalized'),
    ])
    const all = [...missing]
    for (let at = 0; at < all.length; at += madeAtOnce) {
      const instructions = all
        .slice(at, at + madeAtOnce)
        .flatMap(([nonceAccount, held]) => makeNonceAccount(solver, nonceAccount, { held, rent }))
      const message = { payer: solver, instructions, lifetime: blockhash }
      await client.send((await signTransaction(message, [account])).bytes)
    }
    log.info({ chainId: chain.id, accounts: missing.size }, 'Makes nonce accounts of the solver')
  }
}
