import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Signer } from '#src/config/keys/signer.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { approvalProxy as approvalProxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import type { SolverChain } from '#src/solver/ports.ts'

/** Whether the account may mark orders as filled in the name of its identity. */
export type IdentityCheck = Readonly<{
  /** Reads the answer from the chain until it is true: the identity may register the account later. */
  check: () => Promise<boolean>
  /** The answer of the last check; undefined before the first. */
  isKey: () => boolean | undefined
  /** Makes the next check read the chain again, after the approval proxy refused the account. */
  recheck: () => void
}>

export function createIdentityCheck(
  { client, log }: Readonly<{ client: ChainClient; log: Log }>,
  { chain, contracts: { approvalProxy }, solver, identity }: SolverChain,
): IdentityCheck {
  let known: boolean | undefined
  let isSure = false

  async function readIsKey(): Promise<boolean> {
    // The identity counts as a key of itself.
    if (solver === identity) return true
    const { abi } = approvalProxyArtifact
    const args = [identity, solver] as const
    return client.readContract({ address: approvalProxy, abi, functionName: 'isKey', args })
  }

  function report(found: boolean): void {
    const facts = { chainId: chain.id, approvalProxy, identity, account: solver }
    if (!found && known !== false)
      log.error(
        facts,
        'The account is not a key of solver.identity; nothing is filled until the identity calls setKey(account, true) of the approval proxy',
      )
    if (found && known === false)
      log.info(facts, 'The account is a key of solver.identity: fills go on')
  }

  return {
    isKey: () => known,
    recheck: () => {
      isSure = false
    },
    check: async () => {
      if (isSure) return true
      const found = await readIsKey()
      report(found)
      known = found
      isSure = found
      return found
    },
  }
}

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
              'The signer does not sign; payouts are paused until it does',
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
