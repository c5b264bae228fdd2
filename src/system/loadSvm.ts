import type { Config } from '#src/config/config.ts'
import type { Environment } from '#src/config/environment.ts'
import type { Log } from '#src/config/log.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import type { SvmSystem } from './svm/svmSystem.ts'

/** Where the solver's keys come from. */
type Keys = Readonly<{
  environment: Pick<Environment, 'SOLVER_SVM_KEYPAIR' | 'ALLOCATOR_SVM_KEYPAIR'>
  /** Whether the keys of the devnet count too. */
  isDevnet: boolean
}>

/**
 * A configuration without svm chains loads none of their code.
 * @param keys absent in a process without the role `solver`
 * @throws Error that names the variable of a key that is missing or unusable
 */
export async function loadSvm(
  deps: Readonly<{ log: Log; span?: Span | undefined }>,
  config: Config,
  keys?: Keys,
): Promise<SvmSystem | undefined> {
  if (config.svmChains.length === 0) return undefined
  const { createSvmSystem } = await import('./svm/svmSystem.ts')
  return createSvmSystem(deps, config, keys && (await loadSigners(config, keys)))
}

async function loadSigners(config: Config, { environment, isDevnet }: Keys) {
  const { readSvmSigners } = await import('./svm/svmSigners.ts')
  if (!isDevnet) return readSvmSigners(config, environment)
  const { svmAllocator, svmSolver } = await import('#src/devnet/svm/svmAccounts.ts')
  return readSvmSigners(config, environment, [svmSolver, svmAllocator])
}
