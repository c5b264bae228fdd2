import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Account, evmAddress } from '#src/core/units/address.ts'
import { sweepCall } from '#src/protocol/calls/depositAddress.ts'
import type { WatchedAddress } from '#src/requests/addressStore.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { Runtime, SolverChain, SolverMarket } from '#src/solver/ports.ts'
import { type Estimate, estimateGas, marketFees } from '#src/solver/sending/estimateGas.ts'
import type { Sender } from '#src/solver/sending/outbox.ts'
import { readBalances } from './sweepBalances.ts'
import { createSweepLoop } from './sweepLoop.ts'

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

/** Sweeps the deposit addresses of an EVM chain. Reads balances, not logs: a native payment by a contract leaves no log. */
export function createSweeps(
  ports: Ports,
  solverChain: SolverChain,
  outbox: Sender,
): (view: ChainView) => Promise<void> {
  const { client, log, market } = ports
  const { chain, solver, contracts } = solverChain
  const factory = contracts.depositAddressFactory

  async function sweep(
    { requestId, orderId, depositor, address }: WatchedAddress,
    currencies: readonly Account[],
    { head }: ChainView,
  ): Promise<'done' | 'refused'> {
    const gas = market.latest(chain.id)?.gas
    if (gas === undefined || factory === undefined) return 'done'
    const fees = marketFees(gas)
    const facts = { chainId: chain.id, requestId, address }
    const order = { orderId, depositor: evmAddress(depositor) }
    const attempt = async (some: readonly Account[]) => {
      const call = sweepCall(factory, order, some.map(evmAddress))
      return { some, call, estimate: await estimateGas(client, solver, call, fees) }
    }
    let tried = await attempt(currencies)
    // A currency whose issuer has blocked the address must not block the other currencies.
    for (const currency of currencies.length > 1 ? currencies : [])
      if (tried.estimate.kind === 'reverts') tried = await attempt([currency])
    const { some, call, estimate } = tried
    if (estimate.kind !== 'gas') {
      const reason = reasonOf(estimate)
      log.info({ ...facts, reason }, 'A deposit address cannot be swept; will retry')
      // The address is empty, because somebody swept it or a reorg undid its payment. New payments need no delay.
      return reason === 'NothingToSweep' ? 'done' : 'refused'
    }
    const saved = await outbox.send(
      {
        transactionId: `sweep:${requestId}:${head.number}`,
        purpose: 'sweep',
        requestId,
        depositIds: [],
        spends: [],
        call,
        gas: estimate.gas,
      },
      fees,
      (transaction) => ({ transactions: [transaction] }),
    )
    if (saved === 'saved') log.info({ ...facts, currencies: some }, 'Sweeps a deposit address')
    return 'done'
  }

  const loop = createSweepLoop<ChainView>(ports, solverChain, {
    readBalances: (found, { head }) => readBalances(client, found, head.hash),
    underWay: sweepsUnderWay,
    sweep,
  })
  return async (view) => {
    if (factory !== undefined) await loop(view)
  }
}

const reasonOf = (estimate: Exclude<Estimate, { kind: 'gas' }>): string =>
  estimate.kind === 'reverts' ? (estimate.error ?? estimate.reason) : estimate.kind

/** Requests with a sweep that no block includes yet. After a mined sweep, the balance is a new payment. */
const sweepsUnderWay = ({ open, nonces }: ChainView): ReadonlySet<string | undefined> =>
  new Set(
    open
      .filter(({ purpose, nonce }) => purpose === 'sweep' && nonce >= nonces.mined)
      .map(({ requestId }) => requestId),
  )
