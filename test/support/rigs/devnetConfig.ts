import { type Config, type ConfigInput, parseConfig } from '#src/config/config.ts'

type ChainInput = ConfigInput['chains'][number]

/** Changes to the configuration of every chain: fixed, or computed from it. */
export type ChainChange =
  | Partial<ChainInput>
  | ((chain: ChainInput) => Partial<ChainInput> | Promise<Partial<ChainInput>>)

/** In chain time. A slow test may need minutes until it checks a deposit that is filled and not yet settled. */
export const settleAfterSeconds = 600

/** The client that sponsors orders. */
export const sponsor = { name: 'sponsor', sponsors: true } as const

/** The configuration of a devnet with its chains changed, and with a sponsor. */
export async function configureChains(input: ConfigInput, change: ChainChange): Promise<Config> {
  const chains = await Promise.all(
    input.chains.map(async (chain) => ({
      ...chain,
      ...(typeof change === 'function' ? await change(chain) : change),
    })),
  )
  const solver = { ...input.solver, settleAfterSeconds }
  const apiKeys = [{ ...sponsor, key: 'sponsor-of-every-rig' }]
  return parseConfig({ ...input, chains, solver, apiKeys }, 'devnet')
}
