import { type Hash, type Hex, parseAbi, parseEventLogs, toEventSelector } from 'viem'
import type { BlockId, LoggedBlock } from '#src/chains/chainEvent.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { Deposit, DepositPayment } from '#src/requests/state/deposit.ts'
import type { ObservedBlock } from '#src/requests/state/requestState.ts'
import type { Cursor } from '#src/requests/trackingStore.ts'

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
  Omit<
    Deposit,
    'block' | 'logIndex' | 'requestId' | 'status' | 'reason' | 'refundFailReason' | 'version'
  > &
    Required<Pick<Deposit, 'block' | 'logIndex'>>
>

/** An amount that left an account, as read from the logs of ERC-20 and wrapped native currencies. */
export type Spending = Readonly<{
  account: Address
  currency: Address
  amount: bigint
  txHash: Hash
  /** The account that received it, if known. */
  recipient?: Address
  logIndex: number
}>

/** First topics of the logs of an account's spendings. The account is their second topic. */
export const spendingTopics = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  wrap: toEventSelector('Deposit(address,uint256)'),
  unwrap: toEventSelector('Withdrawal(address,uint256)'),
}

/** Events of transactions that may be the solver's. */
const runEvents = [
  'event RouterMulticall(address caller, bytes metadata)',
  'event DepositRefunded(bytes32 indexed depositId, address indexed recipient, uint256 amount, uint256 cost)',
  'event DepositSettled(bytes32 indexed depositId, address indexed payee, uint256 amount)',
  'event UnrecordedPaid(bytes32 indexed txHash, uint256 indexed logIndex, address indexed currency, uint256 amount)',
  'event PaymentFailed(address indexed currency, address indexed recipient, uint256 amount)',
] as const

const depositSignatures = [
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
] as const

/** First topics of the events that the depository emits for deposits. */
export const depositTopics: readonly Hex[] = parseAbi(depositSignatures).map(toEventSelector)

/** First topics of the events of our contracts that are read. */
export const contractTopics: readonly Hex[] = parseAbi([
  ...depositSignatures,
  'event DepositRecorded(bytes32 indexed depositId, uint256 index, uint256 exitTime)',
  ...runEvents,
]).map(toEventSelector)

/** @throws RangeError for a block of another virtual machine */
export const idOfBlock = ({ number, hash }: Cursor['block']): BlockId => ({
  number,
  hash: evmHash(hash),
})

/** The block in the form that is stored with transactions. */
export const observedBlock = ({
  number,
  hash,
  timestamp,
}: BlockId & Readonly<{ timestamp: bigint }>): ObservedBlock => ({
  number,
  hash,
  timestamp: Number(timestamp),
})

const of = (logs: readonly LoggedLog[], address: Address) =>
  logs.filter((log) => log.address === address)

/** Deposits from the events of the depository. The event of a deposit's record directly follows the deposit's event. */
export function depositEvents(
  { chainId, contracts }: Tracked,
  block: LoggedBlock,
): readonly ObservedDeposit[] {
  const events = parseEventLogs({
    abi: depositoryArtifact.abi,
    eventName: ['RelayNativeDeposit', 'RelayErc20Deposit', 'DepositRecorded'],
    logs: of(block.logs, contracts.depository),
  })
  return events.flatMap((event, at): readonly ObservedDeposit[] => {
    const recorded = events[at + 1]
    if (event.eventName === 'DepositRecorded' || recorded?.eventName !== 'DepositRecorded')
      return []
    const { args, logIndex, transactionHash } = event
    const { depositId, index, exitTime } = recorded.args
    return [
      {
        depositId: `${chainId}:${depositId}`,
        chainId,
        txHash: transactionHash,
        block: idOfBlock(block),
        logIndex,
        timestamp: Number(block.timestamp),
        orderId: args.id,
        depositor: toAddress(args.from),
        currency: 'token' in args ? toAddress(args.token) : nativeAddress,
        amount: toAmount(args.amount),
        record: { index: Number(index), exitTime: Number(exitTime) },
      },
    ]
  })
}

