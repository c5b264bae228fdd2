import { type Fence, type Lease, LeaseLostError } from './lease.ts'
import type { RequestStore } from './requestStore.ts'

/** The store for the holder of a lease. It refuses the holder's writes once the lease is lost. */
export function fencedStore(store: RequestStore, lease: Lease): RequestStore {
  async function guarded<Value>(run: (fence: Fence | undefined) => Promise<Value>): Promise<Value> {
    try {
      return await run(lease.fence())
    } catch (error) {
      if (error instanceof LeaseLostError) lease.lose()
      throw error
    }
  }

  return {
    ...store,
    save: (batch) => guarded((fence) => store.save(fence ? { ...batch, fence } : batch)),
    forgetChain: (chainId) => guarded((fence) => store.forgetChain(chainId, fence)),
    deleteUnpaid: (before, limit) => guarded((fence) => store.deleteUnpaid(before, limit, fence)),
    claimWebhooks: (args) => guarded((fence) => store.claimWebhooks(args, fence)),
    recordWebhookOutcome: (delivery, outcome) =>
      guarded((fence) => store.recordWebhookOutcome(delivery, outcome, fence)),
    // Taken hints are deleted, so that the next leader could not read them.
    takeHints: (chainId) => guarded(() => store.takeHints(chainId)),
    takeSweepHints: (...args) => guarded(() => store.takeSweepHints(...args)),
  }
}
