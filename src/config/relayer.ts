import { z } from 'zod'
import { nativeAddress } from '#src/core/units/address.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { address, dollars } from './values.ts'

/**
 * An account that holds only gas money. It sends calldata of callers, so callers can use every right that a contract
 * grants to it.
 */
export const relayer = z.strictObject({
  address,
  /** Maximum that it spends on gas for each API key within 24 hours, unless the key has a budget of its own. */
  gasBudgetUsd: dollars.default(toUsd(100_000_000n)),
  /** The largest gas limit of a call. */
  maxGas: z.int().min(100_000).max(30_000_000).default(3_000_000),
})

type RelayerConfig = z.output<typeof relayer>

type Parts = Readonly<{
  relayer?: RelayerConfig | undefined
  solver: Readonly<{
    address: string
    allocator?: string | undefined
    identity?: string | undefined
  }>
  chains: readonly Readonly<{ contracts?: Readonly<Record<string, string>> | undefined }>[]
}>

/** The relayer must not be an account that the contracts trust. `checkRelayer` checks the roles on chain. */
export function relayerIssues({ relayer: given, solver, chains }: Parts) {
  if (given === undefined) return []
  const trusted = {
    'the zero address': nativeAddress,
    'the solver': solver.address,
    'solver.allocator': solver.allocator,
    'solver.identity': solver.identity,
  }
  const contracts = chains.flatMap(({ contracts = {} }) => Object.values(contracts))
  const name = Object.entries(trusted).find(([, each]) => each === given.address)?.[0]
  const found =
    name ?? (contracts.includes(given.address) ? 'a contract of this gateway' : undefined)
  return found === undefined
    ? []
    : [
        {
          path: ['relayer', 'address'],
          message: `is ${found}: the relayer sends calldata of callers, so it must be an account that nothing trusts`,
        },
      ]
}
