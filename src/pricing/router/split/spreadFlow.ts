import { outputFor, rateOf, type Trial } from '#src/pricing/router/pools/poolSimulation.ts'
import { reverseEdge } from '#src/pricing/router/pools/topology.ts'
import { depthSize, reserveIn } from '#src/pricing/router/pools/virtualReserves.ts'
import { edgePathGas, type Task } from '#src/pricing/router/search/routeTask.ts'
import {
  type EdgePath,
  type PathFinder,
  withoutGas,
} from '#src/pricing/router/search/searchPaths.ts'
import { type Flow, marginalRate, narrowFlow, totalInput, widenFlow } from './flow.ts'
import { type Balance, rebalance, tolerance } from './rebalance.ts'

const mostRounds = 40
const mostPathsFound = 24
const mostPathsAdded = 12
/** Paths with a smaller share of the input are dropped. */
const leastShare = 1e-7
/** New paths are sought for such a share of the input, and when they gain no more, for so much less, down to the last. */
const firstProbe = 1 / 16
const nextProbe = 1 / 16
const lastProbe = 1e-5

/**
 * Spreads a flow over more paths for as long as that gains more than it costs. At the best division
 * between given paths, any other path is worth adding that has a better marginal rate; where there is
 * none, no division between any paths gives more. Those that can take most come first.
 * @param finder of paths from the task's input to its output.
 */
export function spreadFlow(trial: Trial, task: Task, finder: PathFinder, start: Flow): Balance {
  const closed = trial.closed.slice()
  let best = rebalance(trial, start)
  let probe = firstProbe
  for (let round = 0; round < mostRounds; round++) {
    const found = findPathsToAdd(trial, task, finder, best, probe)
    trial.closed.set(closed)
    if (found === undefined) break
    // One step a round is enough: the next round begins with another.
    const wider = rebalance(trial, widenFlow(best.flow, found.paths), tolerance / 10, 1)
    const next = dropUnused(trial, task, wider)
    const gain = next.output - best.output
    if (gain > 0) best = next
    probe = gain > best.output * tolerance ? found.probe : found.probe * nextProbe
  }
  return rebalance(trial, best.flow, tolerance / 10)
}

/** Without the paths that carry next to nothing, and those beyond the number allowed. */
function dropUnused(trial: Trial, { maxPaths }: Task, { flow, output }: Balance): Balance {
  const ranked = [...flow.inputs].sort((one, other) => other - one)
  const least = Math.max(totalInput(flow) * leastShare, ranked[maxPaths - 1] ?? 0)
  if (flow.inputs.every((input) => input >= least)) return { flow, output }
  const narrow = narrowFlow(flow, (path) => (flow.inputs[path] as number) >= least)
  return rebalance(trial, narrow)
}

type Found = Readonly<{ paths: readonly EdgePath[]; probe: number }>

/** Paths that the marginal rate speaks for, and for what share of the input. Closes the reverse of all edges in use. */
function findPathsToAdd(
  trial: Trial,
  task: Task,
  finder: PathFinder,
  balance: Balance,
  firstProbe: number,
): Found | undefined {
  const { flow, output } = balance
  flow.paths.forEach((path) => {
    closeReverse(trial, path)
  })
  // Where the last unit gives nothing, anything is better: a rate that is as good as none says so too.
  const leastRate = (leastShare * output) / totalInput(flow)
  const rate = Math.max(marginalRate(trial, flow), leastRate)
  if (finder.look() <= rate) return undefined
  for (let probe = firstProbe; probe >= lastProbe; probe *= nextProbe) {
    const paths = choosePaths(trial, task, finder, balance, rate, probe)
    if (paths.length > 0) return { paths, probe }
  }
  return undefined
}

/** The most promising of the paths that gain more than their gas. */
function choosePaths(
  trial: Trial,
  task: Task,
  finder: PathFinder,
  { flow, output }: Balance,
  rate: number,
  probe: number,
): EdgePath[] {
  const amount = totalInput(flow) * probe
  const candidates = finder
    .findPaths({
      atStart: amount,
      carry: (edge, amountIn) => outputFor(trial, edge, amountIn),
      ...withoutGas,
      least: rate * amount,
      most: mostPathsFound,
    })
    .map(({ edges }) => ({
      edges,
      gain:
        gainOf(trial, edges, rate, totalInput(flow)) - task.gasPrice * edgePathGas(trial, edges),
    }))
    .filter(({ gain }) => gain > output * tolerance)
    .sort((one, other) => other.gain - one.gain)
  const chosen: EdgePath[] = []
  for (const { edges } of candidates) {
    if (chosen.length === mostPathsAdded) break
    const isKnown = flow.paths.some((path) => isSamePath(path, edges))
    if (isKnown || edges.some((edge) => trial.closed[edge] === 1)) continue
    closeReverse(trial, edges)
    chosen.push(edges)
  }
  return chosen
}

const isSamePath = (one: EdgePath, other: EdgePath): boolean =>
  one.length === other.length && one.every((edge, i) => edge === other[i])

/** No route goes through one pool both ways: the two would undo each other, and pay the fee twice. */
function closeReverse(trial: Trial, path: EdgePath): void {
  for (const edge of path) trial.closed[reverseEdge(edge)] = 1
}

/**
 * What a new path would gain. Its rate falls from above `rate` to just that, where 1 ÷ √rate rises linearly
 * with the input (see `levelInputs`). Edges in use do not count: what goes along the path comes off
 * others, at best from those that use the same edges.
 */
function gainOf(trial: Trial, path: EdgePath, rate: number, total: number): number {
  let resistance = 0
  let gain = 1
  for (const edge of path) {
    if (trial.closed[reverseEdge(edge)] === 0)
      resistance += (2 * gain) / (trial.depths[edge * depthSize + reserveIn] as number)
    gain *= rateOf(trial, edge)
  }
  const excess = Math.sqrt(gain / rate) - 1
  return rate * excess * Math.min(total, (2 * excess) / resistance)
}
