import { createPublicClient, http, testActions, walletActions } from 'viem'

/** A client of one anvil chain. Calls in the same tick of the event loop share an HTTP request. */
export const createAnvilClient = (rpcUrl: string) =>
  createPublicClient({
    cacheTime: 0,
    pollingInterval: 50,
    transport: http(rpcUrl, {
      batch: { batchSize: 1000, wait: 0 },
      retryCount: 0,
      timeout: 60_000,
    }),
  })
    .extend(testActions({ mode: 'anvil' }))
    .extend(walletActions)

export type AnvilClient = ReturnType<typeof createAnvilClient>
