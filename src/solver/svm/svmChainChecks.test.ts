import { afterEach, expect, it, vi } from 'vitest'
import { createSvmClient } from '#src/chains/svm/svmClient.ts'
import { createLog } from '#src/config/log.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { blockhashOf } from '#src/core/units/svm/blockhash.ts'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { NodeError, startSvmNode } from '#test/support/nodes/svmNode.ts'
import { createSvmChainChecks } from './svmChainChecks.ts'

const [program, solver] = [1, 2].map((byte) => pubkeyOf(new Uint8Array(32).fill(byte)))
const genesisHash = blockhashOf(new Uint8Array(32).fill(9))
const orderId = `0x${'05'.repeat(32)}` as const
/** Unix time in seconds at which the process starts. */
const start = 1_800_000_000

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** What an endpoint says: the time of its newest final block, and whether the order is filled. */
type State = Readonly<{ time: number; isFilled?: boolean } | 'down'>

async function startEndpoint(first: State) {
  let state = first
  let calls = 0
  const node = await startSvmNode({
    getGenesisHash: () => genesisHash,
    getMultipleAccounts: ([keys]) => {
      calls += 1
      if (state === 'down') throw new NodeError(-32_005, 'Node is behind')
      const clock = Buffer.alloc(40)
      clock.writeBigInt64LE(BigInt(state.time), 32)
      const marker = state.isFilled === true ? account(program ?? '', Buffer.alloc(0)) : null
      const all = [account(programIds.system, clock), marker]
      return { context: { slot: 7 }, value: all.slice(0, (keys as unknown[]).length) }
    },
  })
  ends.push(node.stop)
  return {
    url: node.url,
    calls: () => calls,
    say: (next: State) => {
      state = next
    },
  }
}

const account = (owner: string, data: Buffer) => ({
  lamports: 1,
  owner,
  data: [data.toString('base64'), 'base64'],
  executable: false,
  rentEpoch: 0,
})

/** A process that begins once its endpoints have answered. */
async function begin(...states: readonly State[]) {
  const endpoints = await Promise.all(states.map(startEndpoint))
  const log = createLog('silent')
  const rpcUrls = endpoints.map(({ url }) => url)
  const chain = { id: toChainId(990_004), displayName: 'Solana', genesisHash, rpcUrls }
  const client = createSvmClient(chain, log, { timeoutSeconds: 5 })
  ends.push(client.close)
  if (program === undefined || solver === undefined) throw new Error('The accounts are made above')
  const { verdictOn } = createSvmChainChecks(
    { client, log, now: () => start * 1000, store: {} as RequestStore },
    { chain: { ...chain, clockSkewSeconds: 0 } as SvmChainConfig, program, solver },
  )
  await vi.waitFor(() => expect(endpoints.every(({ calls }) => calls() > 0)).toBe(true))
  const say = (...next: readonly State[]) => {
    for (const [at, each] of next.entries()) endpoints[at]?.say(each)
  }
  return { say, verdict: () => verdictOn(orderId) }
}

/** Before this time a fill may land that the store has lost. */
const deadline = start + 90
const late = deadline + 60

it('an order without a mark is unfilled once no fill of before the start can land', async () => {
  const { say, verdict } = await begin({ time: start })
  expect(await verdict()).toBe('notYet')
  say({ time: deadline })
  expect(await verdict()).toBe('notYet')
  say({ time: late })
  expect(await verdict()).toBe('unfilled')
  say({ time: late, isFilled: true })
  expect(await verdict()).toBe('filled')
})

it('a clock that lags at the start brings no refund forward', async () => {
  const { say, verdict } = await begin({ time: start - 500 })
  say({ time: start + 1 })
  expect(await verdict()).toBe('notYet')
  say({ time: late })
  expect(await verdict()).toBe('unfilled')
})

it('a clock that lags at the start behind that of another endpoint brings no refund forward', async () => {
  const ahead = 1_000
  const { say, verdict } = await begin({ time: start }, { time: start + ahead })
  say({ time: late }, { time: late })
  expect(await verdict()).toBe('notYet')
  say({ time: late + ahead }, { time: late + ahead })
  expect(await verdict()).toBe('unfilled')
})

it('one clock that runs ahead brings no refund forward', async () => {
  const { say, verdict } = await begin({ time: start }, { time: start })
  say({ time: start + 1_000 }, { time: start + 1 })
  expect(await verdict()).toBe('notYet')
  say({ time: start + 1_000 }, { time: late })
  expect(await verdict()).toBe('unfilled')
})

it('endpoints that disagree about the mark decide nothing', async () => {
  const { say, verdict } = await begin({ time: start }, { time: start })
  say({ time: late }, { time: late, isFilled: true })
  expect(await verdict()).toBe('notYet')
  say({ time: late, isFilled: true }, { time: late })
  expect(await verdict()).toBe('notYet')
  say({ time: late, isFilled: true }, { time: late, isFilled: true })
  expect(await verdict()).toBe('filled')
})

it('an endpoint that does not answer has no say', async () => {
  const { say, verdict } = await begin({ time: start }, 'down')
  say({ time: late })
  expect(await verdict()).toBe('unfilled')
  say('down', 'down')
  await expect(verdict()).rejects.toThrow()
})
