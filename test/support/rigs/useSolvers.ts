import { afterEach } from 'vitest'
import type { SolverRig } from './solverRig.ts'

/**
 * Starts solvers of a rig for one test. Solvers that a test leaves running are stopped after it, so that they do not
 * join the next test.
 */
export function useSolvers(rig: () => SolverRig): SolverRig['solve'] {
  const started: ReturnType<SolverRig['solve']>[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map(({ stop }) => stop()))
  })
  return (...args) => {
    const solver = rig().solve(...args)
    started.push(solver)
    return solver
  }
}
