import { type Config, type ConfigInput, parseConfig } from '#src/config.ts'

type ChainInput = ConfigInput['chains'][number]

/** Changes to the configuration of every chain, or computed from it. */
export type ChainChange =
  | Partial<ChainInput>
  | ((chain: ChainInput) => Partial<ChainInput> | Promise<Partial<ChainInput>>)

/** In chain time, which a slow test may need minutes of before it looks at a deposit that is filled and not settled. */
export const settleAfterSeconds = 600

/** The configuration of a devnet with its chains changed. */
export async function configureChains(input: ConfigInput, change: ChainChange): Promise<Config> {
  const chains = await Promise.all(
    input.chains.map(async (chain) => ({
      ...chain,
      ...(typeof change === 'function' ? await change(chain) : change),
    })),
  )
  return parseConfig(
    { ...input, chains, solver: { ...input.solver, settleAfterSeconds } },
    'devnet',
  )
}
