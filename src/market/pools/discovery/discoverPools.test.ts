import { type Hex, hexToBigInt } from 'viem'
import { expect, test } from 'vitest'
import { createMemorySearches, type SearchStore } from '#src/chains/search/searchStore.ts'
import type { Address } from '#src/core/units/address.ts'
import { constantProductMarket } from '#src/market/kinds/constantProduct/constantProductMarket.ts'
import { messagesOf, useMarketChain, verifiedAlways } from '#test/support/chains/useMarketChain.ts'

const rig = useMarketChain()

const addressOf = (symbol: string): Address => {
  const found = rig.chain.deployed.currencies.find((currency) => currency.symbol === symbol)
  if (found === undefined) throw new Error(`No ${symbol} here`)
  return found.address
}

const factoriesOf = (changes: Readonly<{ pairs: [Address, Address][] }>) => {
  const { uniswapV2Factory, uniswapV3Factory } = rig.chain.deployed.contracts
  const v2 = { kind: 'constantProduct', source: 'uniswap-v2', factory: uniswapV2Factory } as const
  const v3 = { kind: 'concentrated', source: 'uniswap-v3', factory: uniswapV3Factory } as const
  return [
    { ...v2, ...changes },
    { ...v3, ...changes },
  ]
}

test('tracks only the pools of configured pairs, in either order', async () => {
  const pairs: [Address, Address][] = [
    [addressOf('WETH'), addressOf('USDC')],
    [addressOf('USDC'), addressOf('DAI')],
  ]
  const wanted = async () =>
    (await rig.routablePools()).filter(({ currency0, currency1 }) =>
      pairs.some((pair) => pair.includes(currency0) && pair.includes(currency1)),
    )
  const { market, pools, atHead, status } = rig.start({ factories: factoriesOf({ pairs }) })
  await market.ready()
  expect(pools()?.length).toBeGreaterThan(4)
  expect(pools()).toEqual(await wanted())
  const followed = status().head?.pools
  await rig.chain.addPair('ACORN', 'GROVE')
  await rig.chain.churn()
  await atHead()
  expect(pools()).toEqual(await wanted())
  expect(status().head?.pools).toBe(followed)
})

test('tracks the pool of a configured pair from the block that creates it', async () => {
  const pairs: [Address, Address][] = [[addressOf('BIRCH'), addressOf('DUNE')]]
  const more: [Address, Address] = [addressOf('WETH'), addressOf('USDC')]
  const { market, pools, atHead } = rig.start({
    factories: factoriesOf({ pairs: [...pairs, more] }),
    ...verifiedAlways,
  })
  await market.ready()
  const before = pools()?.length ?? 0
  await rig.chain.addPair('BIRCH', 'DUNE')
  await rig.chain.churn()
  await rig.chain.churn()
  await atHead()
  const sides = [addressOf('BIRCH'), addressOf('DUNE')]
  expect(pools()).toHaveLength(before + 1)
  expect(
    pools()?.some(
      ({ currency0, currency1 }) => sides.includes(currency0) && sides.includes(currency1),
    ),
  ).toBe(true)
})

test('reads logs from a node that limits a request to two blocks', async () => {
  type Filter = Readonly<{ fromBlock?: Hex; toBlock?: Hex }>
  rig.proxy.behave({
    change: ({ method, params }, answer) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as Filter
      if (method !== 'eth_getLogs' || fromBlock === undefined || toBlock === undefined)
        return answer
      return hexToBigInt(toBlock) - hexToBigInt(fromBlock) < 2n
        ? answer
        : { error: { code: -32_005, message: 'query exceeds max block range' } }
    },
  })
  const { market, pools } = rig.start()
  await market.ready()
  const all = await rig.routablePools()
  const found = new Set(pools()?.map(({ address }) => address))
  for (const { address } of all) expect(found.has(address)).toBe(true)
})

test('a stored pool counts only if its factory knows it, and the next start searches again', async () => {
  const kept = createMemorySearches()
  const forged: SearchStore = {
    ...kept,
    foundLogs: async (search, page) => {
      const logs = await kept.foundLogs(search, page)
      if (search.topic !== constantProductMarket.creationTopic) return logs
      // The first pair in place of each: its reserves are real, and not of these currencies.
      const [first] = logs
      return first === undefined ? [] : logs.map((log) => ({ ...log, data: first.data }))
    },
  }
  await rig.chain.anvil.mine({ blocks: 64 })
  const { market, pools, lines } = rig.start({}, { searches: forged })
  await market.ready()
  const all = await rig.routablePools()
  expect(pools()).toEqual(all.filter(({ kind }) => kind === 'concentrated'))
  expect(messagesOf(lines)).toContainEqual(expect.stringMatching(/does not confirm found pools/))
  const again = rig.start({}, { searches: kept })
  await again.market.ready()
  // With the pairs of the tests before.
  expect(again.pools()).toEqual(expect.arrayContaining([...all]))
})
