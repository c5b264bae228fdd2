import { erc20Abi } from 'viem'
import type { ChainConfig, Config } from '#src/config/config.ts'
import { kinds } from '#src/core/pools/pool.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { factoryName } from '#src/market/contracts/contractKinds.ts'
import { type Factory, marketKindOf } from '#src/market/kinds/kinds.ts'
import { l1DataFeeReads } from '#src/market/reads/gasFees.ts'
import { type Read, read } from '#src/market/reads/readAll.ts'
import {
  aggregatorV3Abi,
  arbGasInfoAddress,
  gasPriceOracleAddress,
} from '#src/protocol/contracts/abis.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { router } from '#src/protocol/contracts/artifacts/router.ts'

/** What is asked about. */
type Topic = Readonly<{
  name: string
  /** The question is not asked if `configuredContracts` has this contract and it has no code. */
  contract: Address
  expected: string
}>

/** Reads of a contract, and the check of their answers. */
export type Question = Topic &
  Readonly<{
    reads: readonly Read<unknown>[]
    /** Gets the answers, in order. An answer is undefined if the call reverted or returned another type. */
    judge: (answers: readonly unknown[]) => Readonly<{ isRight: boolean; found: string }>
  }>

/** A price feed with its place in the configuration. */
export type NamedFeed = Readonly<{ name: string; feed: Feed }>

type Feed = Readonly<{
  aggregator: Address
  decimals?: number | undefined
  description?: readonly string[] | undefined
}>

/** The price feeds of svm chains that are on an EVM chain. */
export const namedFeedsOf = ({ svmChains }: Config, chainId: ChainId): readonly NamedFeed[] =>
  svmChains.flatMap(({ name, priceFeeds }) =>
    priceFeeds.flatMap(({ description, ...feed }, at) =>
      feed.chainId === chainId
        ? [
            {
              name: `${name} priceFeeds.${at}`,
              feed: { ...feed, description: description === undefined ? undefined : [description] },
            },
          ]
        : [],
    ),
  )

/** @param feeds further feeds on the chain */
export const questionsOf = (
  chain: ChainConfig,
  feeds: readonly NamedFeed[],
): readonly Question[] => [
  ...wrappedNativeQuestions(chain),
  ...chain.factories.map(factoryQuestion),
  ...chain.priceFeeds.flatMap((feed, at) => feedQuestions({ name: `priceFeeds.${at}`, feed })),
  ...feeds.flatMap(feedQuestions),
  ...sequencerQuestions(chain),
  ...contractQuestions(chain),
  ...hopQuestions(chain),
  ...l1DataFeeQuestions(chain),
]

function wrappedNativeQuestions({ wrappedNative, wrappedSymbol, nativeCurrency }: ChainConfig) {
  const symbol = ask(
    { name: 'wrappedNative symbol', contract: wrappedNative, expected: anyOf(wrappedSymbol) },
    read(wrappedNative, erc20Abi, 'symbol', []),
    (found) => wrappedSymbol?.includes(found) ?? true,
  )
  const decimals = ask(
    {
      name: 'wrappedNative decimals',
      contract: wrappedNative,
      expected: `${nativeCurrency.decimals}`,
    },
    read(wrappedNative, erc20Abi, 'decimals', []),
    (found) => found === nativeCurrency.decimals,
  )
  return [wrappedSymbol === undefined ? optional(symbol) : symbol, decimals]
}

function factoryQuestion(factory: Factory, at: number): Question {
  const { call, expected, reads, judge } = marketKindOf(factory).checkFactory(factory)
  return {
    name: `${factoryName(factory, at)} ${call}`,
    contract: factory.factory,
    expected,
    reads,
    judge: (answers) => ({
      isRight: judge(answers),
      found: answers.every((each) => each === undefined) ? noAnswer : answers.join(', '),
    }),
  }
}

function feedQuestions({ name, feed }: NamedFeed): readonly Question[] {
  const { aggregator: contract, decimals, description } = feed
  const descriptionQuestion = ask(
    {
      name: `${name} description`,
      contract,
      expected: description === undefined ? 'a price in USD' : anyOf(description),
    },
    read(contract, aggregatorV3Abi, 'description', []),
    (found) => isDescribed(found, description),
  )
  return [
    ask(
      { name: `${name} latestRoundData`, contract, expected: 'a round' },
      read(contract, aggregatorV3Abi, 'latestRoundData', []),
      () => true,
      ([roundId]) => `round ${roundId}`,
    ),
    ask(
      {
        name: `${name} decimals`,
        contract,
        expected: decimals === undefined ? 'a count of decimals' : `${decimals}`,
      },
      read(contract, aggregatorV3Abi, 'decimals', []),
      (found) => decimals === undefined || found === decimals,
    ),
    description === undefined ? optional(descriptionQuestion) : descriptionQuestion,
  ]
}

