import { arbitrum } from './arbitrum.ts'
import { base } from './base.ts'
import { bnb } from './bnb.ts'
import {
  type AssetSymbol,
  addressOf,
  assetClasses,
  type ChainPreset,
  toPreset,
} from './chainPreset.ts'
import { ethereum } from './ethereum.ts'
import { optimism } from './optimism.ts'
import { polygon } from './polygon.ts'
import type { PresetName } from './presetNames.ts'

export const presets: Readonly<Record<PresetName, ChainPreset>> = {
  ethereum: toPreset(ethereum),
  base: toPreset(base),
  arbitrum: toPreset(arbitrum),
  optimism: toPreset(optimism),
  polygon: toPreset(polygon),
  bnb: toPreset(bnb),
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Fills in what the presets of a configuration know. Each field of a chain that the configuration has itself replaces the
 * preset's, and so do its `assets`. What is not a configuration at all is left as it is.
 */
export function withPresets(input: unknown): unknown {
  const given = (input ?? {}) as Fields
  const { chains } = given
  if (!(Array.isArray(chains) && chains.some((each) => presetOf(each) !== undefined))) return input
  const filled: readonly Filled[] = chains.map((chain: Fields) => {
    const preset = presetOf(chain)
    return { preset, chain: preset === undefined ? chain : { ...preset.chain, ...chain } }
  })
  return { assets: assetsOf(filled), ...given, chains: filled.map(({ chain }) => chain) }
}

type Filled = Readonly<{ preset: ChainPreset | undefined; chain: Fields }>

function presetOf(chain: unknown): ChainPreset | undefined {
  const name = (chain as Fields | null | undefined)?.['preset']
  return typeof name === 'string' && Object.hasOwn(presets, name)
    ? presets[name as PresetName]
    : undefined
}

const assetsOf = (chains: readonly Filled[]) =>
  (Object.keys(assetClasses) as AssetSymbol[]).flatMap((symbol) => {
    const currencies = chains.flatMap(({ preset, chain }) => {
      const held = preset?.assets[symbol]
      if (preset === undefined || held === undefined) return []
      return [{ chainId: chain['id'], address: addressOf(preset.addresses, held) }]
    })
    return currencies.length === 0 ? [] : [{ symbol, class: assetClasses[symbol], currencies }]
  })
