import { encodeDeployData, getContractAddress } from 'viem'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { solver } from '#src/devnet/accounts.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import { worth } from '#src/devnet/plan/currencyPlan.ts'
import { approvalProxy as approvalProxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depositAddressFactory as factoryArtifact } from '#src/protocol/contracts/artifacts/depositAddressFactory.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { exitSeconds } from '#src/protocol/contracts/protocolContracts.ts'
import type { DeployedCurrency } from './deployCurrencies.ts'

/** In US dollars, for each currency and hour. */
const outflowLimit = 1_000_000n

/**
 * Queues the protocol's contracts. On the devnet the solver is allocator and payee of the depository, and the deployer
 * is owner and guardian. Settlements are limited for the native currency, priced as its wrapped one, and for all
 * others.
 */
export function deployProtocol(
  queue: TransactionQueue,
  currencies: readonly DeployedCurrency[],
  chainName: string,
): ProtocolContracts {
  const { address } = solver
  const limits = currencies.flatMap((plan) => {
    const amount = worth(outflowLimit, plan)
    const limit = { currency: plan.address, amount }
    return plan.contract === 'wrappedNative'
      ? [limit, { currency: nativeAddress, amount }]
      : [limit]
  })
  const depository = queue.deploy(
    encodeDeployData({
      ...depositoryArtifact,
      args: [
        queue.account,
        address,
        queue.account,
        [address],
        BigInt(exitSeconds),
        chainName,
        limits,
      ],
    }),
  )
  const approvalProxy = queue.deploy(
    encodeDeployData({ ...approvalProxyArtifact, args: [depository] }),
  )
  // The approval proxy deploys the router: its first and only CREATE.
  const router = toAddress(getContractAddress({ from: approvalProxy, nonce: 1n }))
  const depositAddressFactory = queue.deploy(
    encodeDeployData({ ...factoryArtifact, args: [depository] }),
  )
  return { depository, router, approvalProxy, depositAddressFactory }
}
