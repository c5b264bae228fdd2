import { erc20Abi } from 'viem'
import { expect, test } from 'vitest'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { solver } from '#src/devnet/accounts.ts'
import { gasPriceOracleAbi, gasPriceOracleAddress } from '#src/protocol/contracts/abis.ts'
import { useMarketChain } from '#test/support/chains/useMarketChain.ts'

/** The rollup. */
const rig = useMarketChain(1)

test('reads the base fee of the next block, and a tip', async () => {
  const { market, chainId, atHead } = rig.start()
  await market.ready()
  await rig.chain.churn()
  await atHead()
  const gas = market.latest(chainId)?.gas
  await rig.chain.anvil.mine({ blocks: 1 })
  if (gas === undefined) throw new Error('No market')
  const { baseFeePerGas, priorityFeePerGas } = evmGas(gas)
  expect(baseFeePerGas).toBe((await rig.chain.anvil.getBlock()).baseFeePerGas)
  expect(priorityFeePerGas).toBeGreaterThanOrEqual(1_000_000n)
})

test('reads the L1 data fee of the rollup', async () => {
  const { market, chainId } = rig.start()
  await market.ready()
  const oracle = { address: gasPriceOracleAddress, abi: gasPriceOracleAbi } as const
  const { anvil } = rig.chain
  expect(market.latest(chainId)?.gas).toMatchObject({
    l1DataFee: {
      model: 'opStack',
      l1BaseFee: await anvil.readContract({ ...oracle, functionName: 'l1BaseFee' }),
      blobBaseFee: await anvil.readContract({ ...oracle, functionName: 'blobBaseFee' }),
      baseFeeScalar: BigInt(await anvil.readContract({ ...oracle, functionName: 'baseFeeScalar' })),
      blobBaseFeeScalar: BigInt(
        await anvil.readContract({ ...oracle, functionName: 'blobBaseFeeScalar' }),
      ),
    },
  })
})

test('reads the solver’s balances', async () => {
  const { market, chainId, config } = rig.start()
  await market.ready()
  const balances = market.latest(chainId)?.solverBalances ?? new Map()
  const { anvil } = rig.chain
  expect(balances.get(nativeAddress)).toBe(await anvil.getBalance({ address: solver.address }))
  const held = config.assets.flatMap(({ currencies }) =>
    currencies.map(({ address }) => evmAddress(address)),
  )
  const others = [...new Set([...held, config.chains[0]?.wrappedNative ?? nativeAddress])]
  expect(new Set(balances.keys())).toEqual(new Set([nativeAddress, ...others]))
  for (const address of others.filter((each) => each !== nativeAddress)) {
    const args = [solver.address] as const
    const call = { address, abi: erc20Abi, functionName: 'balanceOf', args } as const
    expect(balances.get(address)).toBe(await anvil.readContract(call))
  }
})

/** EVM code that answers any call with five zero words: an incomplete round. */
const silentFeed = '0x60a05ff3'

test('takes prices from feeds, then from pools if they may price, and has none without feeds', async () => {
  const { market, chainId, config, atHead } = rig.start({ allowPoolPrices: true })
  const strict = rig.start()
  await Promise.all([market.ready(), strict.market.ready()])
  const { anvil, deployed } = rig.chain
  const priceOf = (address: Address) => market.latest(chainId)?.usdPrices.get(address)
  const expectFairPrices = () => {
    for (const { address, contract, price, symbol } of deployed.currencies) {
      if (contract === 'taxed') continue
      expect(priceOf(address), symbol).toBeGreaterThan((price * 97n) / 100n)
      expect(priceOf(address), symbol).toBeLessThan((price * 103n) / 100n)
    }
  }
  const silence = async (aggregators: readonly Address[]) => {
    for (const address of aggregators) await anvil.setCode({ address, bytecode: silentFeed })
    await anvil.mine({ blocks: 1 })
    await atHead()
  }
  const feeds = config.chains[0]?.priceFeeds ?? []
  const native = feeds.find(({ currency }) => currency === nativeAddress)
  if (native === undefined) throw new Error('No feed for the native currency')
  expectFairPrices()
  expect(priceOf(nativeAddress)).toBe(3000n * 10n ** 18n)

  await silence([native.aggregator])
  expectFairPrices()
  expect(priceOf(nativeAddress)).not.toBe(3000n * 10n ** 18n)
  expect(priceOf(nativeAddress)).toBe(priceOf(deployed.contracts.wrappedNative))
  await strict.atHead()
  const strictPrices = strict.market.latest(chainId)?.usdPrices
  expect(strictPrices?.get(nativeAddress)).toBeUndefined()
  expect(strictPrices?.get(deployed.contracts.wrappedNative)).toBeUndefined()
  expect(strictPrices?.size).toBeGreaterThan(0)

  await silence(feeds.map(({ aggregator }) => aggregator))
  expect(market.latest(chainId)?.usdPrices).toEqual(new Map())
})
