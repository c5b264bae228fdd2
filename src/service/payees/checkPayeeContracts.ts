import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { ContractKind, ContractKinds } from '#src/market/contracts/contractKinds.ts'
import { type Payee, throwLossy } from './checkPayeeAddresses.ts'

const texts: Readonly<Record<ContractKind, string>> = {
  currency: 'the contract of a currency',
  pool: 'a pool',
  router: 'a router of pools',
  factory: 'a factory of pools',
}

/**
 * Refuses payees whose code is that of a currency, pool, router or factory, which nothing in memory knows. Accepts all
 * if no node answers.
 * @throws AppError INVALID_RECIPIENT that names every bad field once.
 */
export async function checkPayeeContracts(
  { contractKinds }: Readonly<{ contractKinds: ContractKinds }>,
  payees: readonly Payee[],
  market: Market,
): Promise<void> {
  const chains = [...Map.groupBy(payees, ({ chainId }) => chainId)]
  const found = await Promise.all(
    chains.map(async ([chainId, group]) => {
      const addresses = group.map(({ payee }) => payee)
      const hash = market.chains.get(chainId)?.block.hash
      const kinds = hash && (await contractKinds.read(chainId, addresses, hash).catch(ignoreOutage))
      return group.map((payee, at) => ({ payee, kind: kinds?.[at] }))
    }),
  )
  const lossy = new Map(
    found.flat().flatMap(({ payee, kind }) => {
      const what = kind && `${texts[kind]} on chain ${payee.chainId}`
      return what === undefined ? [] : [[payee, what] as const]
    }),
  )
  throwLossy(payees, (payee) => lossy.get(payee))
}

function ignoreOutage(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}
