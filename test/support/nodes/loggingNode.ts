import { type Hash, type Hex, hexToBigInt, keccak256, numberToHex, stringToHex } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'

const chain = { id: 1, displayName: 'Ether' }

type Emitted = Readonly<{ address: Hex; topics: readonly Hex[]; data: Hex; block: bigint }>

type Filter = Readonly<{ address: Hex; topics: readonly Hex[]; fromBlock: Hex; toBlock: Hex }>

type BlockFilter = Readonly<{ blockHash: Hash }>

type Range = Readonly<{ from: bigint; to: bigint }>

/** A chain that has only logs, with nodes that fail on command. It answers `ask` like a client. */
export function createLoggingNode(emitted: readonly Emitted[], { head }: { head: bigint }) {
  const node = {
    head,
    /** Depth below the head of the final block. */
    finalDepth: 10n,
    /** Hashes of blocks above this one depend on `branch`. */
    forkedAbove: head,
    branch: 'main',
    maxRange: 1_000n,
    /** Fails with an outage after this number of answered ranges. */
    answersLeft: Number.POSITIVE_INFINITY,
    isDown: false,
  }
  const answered: Range[] = []
  const refused: Range[] = []
  const hashOf = (block: bigint): Hash =>
    keccak256(stringToHex(`${block > node.forkedAbove ? node.branch : 'main'} ${block}`))

  const header = (block: bigint) =>
    block > node.head
      ? null
      : {
          number: numberToHex(block),
          hash: hashOf(block),
          parentHash: hashOf(block - 1n),
          timestamp: numberToHex(block),
          baseFeePerGas: null,
          logsBloom: null,
        }

  function blockOf(tag: string): bigint {
    if (tag === 'latest') return node.head
    return tag === 'finalized' ? node.head - node.finalDepth : hexToBigInt(tag as Hex)
  }

  function logsIn({ address, topics, fromBlock, toBlock }: Filter) {
    const range = { from: hexToBigInt(fromBlock), to: hexToBigInt(toBlock) }
    if (range.to - range.from >= node.maxRange) {
      refused.push(range)
      throw new RpcRefusedError(chain, {
        method: 'eth_getLogs',
        code: -32_005,
        reason: 'too large',
      })
    }
    if (node.answersLeft === 0) throw new RpcUnavailableError(chain)
    node.answersLeft -= 1
    answered.push(range)
    const wanted = emitted.filter((log) => log.address === address && log.topics[0] === topics[0])
    return toLogs(wanted.filter(({ block }) => block >= range.from && block <= range.to))
  }

  const toLogs = (some: readonly Emitted[]) =>
    some.map(({ block, ...log }) => ({
      ...log,
      blockNumber: numberToHex(block),
      blockHash: hashOf(block),
      logIndex: '0x0',
      transactionHash: hashOf(block),
      transactionIndex: '0x0',
      removed: false,
    }))

  const logsOf = ({ blockHash }: BlockFilter) =>
    toLogs(emitted.filter(({ block }) => hashOf(block) === blockHash))

  function answer(method: string, [first]: readonly unknown[]): unknown {
    if (node.isDown) throw new RpcUnavailableError(chain)
    switch (method) {
      case 'eth_blockNumber':
        if (node.answersLeft === 0) throw new RpcUnavailableError(chain)
        return numberToHex(node.head)
      case 'eth_getBlockByNumber':
        return header(blockOf(String(first)))
      case 'eth_getBlockByHash': {
        const heights = Array.from({ length: Number(node.head) + 1 }, (_, at) => BigInt(at))
        const found = heights.find((each) => hashOf(each) === first)
        return found === undefined ? null : header(found)
      }
      case 'eth_getLogs':
        return 'blockHash' in (first as object)
          ? logsOf(first as BlockFilter)
          : logsIn(first as Filter)
      default:
        throw new Error(`The node does not know ${method}`)
    }
  }

  const ask = (async (request, parse) =>
    (request.minHeight ?? 0n) > node.head
      ? undefined
      : parse(answer(request.method, request.params ?? []))) as ChainClient['ask']
  return { node, client: { ask, chain: { id: chain.id } } as ChainClient, answered, refused }
}
