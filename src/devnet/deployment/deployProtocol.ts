import { encodeDeployData } from 'viem'
import { approvalProxy as approvalProxyArtifact } from '#src/contracts/artifacts/approvalProxy.ts'
import { depository as depositoryArtifact } from '#src/contracts/artifacts/depository.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import { solver } from '#src/devnet/accounts.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'

/** Queues the protocol's contracts. On the devnet the solver is owner and allocator of the depository. */
export function deployProtocol(queue: TransactionQueue): ProtocolContracts {
  const { address } = solver
  const depository = queue.deploy(
    encodeDeployData({ ...depositoryArtifact, args: [address, address] }),
  )
  const router = queue.deploy(encodeDeployData(routerArtifact))
  const approvalProxy = queue.deploy(encodeDeployData({ ...approvalProxyArtifact, args: [router] }))
  return { depository, router, approvalProxy }
}
