import type { ChainInput } from '#src/config/chain.ts'

/** The URL of an endpoint of a configuration, which may have limits. */
export const urlOf = (endpoint: NonNullable<ChainInput['rpcUrls']>[number] | undefined): string =>
  (typeof endpoint === 'object' ? endpoint.url : endpoint) ?? ''
