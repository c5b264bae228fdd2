import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { AccountData } from './accounts.ts'
import { readLayout } from './bytes.ts'
import { programIds } from './programIds.ts'

/** A deployed program. */
export type ProgramData = Readonly<{
  /** May replace the code; undefined: nobody. */
  upgradeAuthority: Pubkey | undefined
  /** An ELF file, and zeros after it if its account is larger. */
  code: Uint8Array
}>

/** The variant of the account that has the code. */
const programData = 3

/**
 * The account at `programDataAddress`. Undefined unless it has a program.
 * @source solana-loader-v3-interface: UpgradeableLoaderState::ProgramData
 */
export function decodeProgramData({ owner, data }: AccountData): ProgramData | undefined {
  if (owner !== programIds.upgradeableLoader) return undefined
  return readLayout(data, (reader) => {
    if (reader.u32() !== programData) return undefined
    // The slot of the deployment.
    reader.u64()
    const hasAuthority = reader.u8() === 1
    const authority = reader.pubkey()
    const code = reader.take(reader.left)
    return { upgradeAuthority: hasAuthority ? authority : undefined, code }
  })
}
