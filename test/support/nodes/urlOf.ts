import type { ChainInput } from '#src/config/chain.ts'

/** The URL of an endpoint as a configuration has it, with or without limits. */
export const urlOf = (endpoint: NonNullable<ChainInput['rpcUrls']>[number] | undefined): string =>
  (typeof endpoint === 'object' ? endpoint.url : endpoint) ?? ''
