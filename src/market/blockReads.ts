import { erc20Abi, type Hex, keccak256, multicall3Abi, stringToHex } from 'viem'
import type { DatedBlock, FeeBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { EvmGasMarket } from '#src/core/pricing/gas/gas.ts'
import type { SequencerState, SettlementState, SettlementStop } from '#src/core/pricing/market.ts'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import { aggregatorV3Abi } from '#src/protocol/contracts/abis.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { feedPrice, type Round, sequencerState } from './prices/sequencer.ts'
import { createGasFees, l1DataFeeReads, toL1DataFee } from './reads/gasFees.ts'
import { read, readAll } from './reads/readAll.ts'
import { joinReadings, type Reading } from './reads/reading.ts'

/** The values that are read at every block. */
export type BlockReads = Readonly<{
  gas: EvmGasMarket
  /** The usable prices of the feeds. */
  feedPrices: ReadonlyMap<Address, UsdPrice>
  /** Undefined on a chain without a sequencer feed. */
  sequencer: SequencerState | undefined
  /** The solver's balance of each of its currencies, including the native one. */
  solverBalances: ReadonlyMap<Address, Amount>
  /** What the depository says. Undefined on a chain without contracts. */
  depository: Omit<SettlementState, 'unsettled'> | undefined
}>

/** The solver's accounts on a chain, and the currencies that it takes and pays out there. */
export type SolverReads = Readonly<{
  address: Address
  /** Signs payouts of the depository. */
  allocator: Address
  currencies: readonly Address[]
}>

/** @param others further reads at the block, in the same multicall. */
export type ReadBlock = <Value = undefined>(
  block: DatedBlock & FeeBlock,
  others?: readonly Reading<Value>[],
) => Promise<BlockReads & Readonly<{ others: readonly Value[] }>>

/**
 * Reads feeds (also the sequencer's), balances, the depository and the parameters of the L1 data fee by one multicall at
 * the block, and gas fees in parallel unless they can be computed. Leaves out feeds and balances whose contracts do not answer.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails; Error if a rollup does not report its L1 data fee.
 */
export function createBlockReads(
  client: ChainClient,
  chain: ChainConfig,
  solver: SolverReads,
): ReadBlock {
  const multicall = client.chain.contracts.multicall3.address
  const { sequencerFeed, contracts } = chain
  const chainName = keccak256(stringToHex(chain.name))
  const feedDecimals = new Map<Address, number>()
  const readGasFees = createGasFees(client)
  const reads = {
    rounds: chain.priceFeeds.map(({ aggregator }) =>
      read(aggregator, aggregatorV3Abi, 'latestRoundData', []),
    ),
    sequencer: sequencerFeed
      ? [read(sequencerFeed.address, aggregatorV3Abi, 'latestRoundData', [])]
      : [],
    balances: solver.currencies.map((currency) =>
      currency === nativeAddress
        ? read(multicall, multicall3Abi, 'getEthBalance', [solver.address])
        : read(currency, erc20Abi, 'balanceOf', [solver.address]),
    ),
    ...l1DataFeeReads(chain.l1DataFee),
    ...depositoryReads(contracts?.depository, solver),
  }

  return async <Value>(block: Parameters<ReadBlock>[0], others: readonly Reading<Value>[] = []) => {
    const joined = joinReadings(others)
    const unread = chain.priceFeeds.filter(({ aggregator }) => !feedDecimals.has(aggregator))
    const decimals = unread.map(({ aggregator }) =>
      read(aggregator, aggregatorV3Abi, 'decimals', []),
    )
    const [answers, fees] = await Promise.all([
      readAll(client, { ...reads, decimals, others: joined.reads }, block.hash),
      readGasFees(block),
    ])
    unread.forEach(({ aggregator }, at) => {
      const value = answers.decimals[at]
      if (value !== undefined) feedDecimals.set(aggregator, value)
    })
    const l1DataFee = toL1DataFee(chain.l1DataFee, answers)
    if (l1DataFee === undefined) throw new Error(`The ${chain.l1DataFee} predeploy does not answer`)
    return {
      gas: { vmType: 'evm', ...fees, l1DataFee },
      others: joined.conclude(answers.others),
      feedPrices: pricesOf(chain.priceFeeds, answers.rounds, feedDecimals, block.timestamp),
      sequencer:
        sequencerFeed &&
        sequencerState(answers.sequencer[0], {
          at: block.timestamp,
          graceSeconds: sequencerFeed.graceSeconds,
        }),
      solverBalances: amountsOf(solver.currencies, answers.balances),
      depository:
        contracts && depositoryStateOf({ ...solver, chainName }, answers, block.timestamp),
    }
  }
}

function depositoryReads(depository: Address | undefined, { address, currencies }: SolverReads) {
  const { abi } = depositoryArtifact
  const to = depository === undefined ? [] : [depository]
  return {
    allocator: to.map((each) => read(each, abi, 'allocator', [])),
    payeeSince: to.map((each) => read(each, abi, 'payeeSince', [address])),
    pausedUntil: to.map((each) => read(each, abi, 'pausedUntil', [])),
    chainNameHash: to.map((each) => read(each, abi, 'chainNameHash', [])),
    outflowLimits: to.flatMap((each) =>
      currencies.map((currency) => read(each, abi, 'outflowLimit', [currency])),
    ),
  }
}

type DepositoryAnswers = Readonly<{
  allocator: readonly (Hex | undefined)[]
  payeeSince: readonly (bigint | undefined)[]
  pausedUntil: readonly (bigint | undefined)[]
  chainNameHash: readonly (Hex | undefined)[]
  outflowLimits: readonly (bigint | undefined)[]
}>

function depositoryStateOf(
  solver: SolverReads & Readonly<{ chainName: Hex }>,
  answers: DepositoryAnswers,
  at: bigint,
): BlockReads['depository'] {
  const [allocator] = answers.allocator
  const [since] = answers.payeeSince
  const [paused] = answers.pausedUntil
  const [name] = answers.chainNameHash
  const stopOf = (): SettlementStop | undefined => {
    if ([allocator, since, paused, name].includes(undefined)) return 'unread'
    if (allocator?.toLowerCase() !== solver.allocator) return 'otherAllocator'
    if (!since || since > at) return 'notAPayee'
    if (name !== solver.chainName) return 'otherName'
    return paused !== undefined && paused > at ? 'paused' : undefined
  }
  const outflowLimits = amountsOf(solver.currencies, answers.outflowLimits)
  return { stopped: stopOf(), outflowLimits }
}

/** The price of each currency's first feed that has a usable answer. */
function pricesOf(
  feeds: ChainConfig['priceFeeds'],
  rounds: readonly (Round | undefined)[],
  feedDecimals: ReadonlyMap<Address, number>,
  at: bigint,
): ReadonlyMap<Address, UsdPrice> {
  const prices = new Map<Address, UsdPrice>()
  feeds.forEach(({ currency, aggregator, maxAgeSeconds }, index) => {
    const round = rounds[index]
    const decimals = feedDecimals.get(aggregator)
    if (round === undefined || decimals === undefined || prices.has(currency)) return
    const price = feedPrice(round, decimals, { at, maxAgeSeconds })
    if (price !== undefined) prices.set(currency, price)
  })
  return prices
}

/** Leaves out currencies whose contracts do not answer. */
const amountsOf = (
  currencies: readonly Address[],
  answers: readonly (bigint | undefined)[],
): ReadonlyMap<Address, Amount> =>
  new Map(
    currencies.flatMap((currency, at) => {
      const answer = answers[at]
      return answer === undefined ? [] : [[currency, toAmount(answer)] as const]
    }),
  )
