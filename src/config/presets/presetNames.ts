/** The chains whose facts `src/config/presets` holds, by the name that `chains[].preset` takes. */
export const presetNames = ['ethereum', 'base', 'arbitrum', 'optimism', 'polygon', 'bnb'] as const
export type PresetName = (typeof presetNames)[number]
