/** The values of `chains[].preset`: one for each chain in `src/config/presets`. */
export const presetNames = ['ethereum', 'base', 'arbitrum', 'optimism', 'polygon', 'bnb'] as const
export type PresetName = (typeof presetNames)[number]
