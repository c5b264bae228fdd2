import { depthSize, reserveIn } from './depths.ts'
import { type Flow, marginalRate, narrowFlow, runFlow, totalInput, widenFlow } from './flow.ts'
import { type Balance, rebalance, tolerance } from './rebalance.ts'
import { type EdgePath, type FindPaths, withoutGas } from './searchPaths.ts'
import { edgePathGas, type Task } from './task.ts'
import { reverseEdge } from './topology.ts'
import { outputFor, rateOf, type Trial } from './trial.ts'

const mostRounds = 24
const mostPathsAdded = 6
/** Paths with a smaller share of the input are dropped. */
const leastShare = 1e-7

/**
 * Spreads a flow over more paths for as long as that gains more than it costs. At the best division
 * between given paths, any other path is worth adding that has a better marginal rate; where there is
 * none, no division between any paths gives more.
 * @param findPaths from the task's input to its output.
 */
export function spreadFlow(trial: Trial, task: Task, findPaths: FindPaths, start: Flow): Balance {
  const closed = trial.closed.slice()
  let best = rebalance(trial, start)
  for (let round = 0; round < mostRounds; round++) {
    const added = pathsToAdd(trial, task, findPaths, best)
    trial.closed.set(closed)
    if (added.length === 0) break
    const wider = rebalance(trial, widenFlow(best.flow, added), tolerance / 10)
    const next = dropUnused(trial, task, wider)
    const gain = next.output - best.output
    if (gain > 0) best = next
    if (gain <= best.output * tolerance) break
  }
  runFlow(trial, best.flow)
  return best
}

/** Without the paths that carry next to nothing, and those beyond the number allowed. */
function dropUnused(trial: Trial, { maxPaths }: Task, { flow, output }: Balance): Balance {
  const ranked = [...flow.inputs].sort((one, other) => other - one)
  const least = Math.max(totalInput(flow) * leastShare, ranked[maxPaths - 1] ?? 0)
  if (flow.inputs.every((input) => input >= least)) return { flow, output }
  const narrow = narrowFlow(flow, (path) => (flow.inputs[path] as number) >= least)
  return rebalance(trial, narrow)
}

/** Paths that gain more than their gas, the most promising first. Closes the reverse of all paths' edges. */
function pathsToAdd(trial: Trial, task: Task, findPaths: FindPaths, balance: Balance): EdgePath[] {
  const { flow, output } = balance
  flow.paths.forEach((path) => {
    closeReverse(trial, path)
  })
  const total = totalInput(flow)
  // Where the last unit gives nothing, anything is better: a rate that is as good as none says so too.
  const rate = Math.max(marginalRate(trial, flow), (leastShare * output) / total)
  const probe = probeAmount(task, total, rate)
  const candidates = findPaths({
    atStart: probe,
    carry: (edge, amountIn) => outputFor(trial, edge, amountIn),
    ...withoutGas,
    least: rate * probe,
  })
    .map(({ edges }) => ({
      edges,
      gain: gainOf(trial, edges, rate) - task.gasPrice * edgePathGas(trial, edges),
    }))
    .filter(({ gain }) => gain > output * tolerance)
    .sort((one, other) => other.gain - one.gain)
  const added: EdgePath[] = []
  for (const { edges } of candidates) {
    if (added.length === mostPathsAdded) break
    const isKnown = flow.paths.some((path) => isSamePath(path, edges))
    if (isKnown || edges.some((edge) => trial.closed[edge] === 1)) continue
    closeReverse(trial, edges)
    added.push(edges)
  }
  return added
}

const isSamePath = (one: EdgePath, other: EdgePath): boolean =>
  one.length === other.length && one.every((edge, i) => edge === other[i])

/** No route goes through one pool both ways: the two would undo each other, and pay the fee twice. */
function closeReverse(trial: Trial, path: EdgePath): void {
  for (const edge of path) trial.closed[reverseEdge(edge)] = 1
}

/**
 * So little that it hardly moves a pool; but not so little that a pool counts that could never earn the gas
 * of a path, where a path is taken to gain a twentieth of what it carries at the most.
 */
const probeAmount = ({ gasPrice }: Task, total: number, rate: number): number =>
  Math.min(total / 8, Math.max(total * 1e-5, (20 * gasPrice * 100_000) / rate))

/**
 * What a new path would gain, were the others not to notice. Its rate falls from above `rate` to just
 * that, where 1 ÷ √rate rises linearly with the input (see `levelInputs`).
 */
function gainOf(trial: Trial, path: EdgePath, rate: number): number {
  let resistance = 0
  let gain = 1
  for (const edge of path) {
    resistance += (2 * gain) / (trial.depths[edge * depthSize + reserveIn] as number)
    gain *= rateOf(trial, edge)
  }
  const excess = Math.sqrt(gain / rate) - 1
  return (2 * rate * excess ** 2) / resistance
}
