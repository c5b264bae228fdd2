import type { UpstreamConfig } from '#src/config/upstream.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Asked } from './asked.ts'

/** A chain of another service. */
type UpstreamChain = Readonly<{
  /** Name in the orders of the service. */
  name: string
  contracts: ReadonlySet<string>
}>

/** The limits that the operator sets for another service. */
export type UpstreamTerms = Pick<UpstreamConfig, 'maxUsdDifference'> &
  Readonly<{ chains: ReadonlyMap<ChainId, UpstreamChain> }>

export const toUpstreamTerms = ({ maxUsdDifference, chains }: UpstreamConfig): UpstreamTerms => ({
  maxUsdDifference,
  chains: new Map(
    chains.map(({ id, name, contracts }) => [id, { name, contracts: new Set(contracts) }]),
  ),
})

type Ends = Readonly<{ origin: UpstreamChain; destination: UpstreamChain }>

/** Both chains of the request; `undefined` unless the service is configured for both. */
export function endsOf(
  { chains }: UpstreamTerms,
  { originChainId, destinationChainId }: Pick<Asked, 'originChainId' | 'destinationChainId'>,
): Ends | undefined {
  const [origin, destination] = [chains.get(originChainId), chains.get(destinationChainId)]
  return origin && destination && { origin, destination }
}
