import type { RelayedCallStore } from '#src/requests/relayedCall.ts'
import { createGasBudgets } from '#src/service/limits/gasBudgets.ts'
import { type ExecuteDeps, execute } from './execute.ts'
import type { RelayedCallOperations } from './relayedCallOperations.ts'

type Deps = Omit<ExecuteDeps, 'budgets' | 'requests'> &
  Readonly<{
    requests: ExecuteDeps['requests'] & RelayedCallStore
  }>

export function createRelayedCallOperations(deps: Deps): RelayedCallOperations {
  const { relayer } = deps.config
  const budgets = relayer && createGasBudgets(deps, relayer.gasBudgetUsd)
  return {
    execute: (input, client) => execute({ ...deps, budgets }, input, client),
    relayedCalls: deps.requests.relayedCallsOf,
  }
}
