import { type Hex, numberToHex } from 'viem'
import { answerEthCall, type EthCall } from './answerEthCall.ts'
import type { LogFields, SimulatedBlock, SimulatedChain } from './simulatedChain.ts'

export type RpcCall = Readonly<{ id: number; method: string; params: readonly unknown[] }>
export type RpcResult = Readonly<{ result: unknown }> | Readonly<{ error: RpcFault }>
type RpcFault = Readonly<{ code: number; message: string }>

/** The state of one node behind the endpoint. */
export type NodeView = Readonly<{
  /** Its newest block. */
  height: number
  /** Number of newest blocks whose state it keeps. */
  statesKept: number
  /** Maximum blocks of one `eth_getLogs`. */
  maxLogBlocks: number
  /** Answers calls at a block with the state of the next block, if there is one. */
  importsNext: boolean
}>

const refuse = (message: string, code = -32_000): RpcResult => ({ error: { code, message } })

/** Answers like geth, for the methods that gateways use. */
export function answerRequest(
  chain: SimulatedChain,
  view: NodeView,
  { method, params }: RpcCall,
): RpcResult {
  const [first, second, third] = params
  const known = (block: SimulatedBlock | undefined) =>
    block !== undefined && block.number <= view.height ? block : undefined
  const tagged = (tag: unknown) => known(chain.at(heightOf(tag, view.height, chain.finalityBlocks)))
  /** By height or tag, or in the format of EIP-1898. */
  const blockOf = (place: unknown) => {
    const { blockHash } = (place ?? {}) as { blockHash?: Hex }
    return blockHash === undefined ? tagged(place) : known(chain.withHash(blockHash))
  }

  switch (method) {
    case 'eth_chainId':
      return { result: numberToHex(chain.id) }
    case 'eth_blockNumber':
      return { result: numberToHex(view.height) }
    case 'eth_getBlockByNumber':
      return { result: tagged(first)?.fields ?? null }
    case 'eth_getBlockByHash':
      return { result: known(chain.withHash(first as Hex))?.fields ?? null }
    case 'eth_getLogs':
      return answerLogs(chain, view, first as LogFilter)
    case 'eth_feeHistory':
      return answerFees(chain, view, Number(first), heightOf(second, view.height))
    case 'eth_gasPrice':
      return { result: chain.head().fields.baseFeePerGas }
    case 'eth_maxPriorityFeePerGas':
      return { result: '0x0' }
    case 'eth_call': {
      const block = blockOf(second)
      if (block === undefined) return refuse('header not found')
      if (block.number <= view.height - view.statesKept)
        return refuse(`missing trie node ${block.hash} (path ) state is not available`)
      const next = view.importsNext ? chain.at(block.number + 1) : undefined
      const data = answerEthCall(
        (next ?? block).state,
        first as EthCall,
        third as object | undefined,
      )
      return data === undefined ? refuse('execution reverted', 3) : { result: data }
    }
    default:
      return refuse(`the method ${method} does not exist/is not available`, -32_601)
  }
}

function heightOf(tag: unknown, height: number, finalityBlocks = 0): number {
  if (tag === 'finalized' || tag === 'safe') return Math.max(height - finalityBlocks, 0)
  return tag === 'latest' || tag === 'pending' || tag === undefined ? height : Number(tag)
}

type LogFilter = Readonly<{
  blockHash?: Hex
  fromBlock?: unknown
  toBlock?: unknown
  address?: Hex | readonly Hex[]
  topics?: readonly (Hex | readonly Hex[] | null)[]
}>

function answerLogs(chain: SimulatedChain, view: NodeView, filter: LogFilter): RpcResult {
  const matches = matcherOf(filter)
  if (filter.blockHash !== undefined) {
    const block = chain.withHash(filter.blockHash)
    if (block === undefined || block.number > view.height) return refuse('unknown block')
    return { result: block.logs.filter(matches) }
  }
  const from = heightOf(filter.fromBlock, view.height)
  const to = heightOf(filter.toBlock, view.height)
  if (to - from + 1 > view.maxLogBlocks)
    return refuse(`exceed maximum block range: ${view.maxLogBlocks}`)
  const logs: LogFields[] = []
  for (let height = from; height <= Math.min(to, view.height); height += 1)
    for (const log of chain.at(height)?.logs ?? []) if (matches(log)) logs.push(log)
  return { result: logs }
}

/** @source Ethereum JSON-RPC API, eth_getLogs: a list of topics means any of them, null means any at all. */
function matcherOf({ address, topics = [] }: LogFilter): (log: LogFields) => boolean {
  const lower = (values: readonly Hex[]) => new Set(values.map((each) => each.toLowerCase()))
  const addresses = address === undefined ? undefined : lower([address].flat())
  const wanted = topics.map((each) => (each === null ? undefined : lower([each].flat())))
  return (log) =>
    (addresses === undefined || addresses.has(log.address.toLowerCase())) &&
    wanted.every((some, at) => some === undefined || some.has(log.topics[at] ?? ''))
}

/** No block has a transaction that pays a tip. */
function answerFees(
  chain: SimulatedChain,
  { height }: NodeView,
  wanted: number,
  newest: number,
): RpcResult {
  // @source go-ethereum 1.14.9, gasprice.errRequestBeyondHead
  if (newest > height)
    return refuse(`request beyond head block: requested ${newest}, head ${height}`)
  const oldest = Math.max(newest - wanted + 1, 0)
  const blocks = Array.from({ length: newest - oldest + 1 }, (_, at) => chain.at(oldest + at))
  const fees = blocks.map((block) => block?.fields.baseFeePerGas ?? '0x0')
  return {
    result: {
      oldestBlock: numberToHex(oldest),
      baseFeePerGas: [...fees, fees.at(-1)],
      gasUsedRatio: blocks.map(() => 0),
      reward: blocks.map(() => ['0x0']),
    },
  }
}
