import type { PresetName } from '#src/config/chain.ts'
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
import { solana } from './solana.ts'

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
 * Adds the fields of the chains' presets to a configuration. Fields that the configuration has, `assets` included,
 * replace those of the presets. An input that is not a configuration is returned unchanged.
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

type Preset = Pick<ChainPreset, 'assets' | 'addresses'> & Readonly<{ chain: Fields }>

type Filled = Readonly<{ preset: Preset | undefined; chain: Fields }>

const all: Readonly<Record<string, Preset>> = { ...presets, solana }

function presetOf(chain: unknown): Preset | undefined {
  const name = (chain as Fields | null | undefined)?.['preset']
  return typeof name === 'string' && Object.hasOwn(all, name) ? all[name] : undefined
}

const assetsOf = (chains: readonly Filled[]) =>
  (Object.keys(assetClasses) as AssetSymbol[]).flatMap((symbol) => {
    const currencies = chains.flatMap(({ preset, chain }) => {
      const currency = preset?.assets[symbol]
      if (preset === undefined || currency === undefined) return []
      return [{ chainId: chain['id'], address: addressOf(preset.addresses, currency) }]
    })
    return currencies.length === 0 ? [] : [{ symbol, class: assetClasses[symbol], currencies }]
  })
