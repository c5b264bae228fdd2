import { type Hash, type Hex, parseAbi, parseEventLogs, toEventSelector } from 'viem'
import type { BlockId, FollowedBlock } from '#src/chains/chainEvent.ts'
import { depository as depositoryArtifact } from '#src/contracts/artifacts/depository.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { type Address, nativeAddress, toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** A block, or the part of it that belongs to one transaction. */
export type LoggedBlock = Pick<FollowedBlock, 'number' | 'hash' | 'timestamp' | 'logs'>

export type LoggedLog = LoggedBlock['logs'][number]

/** The contracts and currencies whose logs are read on a chain. */
export type Tracked = Readonly<{
  chainId: ChainId
  contracts: ProtocolContracts
  wrappedNative: Address
  /** Currencies whose plain transfers to the depository may be deposits. */
  depositCurrencies: ReadonlySet<Address>
}>

/** A deposit as it was read from a block. */
export type ObservedDeposit = Readonly<
  Omit<Deposit, 'block' | 'requestId' | 'status' | 'reason' | 'refundFailReason' | 'version'> & {
    block: BlockId
  }
>

/** An amount that left an account, as read from the logs of ERC-20 and wrapped native currencies. */
export type Spending = Readonly<{
  account: Address
  currency: Address
  amount: bigint
  txHash: Hash
  /** The account that received it, if known. */
  recipient?: Address
}>

const selectors = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  wrap: toEventSelector('Deposit(address,uint256)'),
  unwrap: toEventSelector('Withdrawal(address,uint256)'),
}

/** First topics of all logs that the tracker reads. */
export const trackedTopics: readonly Hex[] = [
  ...Object.values(selectors),
  ...parseAbi([
    'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
    'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
    'event RelayCallExecuted(bytes32 id, (address to, bytes data, uint256 value, bool allowFailure) call)',
    'event RouterMulticall(address caller, bytes metadata)',
  ]).map(toEventSelector),
]

export const idOfBlock = ({ number, hash }: BlockId): BlockId => ({ number, hash })

const of = (logs: readonly LoggedLog[], address: Address) =>
  logs.filter((log) => log.address === address)

/** Deposits from the events of the depository. */
export function depositEvents(
  { chainId, contracts }: Tracked,
  block: LoggedBlock,
): readonly ObservedDeposit[] {
  const events = parseEventLogs({
    abi: depositoryArtifact.abi,
    eventName: ['RelayNativeDeposit', 'RelayErc20Deposit'],
    logs: of(block.logs, contracts.depository),
  })
  const counts = new Map<Hash, number>()
  return events
    .filter(({ args }) => args.amount > 0n)
    .map(({ args, transactionHash }) => {
      const ordinal = counts.get(transactionHash) ?? 0
      counts.set(transactionHash, ordinal + 1)
      return {
        depositId: `${chainId}:${transactionHash}:${ordinal}`,
        chainId,
        txHash: transactionHash,
        block: idOfBlock(block),
        timestamp: Number(block.timestamp),
        orderId: args.id,
        depositor: toAddress(args.from),
        currency: 'token' in args ? toAddress(args.token) : nativeAddress,
        amount: toAmount(args.amount),
      }
    })
}

/** Router calls whose metadata is a request id. */
export const namedRuns = ({ contracts }: Tracked, block: LoggedBlock) =>
  parseEventLogs({
    abi: routerArtifact.abi,
    eventName: 'RouterMulticall',
    logs: of(block.logs, contracts.router),
  })
    .filter(({ args }) => args.metadata.length === 66)
    .map(({ args, transactionHash }) => ({
      caller: toAddress(args.caller),
      name: args.metadata,
      txHash: transactionHash,
    }))

/** Hashes of transactions in which the router or the depository executed calls. */
export const contractRuns = (
  { contracts: { router, depository } }: Tracked,
  block: LoggedBlock,
): readonly Hash[] => {
  const [executed, multicall] = trackedTopics.slice(-2)
  const runs = block.logs.filter(
    ({ address, topics }) =>
      (address === router && topics[0] === multicall) ||
      (address === depository && topics[0] === executed),
  )
  return [...new Set(runs.map(({ transactionHash }) => transactionHash))]
}

/** Decoded by hand, for speed: a block may have thousands of these logs. */
export function spendings({ wrappedNative }: Tracked, block: LoggedBlock): readonly Spending[] {
  return block.logs.flatMap((log): readonly Spending[] => {
    const [topic, first, second] = log.topics
    if (first === undefined || log.data.length !== 66) return []
    const seen = { amount: BigInt(log.data), txHash: log.transactionHash }
    const account = accountIn(first)
    if (topic === selectors.transfer && second !== undefined && log.topics.length === 3)
      return [{ ...seen, account, currency: toAddress(log.address), recipient: accountIn(second) }]
    if (log.address !== wrappedNative || log.topics.length !== 2) return []
    if (topic === selectors.wrap) return [{ ...seen, account, currency: nativeAddress }]
    if (topic === selectors.unwrap) return [{ ...seen, account, currency: wrappedNative }]
    return []
  })
}

const accountIn = (topic: Hex): Address => toAddress(`0x${topic.slice(26)}`)
