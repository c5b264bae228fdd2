import {
  BaseError,
  decodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  type TransactionReceipt,
} from 'viem'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { executor } from '#src/protocol/contracts/artifacts/executor.ts'
import { router } from '#src/protocol/contracts/artifacts/router.ts'
import { type DeployedTestChain, startDeployedChain } from '#test/support/chains/deployedChain.ts'

export type Call = Readonly<{
  target: Address
  allowFailure?: boolean
  value?: bigint
  callData: Hex
}>

export type Transaction = Readonly<{ from?: Address; to: Address; data: Hex; value?: bigint }>

/** The other arguments of a multicall than its calls. Addresses default to the caller’s. */
type MulticallOptions = Readonly<{
  from?: Address
  value?: bigint
  refundTo?: Address
  nftRecipient?: Address
  metadata?: Hex
}>

/** All errors of our contracts and of the contracts they call. */
const errorsAbi = [
  ...router.abi,
  ...depository.abi,
  ...approvalProxy.abi,
  ...executor.abi,
  ...parseAbi(['error Error(string)', 'error Panic(uint256)']),
] as const

/** A devnet chain with our contracts, and the accounts that call them. */
export type ContractRig = DeployedTestChain &
  Readonly<{
    user: Address
    other: Address
    router: Address
    depository: Address
    approvalProxy: Address
    /** @throws Error whose message is the revert's name and arguments. */
    send: (transaction: Transaction) => Promise<TransactionReceipt>
    balance: (currency: Address, account: Address) => Promise<bigint>
    allow: (currency: Address, spender: Address, amount: bigint, from?: Address) => Promise<unknown>
    multicall: (calls: readonly Call[], rest?: MulticallOptions) => Transaction
    /** The multicall through the approval proxy, which first pulls `pulled` from the caller. */
    pullAndMulticall: (
      pulled: readonly Readonly<{ currency: Address; amount: bigint }>[],
      calls: readonly Call[],
      rest?: MulticallOptions,
    ) => Transaction
  }>

export async function startContractRig(): Promise<ContractRig> {
  const chain = await startDeployedChain(chainPlans[0])
  const { client, deployed } = chain
  const { contracts } = deployed
  const [user, other] = [users[0].address, users[1].address]

  async function send({ from = user, value = 0n, to, data }: Transaction) {
    await client.call({ account: from, to, data, value, gas: 25_000_000n }).catch((error) => {
      throw new Error(reasonOf(error))
    })
    const hash = await client.sendTransaction({
      account: from,
      chain: null,
      to,
      data,
      value,
      gas: 25_000_000n,
    })
    await client.mine({ blocks: 1 })
    const receipt = await client.getTransactionReceipt({ hash })
    if (receipt.status === 'reverted') throw new Error(`Transaction ${hash} reverted`)
    return receipt
  }

  const optionsOf = ({
    from = user,
    refundTo = from,
    nftRecipient = from,
    metadata,
  }: MulticallOptions) => [refundTo, nftRecipient, metadata ?? '0x'] as const

  return {
    ...chain,
    user,
    other,
    router: contracts.router,
    depository: contracts.depository,
    approvalProxy: contracts.approvalProxy,
    send,
    balance: (currency, account) =>
      currency === nativeAddress
        ? client.getBalance({ address: account })
        : client.readContract({
            address: currency,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [account],
          }),
    allow: (currency, spender, amount, from = user) => {
      const args = [spender, amount] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
      return send({ from, to: currency, data })
    },
    multicall: (calls, rest = {}) => ({
      from: rest.from ?? user,
      to: contracts.router,
      value: rest.value ?? 0n,
      data: encodeFunctionData({
        abi: router.abi,
        functionName: 'multicall',
        args: [calls.map(withDefaults), ...optionsOf(rest)],
      }),
    }),
    pullAndMulticall: (pulled, calls, rest = {}) => ({
      from: rest.from ?? user,
      to: contracts.approvalProxy,
      value: rest.value ?? 0n,
      data: encodeFunctionData({
        abi: approvalProxy.abi,
        functionName: 'transferAndMulticall',
        args: [
          pulled.map(({ currency }) => currency),
          pulled.map(({ amount }) => amount),
          calls.map(withDefaults),
          ...optionsOf(rest),
        ],
      }),
    }),
  }
}

const withDefaults = ({ allowFailure = false, value = 0n, ...call }: Call) => ({
  ...call,
  allowFailure,
  value,
})

function reasonOf(error: unknown): string {
  const hasData = (each: unknown) => typeof (each as { data?: unknown } | null)?.data === 'string'
  const found = error instanceof BaseError ? error.walk(hasData) : null
  const data = (found as { data?: Hex } | null)?.data ?? '0x'
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: errorsAbi, data })
    return `${errorName}(${args.join(', ')})`
  } catch {
    return `reverted: ${String(error).split('\n')[0]}`
  }
}
