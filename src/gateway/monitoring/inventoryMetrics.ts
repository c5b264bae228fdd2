import type { Registry } from 'prom-client'
import type {
  AdvisedMove,
  ChainInventory,
  Holding,
  Inventory,
} from '#src/service/books/inventory.ts'
import { addReadings, type Readings } from './readings.ts'

/**
 * Adds the metrics of what the solver holds, from the markets in memory. Every process with a market reports them. Their
 * labels are chains and assets of the configuration.
 */
export function addInventoryMetrics(registry: Registry, { chains, moves }: Inventory): void {
  const gas = () => chains().map((each) => [{ chain: each.name }, each] as const)
  addReadings(registry, ['chain'], gas, gasReadings)

  const holdings = () =>
    chains().flatMap(({ name: chain, holdings: own }) =>
      own.map((each) => [{ chain, currency: each.symbol }, each] as const),
    )
  addReadings(registry, ['chain', 'currency'], holdings, holdingReadings)

  const advised = () => {
    const names = new Map<number, string>(chains().map(({ chainId, name }) => [chainId, name]))
    const nameOf = (chainId: number): string => names.get(chainId) ?? String(chainId)
    return moves().map(
      (move) =>
        [
          {
            currency: move.asset,
            from: nameOf(move.from.chainId),
            to: nameOf(move.to.chainId),
          },
          move,
        ] as const,
    )
  }
  addReadings(registry, ['currency', 'from', 'to'], advised, moveReadings)
}

const whole = (amount: bigint | undefined, decimals: number): number | undefined =>
  amount === undefined ? undefined : Number(amount) / 10 ** decimals

const gasReadings: Readings<ChainInventory> = {
  crossquote_solver_gas_balance: [
    'Native currency of the solver’s account, in whole units. It pays for gas.',
    ({ gasBalance, native }) => whole(gasBalance, native.decimals),
  ],
  crossquote_solver_gas_fills: [
    'Number of fills with one swap whose gas the solver’s native currency pays at the present price.',
    ({ gasFills }) => (gasFills === undefined ? undefined : Number(gasFills)),
  ],
}

const holdingReadings: Readings<Holding> = {
  crossquote_solver_balance: [
    'Balance of the solver, in whole units of the currency.',
    ({ balance, currency }) => whole(balance, currency.decimals),
  ],
  crossquote_solver_balance_usd: [
    'Value of the solver’s balance in US dollars. Absent without a price.',
    ({ balanceUsd }) => (balanceUsd === undefined ? undefined : Number(balanceUsd) / 1e6),
  ],
  crossquote_solver_unsettled: [
    'Filled deposits that settlements are going to bring, less app fees, in whole units.',
    ({ unsettled, currency }) => whole(unsettled, currency.decimals),
  ],
  crossquote_solver_target: [
    'What the solver should hold, in whole units: solver.targets of the configuration.',
    ({ target, currency }) => whole(target, currency.decimals),
  ],
  crossquote_solver_minimum: [
    'Balance below which the inventory is low, in whole units: solver.targets of the configuration.',
    ({ minimum, currency }) => whole(minimum, currency.decimals),
  ],
}

const moveReadings: Readings<AdvisedMove> = {
  crossquote_solver_advised_move: [
    'Amount of an asset, in whole units, that the operator is advised to move from one chain to another.',
    ({ amount, from }) => whole(amount, from.decimals),
  ],
}
