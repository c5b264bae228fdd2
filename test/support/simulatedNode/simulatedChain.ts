import { bytesToHex, type Hex, keccak256, numberToHex, stringToHex } from 'viem'
import { bloomOf } from '#src/chains/read/bloom.ts'
import { headerHash } from '#src/chains/rpc/headSocket.ts'
import type { Address } from '#src/core/units/address.ts'
import { eventsOf, type PlainLog } from './poolEvents.ts'
import type { SimulatedPool, SimulatedState } from './simulatedState.ts'

/** A block in the format of JSON-RPC, without transactions. */
export type BlockFields = Readonly<
  Record<string, unknown> & {
    number: Hex
    hash: Hex
    parentHash: Hex
    timestamp: Hex
    baseFeePerGas: Hex
  }
>

export type LogFields = Readonly<Record<string, unknown> & { address: Hex; topics: readonly Hex[] }>

export type SimulatedBlock = Readonly<{
  number: number
  hash: Hex
  fields: BlockFields
  logs: readonly LogFields[]
  state: SimulatedState
}>

export type SimulatedChain = Readonly<{
  id: number
  head: () => SimulatedBlock
  /** The canonical block at a height. */
  at: (height: number) => SimulatedBlock | undefined
  /** A block of any branch. */
  withHash: (hash: Hex) => SimulatedBlock | undefined
  /** Adds a block that changes or creates these pools, with its events. */
  mine: (changes?: readonly SimulatedPool[]) => SimulatedBlock
  /** Replaces the last `depth` blocks by empty ones. */
  reorg: (depth: number) => void
  /** Blocks after which a block is final. */
  finalityBlocks: number
  /** Adds a block of another node. */
  append: (block: Omit<SimulatedBlock, 'number' | 'hash'>) => void
  onHead: (listener: (block: SimulatedBlock) => void) => () => void
}>

const noHash: Hex = `0x${'00'.repeat(32)}`

type ChainArgs = Readonly<{
  id: number
  state: SimulatedState
  /** Timestamp of block 0, in seconds. */
  timestamp?: number
  blockSeconds?: number
  /** Timestamp of the next block, in seconds since 1970. Absent: `blockSeconds` after its parent. */
  time?: (() => number) | undefined
  finalityBlocks?: number
}>

export function createSimulatedChain({
  id,
  state,
  timestamp = 1_700_000_000,
  blockSeconds = 1,
  time,
  finalityBlocks = 2,
}: ChainArgs): SimulatedChain {
  const known = new Map<Hex, SimulatedBlock>()
  const listeners = new Set<(block: SimulatedBlock) => void>()
  const canonical: SimulatedBlock[] = []
  /** Distinguishes blocks of different branches. */
  let branch = 0

  function add(block: SimulatedBlock): SimulatedBlock {
    canonical.push(block)
    known.set(block.hash, block)
    for (const listener of listeners) listener(block)
    return block
  }

  function build(next: SimulatedState, events: readonly PlainLog[]): SimulatedBlock {
    const parent = canonical.at(-1)
    const number = parent === undefined ? 0 : parent.number + 1
    const after = parent === undefined ? timestamp : Number(parent.fields.timestamp) + blockSeconds
    const header = {
      number: numberToHex(number),
      parentHash: parent?.hash ?? noHash,
      timestamp: numberToHex(time?.() ?? after),
      baseFeePerGas: numberToHex(10n ** 9n),
      logsBloom: bytesToHex(bloomOf(events)),
      gasLimit: '0x1c9c380',
      gasUsed: '0x0',
      difficulty: '0x0',
      nonce: '0x0000000000000000',
      sha3Uncles: noHash,
      stateRoot: noHash,
      transactionsRoot: noHash,
      receiptsRoot: noHash,
      miner: numberToHex(0, { size: 20 }),
      mixHash: noHash,
      extraData: stringToHex(`${id}/${branch}`),
    } as const
    const hash = headerHash(header)
    if (hash === undefined) throw new Error('The header of a block is not complete')
    const place = { blockHash: hash, blockNumber: numberToHex(number), transactionIndex: '0x0' }
    const logs = events.map((event, at) => ({
      ...event,
      ...place,
      removed: false,
      transactionHash: keccak256(hash),
      logIndex: numberToHex(at),
    }))
    return {
      number,
      hash,
      logs,
      state: next,
      fields: { ...header, hash, transactions: [], uncles: [] },
    }
  }

  add(build(state, []))

  function mine(changes: readonly SimulatedPool[] = []): SimulatedBlock {
    const { state: before } = head()
    const pools = new Map(before.pools)
    const events = changes.flatMap((next) => {
      const logs = eventsOf(pools.get(next.pool.address), next, pools.size)
      pools.set(next.pool.address as Address, next)
      return logs
    })
    return add(build(changes.length === 0 ? before : { ...before, pools }, events))
  }

  function head(): SimulatedBlock {
    const last = canonical.at(-1)
    if (last === undefined) throw new Error('The chain has no block')
    return last
  }

  return {
    id,
    finalityBlocks,
    head,
    mine,
    at: (height) => canonical[height - (canonical[0]?.number ?? 0)],
    withHash: (hash) => known.get(hash),
    reorg: (depth) => {
      canonical.splice(-depth)
      branch += 1
      for (let count = 0; count < depth; count += 1) mine()
    },
    append: (block) => {
      const { number, hash } = block.fields
      const previous = canonical.at(-1)
      // The chain begins with the first recorded block.
      if (previous !== undefined && previous.hash !== block.fields.parentHash) canonical.length = 0
      add({ ...block, number: Number(number), hash })
    },
    onHead: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