/** Router calls whose metadata is a request id. */
export const requestRuns = ({ contracts }: Tracked, block: LoggedBlock) =>
  parseEventLogs({
    abi: routerArtifact.abi,
    eventName: 'RouterMulticall',
    logs: of(block.logs, contracts.router),
  })
    .filter(({ args }) => args.metadata.length === 66)
    .map(({ args, transactionHash }) => ({
      caller: toAddress(args.caller),
      requestId: args.metadata,
      txHash: transactionHash,
    }))

const runTopics: ReadonlySet<string | undefined> = new Set(parseAbi(runEvents).map(toEventSelector))

/** Hashes of transactions in which the router executed calls, or the depository paid. */
export const contractRuns = (
  { contracts: { router, depository } }: Tracked,
  block: LoggedBlock,
): readonly Hash[] => {
  const runs = block.logs.filter(
    ({ address, topics }) =>
      (address === router || address === depository) && runTopics.has(topics[0]),
  )
  return [...new Set(runs.map(({ transactionHash }) => transactionHash))]
}

/** The payments out of a deposit that failed in a transaction. */
export type FailedPayment = Readonly<{ depositId: string }> & DepositPayment

/**
 * The payments of the depository that failed, by transaction. The event of a refund or of an unrecorded payout precedes
 * its failed payments; that of a settlement follows them.
 */
export function failedPayments(
  { chainId, contracts }: Readonly<{ chainId: ChainId; contracts: ProtocolContracts }>,
  block: Pick<LoggedBlock, 'logs'>,
): ReadonlyMap<Hash, readonly FailedPayment[]> {
  const events = parseEventLogs({
    abi: depositoryArtifact.abi,
    eventName: ['DepositRefunded', 'DepositSettled', 'UnrecordedPaid', 'PaymentFailed'],
    logs: of(block.logs, contracts.depository),
  })
  const failed = new Map<Hash, readonly FailedPayment[]>()
  const note = (hash: Hash, depositId: string, unpaid: readonly DepositPayment[]) =>
    failed.set(hash, [
      ...(failed.get(hash) ?? []),
      ...unpaid.map((each) => ({ ...each, depositId })),
    ])
  for (const [hash, group] of Map.groupBy(events, ({ transactionHash }) => transactionHash)) {
    let paid: string | undefined
    let unpaid: readonly DepositPayment[] = []
    for (const { eventName, args } of group)
      switch (eventName) {
        case 'PaymentFailed': {
          const payment = { recipient: toAddress(args.recipient), amount: toAmount(args.amount) }
          if (paid === undefined) unpaid = [...unpaid, payment]
          else note(hash, paid, [payment])
          break
        }
        case 'DepositSettled':
          note(hash, `${chainId}:${args.depositId}`, unpaid)
          unpaid = []
          break
        case 'DepositRefunded':
          paid = `${chainId}:${args.depositId}`
          break
        case 'UnrecordedPaid':
          paid = `${chainId}:${args.txHash}:${args.logIndex}`
          break
      }
  }
  return failed
}

/** Spendings in a block. Decoded by hand for speed, as a block may have thousands of these logs. */
export function spendings(
  { wrappedNative }: Pick<Tracked, 'wrappedNative'>,
  block: Pick<LoggedBlock, 'logs'>,
): readonly Spending[] {
  return block.logs.flatMap((log): readonly Spending[] => {
    const [topic, first, second] = log.topics
    if (first === undefined || log.data.length !== 66) return []
    const { transactionHash: txHash, logIndex } = log
    const seen = { amount: BigInt(log.data), txHash, logIndex }
    const account = accountIn(first)
    if (topic === spendingTopics.transfer && second !== undefined && log.topics.length === 3)
      return [{ ...seen, account, currency: toAddress(log.address), recipient: accountIn(second) }]
    if (log.address !== wrappedNative || log.topics.length !== 2) return []
    if (topic === spendingTopics.wrap) return [{ ...seen, account, currency: nativeAddress }]
    if (topic === spendingTopics.unwrap) return [{ ...seen, account, currency: wrappedNative }]
    return []
  })
}

const accountIn = (topic: Hex): Address => toAddress(`0x${topic.slice(26)}`)
