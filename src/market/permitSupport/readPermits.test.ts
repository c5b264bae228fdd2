import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChainClient, type ChainRpc, createChainClient } from '#src/chains/rpc/chainClient.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { users } from '#src/devnet/accounts.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { type DeployedTestChain, startDeployedChain } from '#test/support/chains/deployedChain.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { readPermits } from './readPermits.ts'

const [plan] = chainPlans
const multicall3 = toAddress('0xca11bde05977b3631167028862be2a173976ca11')

let chain: DeployedTestChain
let client: ChainClient
beforeAll(async () => {
  chain = await startDeployedChain(plan)
  client = createChainClient(
    {
      id: toChainId(plan.id),
      displayName: 'Test',
      rpcUrls: [chain.client.transport.url ?? ''],
      wsUrl: undefined,
      multicall3,
      nativeCurrency: { symbol: 'ETH', name: 'Ether', decimals: 18 },
    },
    silentLog,
  )
})
afterAll(async () => {
  client.close()
  await chain.stop()
})

const symbols = ['USDC', 'DAI', 'WBTC']

/** Which permits each currency takes by the newest block, and the calldata of the calls that asked. */
async function read() {
  const asked: `0x${string}`[] = []
  const watched: ChainRpc = {
    chain: client.chain,
    ask: (request, ...others) => {
      const [call] = (request.params ?? []) as [{ data: `0x${string}` }]
      if (request.method === 'eth_call') asked.push(call.data)
      return client.ask(request, ...others)
    },
  }
  const currencies = symbols.map((symbol) => chain.currency(symbol).address)
  const { hash } = await chain.client.getBlock()
  if (hash === null) throw new Error('The block is pending')
  const found = await readPermits(watched, currencies, hash)
  return { found: Object.fromEntries(symbols.map((symbol, at) => [symbol, found[at]])), asked }
}

it('finds the same permits after somebody has executed the calls of an earlier read', async () => {
  const { found, asked } = await read()
  expect(found).toMatchInlineSnapshot(`
    {
      "DAI": {
        "eip2612": {
          "name": "Dai Stablecoin",
          "version": "1",
        },
      },
      "USDC": {
        "eip2612": {
          "name": "USD Coin",
          "version": "2",
        },
        "eip3009": {
          "name": "USD Coin",
          "version": "2",
        },
      },
      "WBTC": {},
    }
  `)
  for (const data of asked) {
    await chain.client.sendTransaction({
      account: users[0].address,
      chain: null,
      to: multicall3,
      data,
      gas: 10_000_000n,
    })
  }
  await chain.client.mine({ blocks: 1 })
  expect((await read()).found).toEqual(found)
})
