import { encodeFunctionData, type Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChainClient } from '#src/chains/rpc/chainClient.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { poolPlans } from '#src/devnet/plan/poolPlan.ts'
import { createMarkets } from '#src/market/markets.ts'
import {
  uniswapV2FactoryAbi,
  uniswapV2PairAbi,
  uniswapV3FactoryAbi,
  uniswapV3PoolAbi,
} from '#src/protocol/contracts/abis.ts'
import { type MarketChain, startMarketChain } from '#test/support/chains/marketChain.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { importChain } from '#test/support/simulatedNode/importChain.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import { emptyState } from '#test/support/simulatedNode/simulatedState.ts'
import {
  type SimulatedNode,
  startSimulatedNode,
} from '#test/support/simulatedNode/startSimulatedNode.ts'

const [plan] = chainPlans
let real: MarketChain
let proxy: RpcProxy
let node: SimulatedNode
const simulated = createSimulatedChain({ id: plan.id, state: emptyState, finalityBlocks: 64 })

beforeAll(async () => {
  // FERN takes a fee on transfers: the tokens of the simulated chain do not.
  real = await startMarketChain(
    plan,
    poolPlans(plan.native).filter(({ pair }) => !pair.includes('FERN')),
  )
  proxy = await startRpcProxy(real.rpcUrl)
  node = await startSimulatedNode(simulated)
})
afterAll(() => Promise.all([real?.stop(), proxy?.stop(), node?.stop()]))

type Call = Readonly<{ method: string; params: readonly unknown[] }>

/** The body of the answer to a batch of calls. */
async function ask(url: string, calls: readonly Call[]): Promise<string> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))
  const headers = { 'content-type': 'application/json' }
  return (await fetch(url, { method: 'POST', headers, body })).text()
}

/** Starts the market on anvil, through the proxy that records what it asks. Returns the solver's account. */
async function recordMarket() {
  const config = real.configure({ rpcUrls: [proxy.url] })
  const [chain] = config.chains
  if (chain === undefined) throw new Error('No chain is configured')
  const { log } = recordLog()
  const client = createChainClient(chain, log)
  const clients = new Map([[chain.id, client]])
  const market = createMarkets(
    { clients, log, now: () => performance.now(), time: Date.now },
    { config, listed: [] },
  )
  await market.ready()
  await market.close()
  client.close()
  return config.solver.address
}

/** Reads of every field of every pool at a block, one by one. */
function readsAt(blockHash: Hex) {
  const { pools } = simulated.head().state
  const call = (to: Hex, data: Hex) => ({
    method: 'eth_call',
    params: [{ to, data }, { blockHash }],
  })
  return [...pools.values()].flatMap(({ factory, pool }) => {
    const { address, currency0, currency1, fee } = pool
    const sides = [currency1, currency0] as const
    if (pool.kind === 'constantProduct') {
      const find = { functionName: 'getPair', args: sides } as const
      return [
        ...(['token0', 'token1', 'getReserves'] as const).map((functionName) =>
          call(address, encodeFunctionData({ abi: uniswapV2PairAbi, functionName })),
        ),
        call(factory, encodeFunctionData({ abi: uniswapV2FactoryAbi, ...find })),
      ]
    }
    const names = ['token0', 'token1', 'fee', 'tickSpacing', 'slot0', 'liquidity'] as const
    const find = { functionName: 'getPool', args: [...sides, Number(fee)] } as const
    const words = Array.from({ length: 50 }, (_, at) => at - 25)
    return [
      ...names.map((functionName) =>
        call(address, encodeFunctionData({ abi: uniswapV3PoolAbi, functionName })),
      ),
      ...words.map((word) => {
        const args = [word] as const
        return call(
          address,
          encodeFunctionData({ abi: uniswapV3PoolAbi, functionName: 'tickBitmap', args }),
        )
      }),
      call(factory, encodeFunctionData({ abi: uniswapV3FactoryAbi, ...find })),
    ]
  })
}

test('answers as anvil does, byte for byte', async () => {
  const account = await recordMarket()
  const asked = [
    ...new Set(proxy.calls.map(({ method, params }) => JSON.stringify({ method, params }))),
  ]
  let compared = 0
  const compare = async (calls: readonly Call[]) => {
    for (let at = 0; at < calls.length; at += 50) {
      const batch = calls.slice(at, at + 50)
      expect(await ask(node.url, batch)).toBe(await ask(real.rpcUrl, batch))
      compared += batch.length
    }
  }
  await importChain(simulated, real, account)
  // No block of the simulated chain has transactions, from which tips follow.
  await compare(
    asked.map((text) => JSON.parse(text)).filter(({ method }) => method !== 'eth_feeHistory'),
  )
  await compare(readsAt(simulated.head().hash))
  await real.churn()
  await importChain(simulated, real, account)
  await compare(readsAt(simulated.head().hash))
  expect(compared).toBeGreaterThan(2_000)
})
