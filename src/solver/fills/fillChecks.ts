import { createReadFinal } from '#src/chains/follow/finality.ts'
import { countAt } from '#src/chains/read/transactionCount.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { paymentOrderIdOf } from '#src/protocol/calls/depositAddress.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { createRestoreFill } from './restoreFill.ts'

/**
 * - `unfilled`: no fill that is missing from the store has paid for the deposit, and none can any more.
 * - `filled`: the chain has such a fill.
 * - `notYet`: not decidable yet. Ask again later.
 */
type FillVerdict = 'unfilled' | 'filled' | 'notYet'

/**
 * Reads from the chains whether an order is filled. A restored database may have lost fills: no fill or refund may pay
 * for the same order again.
 */
export type FillChecks = Readonly<{
  /** Called right before the refund of a deposit. Checks all chains if the request is unknown. */
  verdict: (deposit: Deposit, request: SolverRequest | undefined) => Promise<FillVerdict>
  /** Stores the lost fill of a filled request. Logs failures: ask again later. */
  restore: (request: SolverRequest) => Promise<void>
}>

type Ports = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  store: RequestStore
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}>

type Solver = Readonly<{
  /** Sends the fills. */
  account: Address
  /** The account marks orders as filled in the name of this identity. */
  identity: Address
}>

export function createFillChecks(
  ports: Ports,
  chains: readonly ChainConfig[],
  solver: Solver,
): FillChecks {
  const { store, log } = ports
  const destinations = new Map(
    chains.flatMap((chain) => {
      const client = ports.clients.get(chain.id)
      return chain.contracts === undefined || client === undefined
        ? []
        : [
            [
              chain.id,
              createDestination({ ...ports, client }, chain, chain.contracts, solver),
            ] as const,
          ]
    }),
  )

  /** Whether the store has the fill of the request, and other deposits paid for it. */
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
            const verdict = await each.verdictOn(orderId)
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

type DestinationPorts = Omit<Ports, 'clients'> & Readonly<{ client: ChainClient }>

/** The fills on one chain, as the chain has them. */
function createDestination(
  ports: DestinationPorts,
  chain: ChainConfig,
  { approvalProxy: address }: ProtocolContracts,
  { account, identity }: Solver,
) {
  const { client, store } = ports
  const readFinal = createReadFinal(client, chain)

  const isMarked = (orderId: Deposit['orderId']): Promise<boolean> =>
    client.readContract({
      address,
      abi: proxyArtifact.abi,
      functionName: 'filled',
      args: [identity, orderId],
    })

  /** Whether the store has every transaction of the account, except final ones that an operator accepted. */
  async function knowsAll(): Promise<boolean> {
    const mined = await countAt(client, account, 'latest')
    const pending = await countAt(client, account, 'pending')
    // Read after the chain: each transaction is stored before it is sent, so one that is sent meanwhile is no gap.
    if (Math.max(mined, pending) > (await store.nextNonce(chain.id, account))) return false
    const accepted = await store.acceptedNonce(chain.id, account)
    if (accepted === 0) return true
    const final = await readFinal(await client.getBlockNumber())
    return final !== undefined && (await countAt(client, account, final.number)) >= accepted
  }

  return {
    restore: createRestoreFill(ports, { chain, approvalProxy: address, identity }),
    async verdictOn(orderId: Deposit['orderId']): Promise<FillVerdict> {
      if (await isMarked(orderId)) return 'filled'
      return (await knowsAll()) ? 'unfilled' : 'notYet'
    },
  }
}

/** The order ids under which a deposit may be filled. Without a request, it may be a payment to an open address. */
const ordersOf = (
  { orderId, depositId }: Deposit,
  request: SolverRequest | undefined,
): readonly Deposit['orderId'][] =>
  request === undefined ? [orderId, paymentOrderIdOf(orderId, depositId)] : [request.orderId]
