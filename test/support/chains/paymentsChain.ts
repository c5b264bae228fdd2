import { bytesToHex, type Hash, type Hex, numberToHex, pad } from 'viem'
import { bloomOf } from '#src/chains/read/bloom.ts'
import { isMatch, type LogFilter } from '#src/chains/read/logFilter.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import type { Address } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { hashOf, type Payment } from './payments.ts'

type Block = Readonly<{
  number: bigint
  hash: Hash
  parentHash: Hash
  payments: readonly Payment[]
}>

/** Faults of one endpoint of the chain. */
export type EndpointFaults = Readonly<{
  /** Blocks that it is behind. */
  lagBlocks?: number
  /** Blocks that one `eth_getLogs` may cover. 0: it refuses all ranges. */
  maxRange?: number
  /** Answers ranges without their logs. */
  hidesLogs?: boolean
  /** Answers single blocks without their logs. */
  hidesNewLogs?: boolean
}>

const chain = { id: toChainId(990_001), displayName: 'Payments' }

/** A chain of payments in memory. It mines and forks on command. Clients query it like a node. */
export function createPaymentsChain({
  timestamp,
  finalityDepth,
  bloomHas = () => true,
}: Readonly<{
  timestamp: number
  finalityDepth: number
  /** Whether the bloom filter of the block at this height has the logs of the contract. */
  bloomHas?: (address: Address, height: bigint) => boolean
}>) {
  const blocks: Block[] = [
    { number: 0n, hash: hashOf('block 0'), parentHash: pad('0x'), payments: [] },
  ]
  const listeners = new Set<(height: bigint) => void>()
  let made = 0
  let isDown = false

  const head = (): Block => blocks.at(-1) as Block

  function mine(payments: readonly Payment[] = []): void {
    made += 1
    const { number, hash: parentHash } = head()
    blocks.push({ number: number + 1n, hash: hashOf(`block ${made}`), parentHash, payments })
  }

  const logsOf = ({ number, hash, payments }: Block) =>
    payments
      .flatMap(({ name, events }, at) => events.map((event) => ({ event, name, at })))
      .map(({ event, name, at }, logIndex) => ({
        ...event,
        blockHash: hash,
        blockNumber: numberToHex(number),
        removed: false,
        transactionHash: hashOf(name),
        transactionIndex: numberToHex(at),
        logIndex: numberToHex(logIndex),
      }))

  const transactionOf = ({ name, from, to, input }: Payment) => ({
    hash: hashOf(name),
    from,
    to,
    input,
    value: '0x0',
  })

  const print = (block: Block, isWhole: boolean) => ({
    number: numberToHex(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    timestamp: numberToHex(BigInt(timestamp) + block.number),
    baseFeePerGas: '0x1',
    logsBloom: bytesToHex(
      bloomOf(logsOf(block).filter(({ address }) => bloomHas(address, block.number))),
    ),
    transactions: block.payments.map((each) => (isWhole ? transactionOf(each) : hashOf(each.name))),
  })

  /** Answers like a node that has the blocks up to `height`. */
  function answer(
    height: bigint,
    { maxRange = 1_000, hidesLogs, hidesNewLogs }: EndpointFaults,
    call: Call,
  ): unknown {
    const [first, second] = call.params ?? []
    const known = (block: Block | undefined) =>
      block !== undefined && block.number <= height ? block : undefined
    const withHash = (hash: unknown) => known(blocks.find((block) => block.hash === hash))
    const holding = (hash: unknown) =>
      known(blocks.find(({ payments }) => payments.some(({ name }) => hashOf(name) === hash)))
    const heightOf = (tag: unknown) => {
      if (tag === 'latest') return height
      return tag === 'finalized'
        ? bigintMax(height - BigInt(finalityDepth), 0n)
        : BigInt(String(tag))
    }
    switch (call.method) {
      case 'eth_blockNumber':
        return numberToHex(height)
      case 'eth_getBlockByNumber': {
        const block = known(blocks[Number(heightOf(first))])
        return block === undefined ? null : print(block, false)
      }
      case 'eth_getBlockByHash': {
        const block = withHash(first)
        return block === undefined ? null : print(block, second === true)
      }
      case 'eth_getTransactionByHash': {
        const payment = holding(first)?.payments.find(({ name }) => hashOf(name) === first)
        return payment === undefined ? null : transactionOf(payment)
      }
      case 'eth_getTransactionReceipt': {
        const block = holding(first)
        const payment = block?.payments.find(({ name }) => hashOf(name) === first)
        if (block === undefined || payment === undefined) return null
        const logs = logsOf(block).filter(({ transactionHash }) => transactionHash === first)
        return {
          transactionHash: first,
          from: transactionOf(payment).from,
          blockHash: block.hash,
          gasUsed: '0x5208',
          status: '0x1',
          blockNumber: numberToHex(block.number),
          logs,
        }
      }
      case 'eth_getLogs': {
        const filter = first as LogFilter & { blockHash?: Hash; fromBlock: Hex; toBlock: Hex }
        const matching = (some: readonly Block[]) =>
          some.flatMap((block) =>
            logsOf(block).filter((log) =>
              isMatch({ ...filter, topics: filter.topics ?? [] }, log as never),
            ),
          )
        if (filter.blockHash !== undefined) {
          const block = withHash(filter.blockHash)
          if (block === undefined) return refuse('unknown block')
          return hidesNewLogs === true ? [] : matching([block])
        }
        const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
        if (to - from + 1 > maxRange) return refuse('block range is too large')
        return hidesLogs === true
          ? []
          : matching(blocks.slice(from, Math.min(to, Number(height)) + 1))
      }
      default:
        throw new Error(`The node does not know ${call.method}`)
    }
  }

  /** A client with one endpoint for each entry, and the requests that it has sent, in order. */
  function connect(endpoints: readonly EndpointFaults[]) {
    const sent: Call[] = []
    const askOf = (some: readonly EndpointFaults[]) =>
      (async (request, parse) => {
        if (isDown) throw new RpcUnavailableError(chain)
        let refusal: unknown
        // An endpoint that does not have the answer yet outranks one that refuses, as in the failover.
        let isAbsent = false
        for (const faults of some) {
          const height = head().number - BigInt(faults.lagBlocks ?? 0)
          if ((request.minHeight ?? 0n) > height) {
            isAbsent = true
            continue
          }
          sent.push(request)
          try {
            const value = parse(answer(bigintMax(height, 0n), faults, request))
            if (value !== undefined) return value
            isAbsent = true
          } catch (error) {
            if (!(error instanceof RpcRefusedError)) throw error
            refusal = error
          }
        }
        if (refusal !== undefined && !isAbsent) throw refusal
        return undefined
      }) as ChainClient['ask']
    const client = {
      ask: askOf(endpoints),
      chain,
      onHead: (listener: (height: bigint) => void) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      endpoints: endpoints.map((each, at) => ({
        rpc: `${at}`,
        isBackingOff: () => false,
        ask: askOf([each]),
      })),
    }
    return { client: client as unknown as ChainClient, sent }
  }

  return {
    /** Mines a block with these payments, then notifies clients, as by a WebSocket. */
    mine: (payments: readonly Payment[] = []) => {
      mine(payments)
      for (const listener of listeners) listener(head().number)
    },
    head,
    connect,
    /** Whether all endpoints fail from now on. */
    fall: (down: boolean) => {
      isDown = down
    },
    /** Removes the last blocks and returns them, lowest first. */
    drop: (depth: number) => blocks.splice(Math.max(1, blocks.length - depth)),
  }
}

export type PaymentsChain = ReturnType<typeof createPaymentsChain>

type Call = Parameters<ChainClient['ask']>[0]

const bigintMax = (one: bigint, other: bigint): bigint => (one > other ? one : other)

function refuse(reason: string): never {
  throw new RpcRefusedError(chain, { method: 'eth_getLogs', code: -32_005, reason })
}
