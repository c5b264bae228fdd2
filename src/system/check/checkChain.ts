import { concatHex, type Hash, type Hex, hexToNumber, numberToHex, size, slice } from 'viem'
import {
  type ChainClient,
  type ContractReader,
  createChainClient,
} from '#src/chains/rpc/chainClient.ts'
import { DeadlineError, withDeadline } from '#src/chains/rpc/deadline.ts'
import { redactUrl } from '#src/chains/rpc/redact.ts'
import { parseChainId, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { presets } from '#src/config/presets/withPresets.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import { configuredContracts, type NamedContract } from '#src/market/contracts/contractKinds.ts'
import { readAll } from '#src/market/reads/readAll.ts'
import { type NamedCurrency, readCurrencyFacts } from './currencyFacts.ts'
import { endpointFacts } from './endpointFacts.ts'
import { type Answers, type ChainReport, type Fact, shorten } from './fact.ts'
import { type NamedFeed, type Question, questionsOf } from './questions.ts'

/** What other parts of the configuration name on a chain. */
type Named = Readonly<{
  /** The market compares them on its own. */
  currencies: readonly NamedCurrency[]
  /** Price feeds of svm chains. */
  feeds: readonly NamedFeed[]
}>

type Deps = Readonly<{
  log: Log
  /** Unix time in milliseconds. */
  now: () => number
}>

/** A node whose newest block is older may not have the contracts yet: nothing is checked with it. */
const maxHeadAgeSeconds = 3_600n

/**
 * Compares the facts of a chain in the configuration with the answers of its endpoints. If an endpoint does not answer,
 * its facts are `notChecked`, not `wrong`.
 * @param seconds time limit. Facts without an answer by then are `notChecked`.
 * @param named is compared as well.
 */
export async function checkChain(
  deps: Deps,
  chain: ChainConfig,
  seconds: number,
  named: Partial<Named> = {},
): Promise<ChainReport> {
  const identity = {
    name: 'chain id',
    expected: `${chain.id}`,
    request: { method: 'eth_chainId', params: [] },
    parse: (answer: unknown) => `${parseChainId(answer)}`,
  }
  const [ids, { facts, outage }] = await Promise.all([
    endpointFacts(deps, chain, identity, seconds),
    checkContracts(deps, chain, seconds, { currencies: [], feeds: [], ...named }),
  ])
  return { chain, facts: [...ids, ...facts, ...unverifiedFacts(chain)], outage }
}

async function checkContracts(
  { log, now }: Deps,
  chain: ChainConfig,
  seconds: number,
  { currencies, feeds }: Named,
): Promise<Answers> {
  const contracts = configuredContracts(chain)
  const questions = questionsOf(chain, feeds)
  // A third of the time for each endpoint leaves time for several.
  const { wsUrl: _, ...endpoints } = chain
  const client = createChainClient(endpoints, log, { timeoutSeconds: seconds / 3 })
  try {
    const facts = await withDeadline(seconds, [], () =>
      readFacts(client, { contracts, questions, currencies, chain, now }),
    )
    return { facts, outage: undefined }
  } catch (error) {
    if (!(error instanceof AppError || error instanceof DeadlineError)) throw error
    const hosts = chain.rpcUrls.map(redactUrl).join(', ')
    const outage = error instanceof AppError ? reasonOf(error) : `${hosts}: ${reasonOf(error)}`
    return { facts: unasked(contracts, questions, outage), outage }
  } finally {
    client.close()
  }
}

type Asked = Readonly<{
  contracts: readonly NamedContract[]
  questions: readonly Question[]
  currencies: readonly NamedCurrency[]
  chain: ChainConfig
  now: () => number
}>

/** Sends a request each for the newest block, the code of all contracts, all questions, and 250 currencies. */
async function readFacts(client: ChainClient, asked: Asked): Promise<readonly Fact[]> {
  const { contracts, questions, currencies, chain, now } = asked
  const head = await client.ask(latest, parseHeader)
  if (head === undefined) throw new RpcUnavailableError(chain)
  const age = BigInt(Math.floor(now() / 1000)) - head.timestamp
  if (age > maxHeadAgeSeconds)
    return unasked(contracts, questions, `the newest block is ${age} s old`)
  const addresses = contracts.map(({ address }) => address)
  const sizes = await readCodeSizes(client, addresses, head.hash)
  const empty = new Set(addresses.filter((_, at) => sizes[at] === 0))
  const codes = contracts.map(({ name, address }, at): Fact => {
    const state = empty.has(address) ? 'wrong' : 'ok'
    return { name: `${name} code`, state, found: `${sizes[at]} bytes`, expected: 'code' }
  })
  const isAskable = ({ contract }: Question) =>
    !(empty.has(contract) || empty.has(chain.multicall3))
  const open = questions.filter(isAskable)
  const groups = Object.fromEntries(open.map(({ reads }, at) => [`${at}`, reads]))
  const answers = open.length === 0 ? {} : await readAll(client, groups, head.hash)
  return [
    ...codes,
    ...questions.map((question): Fact => {
      const { name, expected, judge } = question
      if (!isAskable(question)) return notChecked(question, 'there is no code')
      const { isRight, found } = judge(answers[`${open.indexOf(question)}`] ?? [])
      return { name, state: isRight ? 'ok' : 'wrong', found: shorten(found), expected }
    }),
    ...(await readCurrencyFacts(client, chain.id, currencies, head.hash)),
  ]
}

const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }

