import { createReadFinal, type ReadFinal } from '#src/chains/follow/finality.ts'
import { countAt } from '#src/chains/read/transactionCount.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import { approvalProxy as proxyArtifact } from '#src/contracts/artifacts/approvalProxy.ts'
import { AppError, reasonOf } from '#src/errors.ts'
import { paymentOrderIdOf } from '#src/execution/calls/depositAddress.ts'
import type { Log } from '#src/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { createRestoreFill } from './restoreFill.ts'

/**
 * - `unfilled`: no fill that the store does not know has paid for the deposit, and none can any more.
 * - `filled`: the chain has such a fill.
 * - `notYet`: it cannot be told yet. Ask again later.
 */
type FillVerdict = 'unfilled' | 'filled' | 'notYet'

/**
 * Asks the chains themselves whether an order is filled. A restored database may have lost the fill: what it does not
 * know must not be paid a second time, by a fill or by a refund.
 */
export type FillChecks = Readonly<{
  /** Right before the refund of a deposit. An order without a known request may pay out on any chain. */
  verdict: (deposit: Deposit, request: SolverRequest | undefined) => Promise<FillVerdict>
  /** Stores the fill of a request that is filled, if it was lost. Failures are logged: ask again later. */
  restore: (request: SolverRequest) => Promise<void>
}>

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  store: RequestStore
  log: Log
  /** Unix time in milliseconds. */
  now: () => number
}>

type Solver = Readonly<{
  /** Sends the fills. */
  account: Address
  /** In whose name it marks orders as filled. */
  identity: Address
}>

export function createFillChecks(
  deps: Deps,
  chains: readonly ChainConfig[],
  { account, identity }: Solver,
): FillChecks {
  const { store, log } = deps
  const destinations = new Map(
    chains.flatMap((chain) => {
      const client = deps.clients.get(chain.id)
      if (chain.contracts === undefined || client === undefined) return []
      const { approvalProxy } = chain.contracts
      const where = { chain, approvalProxy, identity }
      const restore = createRestoreFill({ ...deps, client }, where)
      return [[chain.id, { ...where, client, readFinal: createReadFinal(client, chain), restore }]]
    }),
  )
  type Destination = NonNullable<ReturnType<typeof destinations.get>>

  const isMarked = ({ client, approvalProxy: address }: Destination, orderId: Deposit['orderId']) =>
    client.readContract({
      ...{ address, abi: proxyArtifact.abi, functionName: 'filled' },
      args: [identity, orderId],
    })

  async function verdictOn(
    destination: Destination,
    orderId: Deposit['orderId'],
  ): Promise<FillVerdict> {
    if (await isMarked(destination, orderId)) return 'filled'
    const { chain, client, readFinal } = destination
    const isComplete = await knowsAll({ client, readFinal }, chain.id)
    return isComplete ? 'unfilled' : 'notYet'
  }

  /** Whether the store has every transaction of the account, but for those that an operator accepted and that are final. */
  async function knowsAll(
    { client, readFinal }: Readonly<{ client: ChainClient; readFinal: ReadFinal }>,
    chainId: ChainId,
  ): Promise<boolean> {
    const mined = await countAt(client, account, 'latest')
    const pending = await countAt(client, account, 'pending')
    // Read last: what was stored before it was sent is then no gap.
    if (Math.max(mined, pending) > (await store.nextNonce(chainId, account))) return false
    const accepted = await store.acceptedNonce(chainId, account)
    if (accepted === 0) return true
    const final = await readFinal(await client.getBlockNumber())
    return final !== undefined && (await countAt(client, account, final.number)) >= accepted
  }

  /** Whether the store knows the fill of the request. The deposit is not among those that paid for it. */
  async function isOtherwiseFilled({ requestId }: SolverRequest, { depositId }: Deposit) {
    const fills = (await store.transactionsOf(requestId)).filter(
      ({ purpose, status }) => purpose === 'fill' && (status === 'mined' || status === 'final'),
    )
    return fills.length > 0 && fills.every(({ depositIds }) => !depositIds.includes(depositId))
  }

  return {
    async verdict(deposit, request) {
      if (request !== undefined && (await isOtherwiseFilled(request, deposit))) return 'unfilled'
      const asked =
        request === undefined
          ? [...destinations.values()]
          : [destinations.get(request.destinationChainId)].filter((each) => each !== undefined)
      try {
        for (const each of asked)
          for (const orderId of ordersOf(deposit, request)) {
            const verdict = await verdictOn(each, orderId)
            if (verdict !== 'unfilled') return verdict
          }
        return 'unfilled'
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { chainId, depositId } = deposit
        log.debug({ chainId, depositId, code: error.code }, 'A refund waits for another chain')
        return 'notYet'
      }
    },
    async restore(request) {
      const { requestId, destinationChainId: chainId } = request
      try {
        await destinations.get(chainId)?.restore(request)
      } catch (error) {
        const facts = { chainId, requestId, reason: reasonOf(error) }
        log.error(facts, 'A fill that the store has lost cannot be restored; will try again')
      }
    },
  }
}

/** The orders under which a deposit may have been filled: without a request it may be a payment to an open address. */
const ordersOf = (
  { orderId, depositId }: Deposit,
  request: SolverRequest | undefined,
): readonly Deposit['orderId'][] =>
  request === undefined ? [orderId, paymentOrderIdOf(orderId, depositId)] : [request.orderId]
