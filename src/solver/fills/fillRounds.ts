import type { GasMarket } from '#src/core/pricing/gas/gas.ts'
import type { LegSwap } from '#src/core/pricing/leg/leg.ts'
import type { ChainMarket, Market, SettlementState } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { WorkView } from '#src/solver/chainView.ts'
import type { Taken } from '#src/solver/depository/settlementProof.ts'
import type { OwnChain, SolverMarket } from '#src/solver/ports.ts'
import { originChainIdsOf } from './fillCandidates.ts'

/** The inputs of one round of fills. */
export type FillRound<View extends WorkView = WorkView> = Readonly<{
  view: View
  snapshot: Market
  gas: GasMarket
  inventory: ReservableInventory
  /** Swaps of pending fills, by nonce. Fills of this round are appended. */
  pendingLegs: LegSwap[]
  /** Simulated gas of fills that use more than their quotes estimate, by request. */
  simulatedGas: ReadonlyMap<string, bigint>
  /** What the depository of each origin chain can pay to the solver. */
  settlements: ReadonlyMap<ChainId, SettlementState>
  /** Amounts of deposits whose settlement was proven in this round. */
  taken: Taken
}>

export type FillRounds = Readonly<{
  /** Undefined without requests, and while the chain has no market. */
  read: <View extends WorkView>(
    view: View,
    requests: readonly SolverRequest[],
    simulatedGas: FillRound['simulatedGas'],
  ) => Promise<FillRound<View> | undefined>
  /** Remembers the swap of a fill that was sent. */
  add: (transactionId: string, leg: LegSwap) => void
}>

export function createFillRounds(
  { store, market }: Readonly<{ store: RequestStore; market: SolverMarket }>,
  { chain }: OwnChain,
): FillRounds {
  /** Swaps of pending fills, by transaction. Unknown for fills that were sent before a restart. */
  const legs = new Map<string, LegSwap>()

  /** What the depositories of the requests' origin chains can pay, with the newest amounts of the database. */
  async function readSettlements({ chains }: Market, requests: readonly SolverRequest[]) {
    const states = new Map<ChainId, SettlementState>()
    for (const chainId of new Set(requests.flatMap(originChainIdsOf))) {
      const state = chains.get(chainId)?.settlement
      const unsettled = await store.unsettledAmounts(chainId)
      if (state !== undefined) states.set(chainId, { ...state, unsettled })
    }
    return states
  }

  return {
    add: (transactionId, leg) => void legs.set(transactionId, leg),
    async read(view, requests, simulatedGas) {
      const open = new Set(view.open.map(({ transactionId }) => transactionId))
      for (const id of legs.keys()) if (!open.has(id)) legs.delete(id)
      if (requests.length === 0) return undefined
      const chainIds = [...new Set([...requests.flatMap(originChainIdsOf), chain.id])]
      const snapshot = market.snapshot(chainIds)
      const chainMarket = snapshot.chains.get(chain.id)
      if (chainMarket === undefined) return undefined
      const pendingLegs = view.open
        .filter((each) => isPendingFill(each, chainMarket.block.number))
        .flatMap(({ transactionId }) => legs.get(transactionId) ?? [])
      return {
        view,
        snapshot,
        pendingLegs,
        simulatedGas,
        settlements: await readSettlements(snapshot, requests),
        taken: new Map(),
        gas: chainMarket.gas,
        inventory: createInventory(chainMarket, view.open),
      }
    },
  }
}

/** The solver's balances on the destination chain, by currency. */
export type Inventory = Readonly<{
  /** The whole balance. */
  held: (currency: Account) => bigint
  /** The balance minus the amounts that pending fills spend. */
  free: (currency: Account) => bigint
}>

/** An inventory from which plans of the same round reserve amounts. */
type ReservableInventory = Inventory &
  Readonly<{ reserve: (spends: SolverTransaction['spends']) => void }>

/** The balances at the market's block, minus the amounts of fills that this block does not include. */
function createInventory(
  { block, solverBalances }: ChainMarket,
  open: readonly SolverTransaction[],
): ReservableInventory {
  const reserved = new Map<Account, bigint>()
  const reserve = (spends: SolverTransaction['spends']) => {
    for (const { currency, amount } of spends)
      reserved.set(currency, (reserved.get(currency) ?? 0n) + amount)
  }
  for (const transaction of open)
    if (isPendingFill(transaction, block.number)) reserve(transaction.spends)
  const held = (currency: Account) => solverBalances.get(currency) ?? 0n
  return {
    held,
    free: (currency) => held(currency) - (reserved.get(currency) ?? 0n),
    reserve,
  }
}

/** Whether the transaction is a fill that the market at block `marketHeight` does not include yet. */
const isPendingFill = (
  { purpose, status, mined }: SolverTransaction,
  marketHeight: bigint,
): boolean =>
  purpose === 'fill' &&
  status !== 'reverted' &&
  (status === 'sent' || mined === undefined || mined.block.number > marketHeight)

/**
 * Whether the request may still wait for external liquidity: its quote exceeded the solver's balance, and the time that
 * the quote named has not passed since the last deposit.
 * @param now in seconds since 1970
 */
export const awaitsLiquidity = (
  { fill: { externalLiquiditySeconds } }: SolverRequest,
  deposits: readonly Deposit[],
  now: number,
): boolean =>
  externalLiquiditySeconds !== undefined &&
  now <= Math.max(...deposits.map(({ timestamp }) => timestamp)) + externalLiquiditySeconds
