import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'
import { decodeClock } from '#src/protocol/svm/clock.ts'
import { decodeDepositoryCall } from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import { fillMarkerAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { decodeDepositoryRecord } from '#src/protocol/svm/depository/depositoryState.ts'
import { sysvars } from '#src/protocol/svm/programIds.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { parseSvmDepositId } from '#src/requests/state/svm/svmDepositId.ts'
import type { ChainChecks } from '#src/solver/fills/fillChecks.ts'
import type { Runtime } from '#src/solver/ports.ts'
import { currentAttempt } from '#src/solver/sending/outbox.ts'
import { fillSeconds } from './svmFills.ts'
import type { SvmSolverChain } from './svmPorts.ts'

/** Added to the deadline of fills: clocks differ. */
const marginSeconds = 30n

type Ports = Runtime & Readonly<{ client: SvmClient; store: RequestStore }>

/** A fill that the chain has and the store lacks. */
type Lost = Readonly<{ depositIds: readonly string[]; tries: number; signature: SvmSignature }>

/**
 * Reads from a Solana chain whether an order is filled, and whether a deposit is still owed. A restored database may
 * have lost fills that land later: each of them fails once `fillSeconds` have passed on chain. No single endpoint
 * decides that an order is not filled.
 */
export function createSvmChainChecks(
  { client, store, log, now }: Ports,
  { chain, program, solver }: Omit<SvmSolverChain, 'allocator'>,
): ChainChecks {
  /** Unix time in seconds of the chain when this process began: fills that the store may lack are older. */
  let begun: bigint | undefined

  /**
   * Asks all endpoints: each may lag, run ahead, or lie. Those that fail or back off have no say.
   * @throws what the RPC throws if none answers
   */
  async function readAll(orderId?: Parameters<ChainChecks['verdictOn']>[0]) {
    const marker =
      orderId === undefined ? [] : [fillMarkerAddress(program, { solver, id: orderId })]
    const ready = client.endpoints.filter((endpoint) => !endpoint.isBackingOff())
    const asked = await Promise.allSettled(
      (ready.length === 0 ? [client] : ready).map(async (endpoint) => {
        const { accounts } = await endpoint.getAccounts([sysvars.clock, ...marker], 'finalized')
        const time = accounts[0] && decodeClock(accounts[0])
        if (time === undefined) throw new Error('The node has no clock')
        return { time, isMarked: accounts[1]?.owner === program }
      }),
    )
    const answers = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    const failed = asked.find((each) => each.status === 'rejected')
    if (answers.length === 0) throw failed?.reason
    const times = answers.map(({ time }) => time).toSorted((one, other) => Number(one - other))
    const [first = 0n, last = first] = [times[0], times.at(-1)]
    const dayTime = BigInt(Math.floor(now() / 1000 + chain.clockSkewSeconds))
    // The latest of all clocks: one that lags would bring refunds forward.
    begun ??= last > dayTime ? last : dayTime
    return { time: first, begun, marks: new Set(answers.map(({ isMarked }) => isMarked)) }
  }
  // A failure is repeated, and reported, by the first verdict.
  void readAll().catch(() => undefined)

  const findFill = createFillSearch(client, { program, solver })

  /** The tracker confirms it like any other. */
  const restoredFill = async (
    { requestId }: SolverRequest,
    { depositIds, tries, signature }: Lost,
  ): Promise<SolverTransaction> => ({
    transactionId: `fill:${requestId}:${tries}`,
    purpose: 'fill',
    chainId: chain.id,
    account: solver,
    nonce: await store.nextNonce(chain.id, solver),
    requestId,
    depositIds,
    spends: [],
    attempts: [{ hash: signature, raw: '0x', maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }],
    status: 'sent',
    createdAt: now(),
    version: 0,
  })

  return {
    async owed({ depositId, amount }) {
      const { record, slot } = parseSvmDepositId(depositId)
      const answer = await client.getAccounts([record], 'confirmed')
      if (answer.slot < slot) return 'notYet'
      const [account] = answer.accounts
      const found = account && decodeDepositoryRecord(program, account)
      return found?.slot === slot && found.owed >= amount ? 'owed' : 'paidOut'
    },
    async verdictOn(orderId) {
      const { time, begun: since, marks: found } = await readAll(orderId)
      if (found.size > 1) return 'notYet'
      if (found.has(true)) return 'filled'
      return time > since + fillSeconds + marginSeconds ? 'unfilled' : 'notYet'
    },
    async restore(request) {
      const { requestId, orderId } = request
      const fills = (await store.transactionsOf(requestId)).filter(
        ({ purpose }) => purpose === 'fill',
      )
      const depositIds = fundingDepositIds(request)
      const facts = { chainId: chain.id, requestId }
      if (depositIds.length === 0 || fills.some(isKnown)) return
      const signature = await findFill(orderId)
      if (signature === undefined) return log.warn(facts, 'No node has a fill that the store lacks')
      if (fills.some(({ attempts }) => attempts.some(({ hash }) => hash === signature))) return
      const restored = await restoredFill(request, { depositIds, tries: fills.length, signature })
      // The marker is made once: a fill that is under way can have no effect any more.
      const overtaken = fills
        .filter(({ status }) => status === 'sent')
        .map((each): SolverTransaction => ({ ...each, status: 'reverted' }))
      const event = { type: 'fillSent', transaction: currentAttempt(restored) } as const
      const state = advance(request, event, now())
      const requests = state === request.state ? [] : [{ ...request, state }]
      const saved = await store.save({ transactions: [...overtaken, restored], requests })
      if (saved === 'saved')
        log.warn({ ...facts, hash: signature }, 'Restores a fill that the store has lost')
    },
  }
}

const isKnown = ({ status }: SolverTransaction): boolean => status === 'mined' || status === 'final'

/** Finds the transaction that made the marker of an order. Others may have sent lamports to its address before. */
function createFillSearch(
  client: SvmClient,
  { program, solver }: Pick<SvmSolverChain, 'program' | 'solver'>,
): (orderId: SolverRequest['orderId']) => Promise<SvmSignature | undefined> {
  async function marks(signature: SvmSignature, orderId: string): Promise<boolean> {
    const found = await client.getTransaction(signature, 'finalized')
    const calls = found?.instructions.map((each) => decodeDepositoryCall(program, each)) ?? []
    return calls.some(
      (call) => call?.kind === 'markFilled' && call.solver === solver && call.id === orderId,
    )
  }
  return async (orderId) => {
    const marker = fillMarkerAddress(program, { solver, id: orderId })
    const history = await client.getHistory(marker, { slot: 0n })
    for (const { signature, error } of history)
      if (error === undefined && (await marks(signature, orderId))) return signature
    return undefined
  }
}
