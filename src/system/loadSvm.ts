import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import type { SvmSystem } from './svm/svmSystem.ts'

/** A configuration without svm chains loads none of their code. */
export async function loadSvm(
  deps: Readonly<{ log: Log; span?: Span | undefined }>,
  config: Config,
): Promise<SvmSystem | undefined> {
  if (config.svmChains.length === 0) return undefined
  const { createSvmSystem } = await import('./svm/svmSystem.ts')
  return createSvmSystem(deps, config)
}
