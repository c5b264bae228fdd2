import { createRequire } from 'node:module'

/** The forge binary itself: the launcher of its package exits with 0 even if forge fails. */
export function forgePath(): string {
  const require = createRequire(import.meta.url)
  const launcher = createRequire(require.resolve('@foundry-rs/forge/package.json'))
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  return launcher.resolve(`@foundry-rs/forge-${process.platform}-${architecture}/bin/forge`)
}
