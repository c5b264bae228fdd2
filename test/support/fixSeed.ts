import fc from 'fast-check'

/** CI names a seed, so that a run can be told from a change; other runs explore, each with its own. */
const { VITE_FAST_CHECK_SEED: seed } =
  (import.meta as { env?: Readonly<Record<string, string | undefined>> }).env ?? {}
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })
