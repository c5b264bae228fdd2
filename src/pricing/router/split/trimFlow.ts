import type { Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { flowGas, type Task } from '#src/pricing/router/search/routeTask.ts'
import { narrowFlow } from './flow.ts'
import { type Balance, rebalance } from './rebalance.ts'

/**
 * Leaves out the paths that do not earn their gas: each in turn, the least used first, if the others do as well
 * without it once its gas is saved.
 * @param balance of a flow that has just been run.
 */
export function trimFlow(trial: Trial, task: Task, balance: Balance): Balance {
  const { paths, inputs } = balance.flow
  const leastUsedFirst = [...paths.keys()].sort(
    (one, other) => (inputs[one] as number) - (inputs[other] as number),
  )
  let best = balance
  let net = netOutput(trial, task, best)
  for (const dispensable of leastUsedFirst) {
    if (best.flow.paths.length === 1) break
    const kept = best.flow.paths
    const narrow = narrowFlow(best.flow, (path) => kept[path] !== paths[dispensable])
    const next = rebalance(trial, narrow)
    const nextNet = netOutput(trial, task, next)
    if (nextNet < net) continue
    best = next
    net = nextNet
  }
  return best
}

const netOutput = (trial: Trial, { gasPrice }: Task, { flow, output }: Balance): number =>
  output - gasPrice * flowGas(trial, flow)
