import { pad, toHex } from 'viem'
import { expect, it } from 'vitest'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import type { Log } from '#src/config/log.ts'
import { createFirstRead } from './firstRead.ts'

const silent = () => undefined
const log: Log = { debug: silent, info: silent, warn: silent, error: silent }

const blockAt = (number: bigint): FollowedBlock => ({
  number,
  hash: pad(toHex(number)),
  parentHash: pad('0x00'),
  timestamp: number,
  baseFeePerGas: null,
  gas: null,
  logs: [],
})

/** A node that forgets the state of a block after 40 more, and whose head grows by `growth` for each read of 2,000 pools. */
function start(args: Readonly<{ pools: number; growth: bigint }>) {
  const chain = {
    head: 100n,
    /** Height of the block that is offered. */
    number: 100n,
    unread: args.pools,
    discoveries: 0,
    finished: [] as bigint[],
  }
  const reads: bigint[] = []
  const firstRead = createFirstRead({
    client: {
      chain: { id: 1 },
      getBlockNumber: async () => chain.head,
    } as unknown as ChainClient,
    log,
    signal: new AbortController().signal,
    discovery: {
      at: async () => {
        chain.discoveries += 1
        return { ofPairs: [], ofFactories: [] }
      },
    },
    selection: {
      add: silent,
      checkDepths: async () => false,
      uncheckedCount: () => 0,
      knownCount: () => 0,
    },
    pools: {
      trackedCount: () => args.pools,
      unreadCount: () => chain.unread,
      readNew: async (limit) => {
        const { number } = chain
        if (chain.head - number > 40n)
          throw new RpcRefusedError(
            { id: 1, displayName: 'Ether' },
            { method: 'eth_call', code: -32_000, reason: 'missing trie node' },
          )
        reads.push(number)
        chain.unread = Math.max(0, chain.unread - limit)
        chain.head += args.growth
      },
    },
  })
  /** Offers the blocks as the follower does, until the read has ended. */
  async function follow(): Promise<void> {
    for (let number = chain.head; ; number += 1n) {
      const finish = async () => void chain.finished.push(number)
      chain.number = number
      if (await firstRead.resume(blockAt(number), finish)) return
    }
  }
  return { chain, reads, follow, firstRead }
}

it('reads more pools than fit into the time that nodes keep a block, and each once', async () => {
  const { chain, reads, follow } = start({ pools: 10_000, growth: 20n })
  await follow()
  expect(reads).toHaveLength(5)
  expect(chain.discoveries).toBe(1)
  expect(new Set(reads).size).toBeGreaterThan(1)
  // The market begins near the head.
  expect(chain.finished).toHaveLength(1)
  expect(chain.head - (chain.finished[0] ?? 0n)).toBeLessThanOrEqual(8n)
})

it('goes on at the next block if a node does not have this one', async () => {
  const { chain, follow, firstRead } = start({ pools: 600, growth: 0n })
  let failures = 0
  const resume = firstRead.resume(blockAt(100n), async () => {
    failures += 1
    chain.head += 1n
    throw new RpcRefusedError(
      { id: 1, displayName: 'Ether' },
      { method: 'eth_call', code: -32_000, reason: 'header not found' },
    )
  })
  expect(await resume).toBe(false)
  expect(failures).toBe(1)
  expect(firstRead.progress()).toEqual({ read: 600, known: 600 })
  await follow()
  expect(chain.finished).toEqual([101n])
  expect(chain.discoveries).toBe(1)
})
