import { encodeFunctionData } from 'viem'
import { expect, vi } from 'vitest'
import type { Address } from '#src/core/units/address.ts'
import { deployers } from '#src/devnet/accounts.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { ethereum, patience, type SolverRig } from './solverRig.ts'

const { abi } = depository

/** Calls of the owner and guardian of the first chain's depository. Each waits until the market has its effect. */
export function createDepositoryOwner(rig: SolverRig) {
  async function send(data: `0x${string}`): Promise<void> {
    const { depository: to } = rig.contractsOn(ethereum)
    const anvil = rig.wallet.clientOn(ethereum)
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 10n }
    const account = deployers.ethereum
    const hash = await anvil.sendTransaction({ account, chain: null, to, data, ...fees })
    await rig.mine(ethereum, 1)
    const { status, blockNumber } = await anvil.getTransactionReceipt({ hash })
    expect(status).toBe('success')
    await vi.waitUntil(
      () => (rig.market.latest(ethereum)?.block.number ?? 0n) >= blockNumber,
      patience,
    )
  }

  return {
    limit: (currency: Address, amount: bigint) =>
      send(
        encodeFunctionData({
          abi,
          functionName: 'setOutflowLimits',
          args: [[{ currency, amount }]],
        }),
      ),
    guard: (functionName: 'pause' | 'unpause') => send(encodeFunctionData({ abi, functionName })),
    setChainName: (name: string) =>
      send(encodeFunctionData({ abi, functionName: 'setChainName', args: [name] })),
    setAllocator: (account: Address) =>
      send(encodeFunctionData({ abi, functionName: 'setAllocator', args: [account] })),
    removePayee: (account: Address) =>
      send(encodeFunctionData({ abi, functionName: 'removePayee', args: [account] })),
  }
}
