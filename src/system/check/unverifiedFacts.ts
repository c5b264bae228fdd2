import type { ChainConfig } from '#src/config/config.ts'
import { presets } from '#src/config/presets/withPresets.ts'
import type { Fact } from './fact.ts'

/** Values of the preset with an old or secondary source, if the configuration does not replace them. */
export function unverifiedFacts({
  preset,
  blockSeconds,
  priceFeeds,
}: Pick<ChainConfig, 'preset' | 'blockSeconds' | 'priceFeeds'>): readonly Fact[] {
  if (preset === undefined) return []
  return presets[preset].unverified.flatMap(({ fact, value, aggregator }) => {
    const row = (name: string): Fact => ({
      name,
      state: 'notChecked',
      found: 'not verified on chain',
      expected: value,
    })
    if (aggregator === undefined) return `${blockSeconds}` === value ? [row(fact)] : []
    const at = priceFeeds.findIndex(
      (each) => each.aggregator === aggregator.toLowerCase() && `${each.maxAgeSeconds}` === value,
    )
    return at < 0 ? [] : [row(`priceFeeds.${at} ${fact}`)]
  })
}
