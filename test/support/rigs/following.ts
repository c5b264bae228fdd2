import { type Hex, toHex } from 'viem'
import type { ChainEvent } from '#src/chains/chainEvent.ts'
import { followChain } from '#src/chains/follow/followChain.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import {
  createTestClient,
  type LogLine,
  recordLog,
  startTestChain,
  type TestChain,
  toCanonical,
} from '#test/support/chains/testChain.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'

export const swap = toHex('swap', { size: 32 })
export const sync = toHex('sync', { size: 32 })
export const other = toHex('other', { size: 32 })

type Events = AsyncGenerator<ChainEvent, void, undefined>
type FollowOptions = Partial<Parameters<typeof followChain>[1]> &
  Readonly<{ rpcUrls?: readonly string[]; wsUrl?: string; timeoutSeconds?: number }>

/** A chain behind two RPC proxies, and its followers, which end with each test. */
export type Stage = Readonly<{
  chain: TestChain
  first: RpcProxy
  second: RpcProxy
  height: () => Promise<number>
  /** Follows the logs with topic `swap` or `sync`. By default, it polls the first proxy every 20 ms. */
  follow: (options?: FollowOptions) => Readonly<{ events: Events; lines: readonly LogLine[] }>
  /** Aborts the followers. */
  abort: () => void
  /** Ends the followers and makes the proxies pass all calls again. */
  reset: () => void
  stop: () => Promise<unknown>
}>

export async function startStage(): Promise<Stage> {
  const chain = await startTestChain()
  const first = await startRpcProxy(chain.rpcUrl)
  const second = await startRpcProxy(chain.rpcUrl)
  const clients: ChainClient[] = []
  let stop = new AbortController()

  function follow({
    wsUrl,
    rpcUrls = [first.url],
    timeoutSeconds,
    ...options
  }: FollowOptions = {}) {
    const { log, lines } = recordLog()
    const urls = wsUrl === undefined ? { rpcUrls } : { rpcUrls, wsUrl }
    const client = createTestClient(urls, log, timeoutSeconds)
    clients.push(client)
    const defaults = { topics: [swap, sync], pollSeconds: 0.02, finalityDepth: 64 }
    const events = followChain({ client, log }, { ...defaults, ...options, signal: stop.signal })
    return { events, lines }
  }

  function abort(): void {
    stop.abort()
    stop = new AbortController()
  }

  return {
    chain,
    first,
    second,
    height: async () => Number(await chain.anvil.getBlockNumber()),
    follow,
    abort,
    reset: () => {
      abort()
      for (const client of clients.splice(0)) client.close()
      first.behave('pass')
      second.behave('pass')
    },
    stop: () => Promise.all([chain.stop(), first.stop(), second.stop()]),
  }
}

/** The next block or reorg event in short form: "+7 swap", "-7 -6" or "end". */
export async function nextOf(events: Events): Promise<string> {
  for await (const event of resumable(events)) {
    if (event.type === 'reorg') return event.undone.map(({ number }) => `-${number}`).join(' ')
    if (event.type === 'block') return `+${[event.block.number, ...namesOf(event)].join(' ')}`
  }
  return 'end'
}

/** Heights of the `finalized` events up to this one. */
export async function finalHeights(events: Events, until: bigint): Promise<readonly bigint[]> {
  const heights: bigint[] = []
  for await (const event of resumable(events)) {
    if (event.type === 'finalized') heights.push(event.block.number)
    if (heights.at(-1) === until) return heights
  }
  return heights
}

/** Wraps the events so that leaving a loop does not end the generator. */
const resumable = (events: Events): AsyncIterable<ChainEvent> => ({
  [Symbol.asyncIterator]: () => ({ next: () => events.next() }),
})

const names: Readonly<Record<Hex, string>> = { [swap]: 'swap', [sync]: 'sync', [other]: 'other' }

const namesOf = ({ block }: Extract<ChainEvent, { type: 'block' }>): (string | undefined)[] =>
  toCanonical(block).topics.map((topic) => names[topic])