const notChecked = (
  { name, expected }: Readonly<{ name: string; expected: string }>,
  reason: string,
): Fact => ({ name, state: 'notChecked', found: reason, expected })

const unasked = (
  contracts: readonly NamedContract[],
  questions: readonly Question[],
  reason: string,
): readonly Fact[] =>
  [...contracts.map(({ name }) => ({ name: `${name} code`, expected: 'code' })), ...questions].map(
    (each) => notChecked(each, reason),
  )

/** Values of the preset with an old or secondary source, if the configuration does not replace them. */
export function unverifiedFacts({
  preset,
  blockSeconds,
  priceFeeds,
}: ChainConfig): readonly Fact[] {
  if (preset === undefined) return []
  return presets[preset].unverified.flatMap(({ fact, value, aggregator }) => {
    const row = (name: string): Fact => ({
      name,
      state: 'notChecked',
      found: 'not verified on chain',
      expected: value,
    })
    if (aggregator === undefined) return `${blockSeconds}` === value ? [row(fact)] : []
    const at = priceFeeds.findIndex(
      (each) => each.aggregator === aggregator.toLowerCase() && `${each.maxAgeSeconds}` === value,
    )
    return at < 0 ? [] : [row(`priceFeeds.${at} ${fact}`)]
  })
}

/** Keeps within the limits of a contract creation: 24,576 bytes returned, 49,152 bytes of code. */
const maxAddresses = 700

/**
 * The size of the code at each address, by one eth_call: creation code that returns a word for each.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails; Error if it does not run the code.
 */
async function readCodeSizes(
  client: ContractReader,
  addresses: readonly Address[],
  blockHash: Hash,
): Promise<readonly number[]> {
  if (addresses.length > maxAddresses) throw new Error('Too many addresses for one call')
  const { data = '0x' } = await client.call({ data: probe(addresses), blockHash })
  if (size(data) !== 32 * addresses.length) throw new Error('The node does not run creation code')
  return addresses.map((_, at) => hexToNumber(slice(data, 32 * at, 32 * at + 32)))
}

/** For each address: PUSH20 address, EXTCODESIZE, PUSH2 offset, MSTORE. Then PUSH2 length, PUSH1 0, RETURN. */
const probe = (addresses: readonly Address[]): Hex =>
  concatHex([
    ...addresses.flatMap((address, at) => [
      ...(['0x73', address, '0x3b61'] as const),
      ...[numberToHex(32 * at, { size: 2 }), '0x52' as const],
    ]),
    ...['0x61' as const, numberToHex(32 * addresses.length, { size: 2 }), '0x6000f3' as const],
  ])
