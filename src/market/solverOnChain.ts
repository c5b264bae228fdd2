import type { ChainConfig, Config } from '#src/config/config.ts'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { SolverReads } from './blockReads.ts'

export type SolverOnChain = SolverReads & Readonly<{ unrecordedLimitUsd: Usd }>

/** The solver's currencies on a chain are those that it can pay out: native, wrapped native, and those of all assets. */
export function solverOf(
  { solver, assets }: Pick<Config, 'solver' | 'assets'>,
  { id, wrappedNative }: ChainConfig,
): SolverOnChain {
  const { address, allocator = address, unrecordedLimitUsd } = solver
  const ofAssets = assets.flatMap(({ currencies }) =>
    currencies.filter(({ chainId }) => chainId === id).map(({ address }) => evmAddress(address)),
  )
  const currencies = [...new Set([nativeAddress, wrappedNative, ...ofAssets])]
  return { address, allocator, unrecordedLimitUsd, currencies }
}

/** The currencies whose permits are read in advance: those of the token list, and the solver's. */
export const payableIn = (
  listed: readonly Currency[],
  own: readonly Address[],
  chainId: ChainId,
): readonly Address[] => {
  const known = listed
    .filter((each) => each.chainId === chainId)
    .map(({ address }) => evmAddress(address))
  return [...new Set([...known, ...own])].filter((each) => each !== nativeAddress)
}
