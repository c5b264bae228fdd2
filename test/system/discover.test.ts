import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Hex, hexToNumber } from 'viem'
import { afterAll, expect, it } from 'vitest'
import { configOf } from '#src/devnet/describeDevnet.ts'
import { useMarketChain } from '#test/support/chains/useMarketChain.ts'
import type { Behaviour, RpcAnswer } from '#test/support/nodes/rpcProxy.ts'
import { spawnCrossquote } from '#test/support/processes/crossquoteProcess.ts'
import { makeStoreDirectory } from '#test/support/store/storeDirectory.ts'

const rig = useMarketChain()
const directories: string[] = []
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true })
})

type Filter = Readonly<{ address: Hex; fromBlock: Hex; toBlock: Hex }>
type Asked = Readonly<{ address: Hex; from: number; to: number }>

/** A node that answers the logs of 40 blocks at a time, and calls `onHeld` for what it does not answer, after `count` answers. */
function limited(
  { answered, refused }: Readonly<{ answered: Asked[]; refused: Asked[] }>,
  count = Number.POSITIVE_INFINITY,
  onHeld: () => void = () => undefined,
): Behaviour {
  return {
    change: ({ method, params }, answer): RpcAnswer | Promise<RpcAnswer> => {
      if (method !== 'eth_getLogs') return answer
      const { address, fromBlock, toBlock } = params[0] as Filter
      const asked = { address, from: hexToNumber(fromBlock), to: hexToNumber(toBlock) }
      if (asked.to - asked.from >= 40) {
        refused.push(asked)
        return { error: { code: -32_005, message: 'query exceeds max block range' } }
      }
      if (answered.length === count) {
        onHeld()
        return new Promise(() => undefined)
      }
      answered.push(asked)
      return answer
    },
  }
}

it('the search for pools resumes at its last position after kill -9', async () => {
  await rig.chain.anvil.mine({ blocks: 400 })
  const directory = await makeStoreDirectory()
  directories.push(directory)
  const { deployed, rpcUrl } = rig.chain
  const { chains, ...rest } = configOf(
    [{ ...deployed, rpcUrl, wsUrl: rpcUrl.replace('http', 'ws'), blockSeconds: 1 }],
    'tokens.json',
  )
  const path = join(directory, 'config.json')
  const chain = { ...chains[0], rpcUrls: [rig.proxy.url], wsUrl: undefined }
  writeFileSync(path, JSON.stringify({ ...rest, tokenList: undefined, chains: [chain] }))
  const start = () =>
    spawnCrossquote({ DATA_DIRECTORY: directory }, 'src/cli/discover.ts', ['--config', path])

  const before = { answered: [] as Asked[], refused: [] as Asked[] }
  const held = Promise.withResolvers<void>()
  rig.proxy.behave(limited(before, 6, held.resolve))
  const killed = start()
  // The sixth answer is stored before the seventh range is requested.
  await held.promise
  await killed.kill()

  const after = { answered: [] as Asked[], refused: [] as Asked[] }
  rig.proxy.behave(limited(after))
  const resumed = start()
  expect(await resumed.ended).toBe(0)
  expect(resumed.log()).toContain(`: ${deployed.pools.length} pools are stored`)
  expect(after.answered[0]?.from).toBe((before.answered[5]?.to ?? 0) + 1)
  const starts = [...before.answered, ...after.answered].map(
    ({ address, from }) => `${address} ${from}`,
  )
  expect(new Set(starts).size).toBe(starts.length)
  // The limit is known: larger ranges are tried from time to time alone.
  expect(before.refused.length).toBeGreaterThan(3)
  expect(after.refused.length).toBeLessThanOrEqual(1)
})
