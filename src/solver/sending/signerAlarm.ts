import type { Signer } from '#src/config/keys/signer.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

export type SignerAlarm = Readonly<{
  /** Wraps a signer. Counts its failures and throws them again: nothing was stored, and the next round tries again. */
  watch: (signer: Signer) => Signer
  /** Signatures that have failed since the last that succeeded, over all watched signers. */
  failures: () => number
}>

/** Logs once when a signer fails, and once when it signs again. A remote signer may be unavailable for a while. */
export function createSignerAlarm(
  { log }: Readonly<{ log: Log }>,
  { id: chainId }: Readonly<{ id: ChainId }>,
): SignerAlarm {
  /** Failures since the last success, by address. */
  const failures = new Map<string, number>()

  return {
    failures: () => [...failures.values()].reduce((sum, count) => sum + count, 0),
    watch(signer) {
      const { address } = signer
      async function watched<Signed>(signed: Promise<Signed>): Promise<Signed> {
        const before = failures.get(address) ?? 0
        try {
          const result = await signed
          if (before > 0) log.info({ chainId, signer: address }, 'The signer signs again')
          failures.delete(address)
          return result
        } catch (error) {
          failures.set(address, before + 1)
          if (before === 0)
            log.error(
              { chainId, signer: address, reason: reasonOf(error) },
              'The signer does not sign: payouts wait for it',
            )
          throw error
        }
      }
      return {
        address,
        signTransaction: (transaction) => watched(signer.signTransaction(transaction)),
        signTypedData: (typedData) => watched(signer.signTypedData(typedData)),
      }
    },
  }
}