/** Without `wanted`, refuses only pairs that are not in USD: feeds of other kinds have free descriptions. */
function isDescribed(found: string, wanted: readonly string[] | undefined): boolean {
  const plain = (text: string) => text.replaceAll(/\s/g, '').toUpperCase()
  if (wanted !== undefined) return wanted.some((each) => plain(found).startsWith(plain(each)))
  const quoted = /^[^/]+\/([^/]+)$/.exec(plain(found))?.[1]
  return quoted === undefined || quoted.startsWith('USD')
}

function sequencerQuestions({ sequencerFeed }: ChainConfig): readonly Question[] {
  if (sequencerFeed === undefined) return []
  const contract = sequencerFeed.address
  return [
    ask(
      {
        name: 'sequencerFeed latestRoundData',
        contract,
        expected: 'the answer 0 (up) or 1 (down)',
      },
      read(contract, aggregatorV3Abi, 'latestRoundData', []),
      ([, answer]) => answer === 0n || answer === 1n,
      ([, answer]) => `the answer ${answer}`,
    ),
  ]
}

/** The contracts must reference each other: the approval proxy pays into its router, and that into its depository. */
function contractQuestions({ contracts }: ChainConfig): readonly Question[] {
  if (contracts === undefined) return []
  const points = (name: string, contract: Address, wanted: Address, call: Read<string>) =>
    ask({ name, contract, expected: wanted }, call, (found) => toAddress(found) === wanted)
  const { approvalProxy: proxy, router: own, depository } = contracts
  return [
    points(
      'contracts.approvalProxy router',
      proxy,
      own,
      read(proxy, approvalProxy.abi, 'router', []),
    ),
    points('contracts.router depository', own, depository, read(own, router.abi, 'depository', [])),
  ]
}

/** The hop flags of the first routers, which have no `hopFlags` function. @source Swapper.sol */
const flagsOfEachRouter = 3

/** The router must support the pools of each factory: swaps of an older router would revert. */
function hopQuestions({ contracts, factories }: ChainConfig): readonly Question[] {
  const newer = factories
    .map(({ kind }) => ({ kind, flags: flagsOf(kinds[kind]) }))
    .filter(({ flags }) => (flags & ~flagsOfEachRouter) !== 0)
  if (contracts === undefined || newer.length === 0) return []
  const names = [...new Set(newer.map(({ kind }) => kind))].join(' and ')
  const needed = newer.reduce((all, { flags }) => all | flags, 0)
  return [
    ask(
      {
        name: 'contracts.router hopFlags',
        contract: contracts.router,
        expected: `a router that swaps in ${names} pools: deploy it again`,
      },
      read(contracts.router, router.abi, 'hopFlags', []),
      (known) => (Number(known) & needed) === needed,
    ),
  ]
}

const flagsOf = ({
  hopFlags,
  furtherFlags = 0,
}: Readonly<{ hopFlags: number; furtherFlags?: number }>): number => hopFlags | furtherFlags

/** The rollup's predeploys must answer: without them the chain has no gas prices. */
function l1DataFeeQuestions({ l1DataFee: model }: ChainConfig): readonly Question[] {
  const { oracle, arbitrum } = l1DataFeeReads(model)
  const reads: readonly Read<unknown>[] = [...oracle, ...arbitrum]
  if (reads.length === 0) return []
  return [
    {
      name: 'l1DataFee',
      contract: toAddress(model === 'opStack' ? gasPriceOracleAddress : arbGasInfoAddress),
      expected: `the fees of ${model}`,
      reads,
      judge: (answers) => {
        const isRight = answers.every((each) => each !== undefined)
        return { isRight, found: isRight ? 'fees' : noAnswer }
      },
    },
  ]
}

const noAnswer = 'no answer'

/** A question of one call. `describe` gives its answer as text. */
const ask = <Value>(
  topic: Topic,
  call: Read<Value>,
  isRight: (value: Value) => boolean,
  describe: (value: Value) => string = String,
): Question => ({
  ...topic,
  reads: [call],
  judge: ([answer]) =>
    answer === undefined
      ? { isRight: false, found: noAnswer }
      : { isRight: isRight(answer as Value), found: describe(answer as Value) },
})

/** A question that also accepts a missing answer. */
const optional = (question: Question): Question => ({
  ...question,
  judge: (answers) =>
    answers.every((each) => each === undefined)
      ? { isRight: true, found: noAnswer }
      : question.judge(answers),
})

const anyOf = (texts: readonly string[] | undefined): string => texts?.join(' or ') ?? 'any'
