import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { SvmRpc } from '#src/chains/svm/svmRpc.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { toSvmSignature } from '#src/core/units/svm/signature.ts'
import { depositoryEvents } from '#src/requests/tracker/svm/depositoryEvents.ts'
import type { ChainVoters, DepositVoter } from '#src/solver/deposits/depositChecks.ts'

/** Ask the endpoints of a Solana chain whether a deposit is final there, unchanged. */
export function createSvmDepositVoters(
  client: SvmClient,
  chain: SvmChainConfig,
  program: Pubkey,
): ChainVoters {
  return {
    any: voterOf(client, chain, program),
    each: client.endpoints.map((endpoint) => ({
      rpc: endpoint.rpc,
      isBackingOff: endpoint.isBackingOff,
      vote: voterOf(endpoint, chain, program),
    })),
  }
}

/** Any depth is final here: nothing else is credited. */
function voterOf(
  rpc: Pick<SvmRpc, 'getTransaction'>,
  { id: chainId, genesisHash: genesis }: SvmChainConfig,
  program: Pubkey,
): DepositVoter {
  const tracked = { chainId, program, genesis }
  return async (deposit) => {
    const found = await rpc.getTransaction(toSvmSignature(deposit.txHash), 'finalized')
    if (found === undefined) return 'notYet'
    const times = { seconds: deposit.timestamp, exitSeconds: 0 }
    const deposits = depositoryEvents(tracked, found, times)?.deposits ?? []
    const isThere = deposits.some(
      ({ depositId, orderId, depositor, currency, amount }) =>
        depositId === deposit.depositId &&
        orderId === deposit.orderId &&
        depositor === deposit.depositor &&
        currency === deposit.currency &&
        amount === deposit.amount,
    )
    return isThere ? 'yes' : 'no'
  }
}
