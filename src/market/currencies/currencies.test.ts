import { numberToHex } from 'viem'
import { expect, test } from 'vitest'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { currencyPlans } from '#src/devnet/plan/chainPlan.ts'
import { useMarketChain } from '#test/support/chains/useMarketChain.ts'

const rig = useMarketChain()

/** EVM code that answers every call with `word`. */
const answering = (word: bigint) =>
  `0x7f${numberToHex(word, { size: 32 }).slice(2)}5f5260205ff3` as const

const liars = {
  /** More decimals than the maximum. */
  decimals37: answering(37n),
  decimals255: answering(255n),
  huge: answering(2n ** 256n - 1n),
  reverts: '0x5f5ffd',
  /** Answers one byte. */
  short: '0x60015ff3',
  /** Answers a megabyte of zeros. */
  long: '0x621000005ff3',
  /** Answers one more with each call. */
  changing: '0x5f54600101805f555f5260205ff3',
  /** Loops until the gas runs out. */
  burner: '0x5b5f56',
} as const satisfies Record<string, `0x${string}`>

const places = { liar: 0x1000, plain: 0x2000, nobody: 0x3000 }
const addressOf = (place: number): Address => toAddress(numberToHex(place, { size: 20 }))

async function putCode(place: number, bytecode: `0x${string}`): Promise<Address> {
  const address = addressOf(place)
  await rig.chain.anvil.setCode({ address, bytecode })
  return address
}

/** Returns a function that counts the eth_calls since its last call. */
function callCounter(client: ReturnType<typeof rig.start>['client']): () => number {
  let before = client.requests().get('eth_call') ?? 0
  return () => {
    const now = client.requests().get('eth_call') ?? 0
    const since = now - before
    before = now
    return since
  }
}

test('reads metadata from the chain without a token list: strings and bytes32, any decimals', async () => {
  const { market, chainId } = rig.start({}, { listed: [] })
  await market.ready()
  for (const plan of currencyPlans('ETH')) {
    const address = rig.chain.deployed.currencies.find(
      ({ symbol }) => symbol === plan.symbol,
    )?.address
    expect(market.currencies.known({ chainId, address: address ?? nativeAddress })).toEqual({
      chainId,
      address,
      symbol: plan.symbol,
      name: plan.name,
      decimals: plan.decimals,
      metadata: { verified: false, isNative: false },
    })
  }
})

test('known currencies cost no call', async () => {
  const { market, client, chainId } = rig.start()
  await market.ready()
  const calls = callCounter(client)
  const keys = [nativeAddress, ...rig.chain.deployed.currencies.map(({ address }) => address)]
  const loaded = await market
    .currencyLoader()
    .loadMany(keys.map((address) => ({ chainId, address })))
  expect(loaded.map((each) => each && 'symbol' in each && each.symbol)).toEqual([
    'ETH',
    ...rig.chain.deployed.currencies.map(({ symbol }) => symbol),
  ])
  expect(calls()).toBe(0)
  expect(market.currencies.list()).toHaveLength(keys.length)
})

test('loads in one turn cost one call, and none the next time', async () => {
  const { market, client, chainId } = rig.start()
  await market.ready()
  const addresses = await Promise.all(
    Array.from({ length: 20 }, (_, at) => putCode(places.plain + at, answering(BigInt(at)))),
  )
  const keys = addresses.map((address) => ({ chainId, address }))
  const calls = callCounter(client)
  const loader = market.currencyLoader()
  const loaded = await Promise.all([...keys, ...keys].map((key) => loader.load(key)))
  expect(loaded.map((currency) => currency?.decimals)).toEqual([
    ...keys.map((_, at) => at),
    ...keys.map((_, at) => at),
  ])
  expect(loaded[5]).toMatchObject({ symbol: '0x0000…2005', name: '0x0000…2005' })
  expect(calls()).toBe(1)
  expect(await market.currencyLoader().loadMany(keys)).toEqual(loaded.slice(0, 20))
  expect(calls()).toBe(0)
})

test('an address without code is no currency, and is not read again at the same block', async () => {
  const { market, client, chainId, atHead } = rig.start({ verifyEverySeconds: 86_400 })
  await market.ready()
  const calls = callCounter(client)
  const key = { chainId, address: addressOf(places.nobody) }
  expect(await market.currencyLoader().load(key)).toBeUndefined()
  expect(calls()).toBe(1)
  expect(await market.currencyLoader().load(key)).toBeUndefined()
  expect(calls()).toBe(0)
  await putCode(places.nobody, answering(9n))
  await rig.chain.anvil.mine({ blocks: 1 })
  await atHead()
  expect((await market.currencyLoader().load(key))?.decimals).toBe(9)
})

test.each(Object.entries(liars))(
  'a contract with invalid answers is no currency: %s',
  async (_, code) => {
    const { market, chainId } = rig.start()
    await market.ready()
    const liar = await putCode(places.liar, code)
    await rig.chain.anvil.mine({ blocks: 1 })
    const started = performance.now()
    expect(await market.currencyLoader().load({ chainId, address: liar })).toBeUndefined()
    expect(performance.now() - started).toBeLessThan(5000)
  },
)

test('contracts that burn gas or answer megabytes do not affect the others', async () => {
  const { market, chainId } = rig.start()
  await market.ready()
  const bad = await Promise.all(
    Object.values(liars).map((code, at) => putCode(places.liar + at, code)),
  )
  const good = await putCode(places.plain + 100, answering(7n))
  const loader = market.currencyLoader()
  const started = performance.now()
  const [last, ...others] = await Promise.all(
    [good, ...bad].map((address) => loader.load({ chainId, address })),
  )
  expect(last?.decimals).toBe(7)
  expect(new Set(others)).toEqual(new Set([undefined]))
  expect(performance.now() - started).toBeLessThan(1000)
})

test('a chain without a market fails only its own loads', async () => {
  const { market, chainId } = rig.start()
  await market.ready()
  const loader = market.currencyLoader()
  const [known, unknown] = await loader.loadMany([
    { chainId, address: nativeAddress },
    { chainId: toChainId(5), address: addressOf(places.nobody) },
  ])
  expect(known).toMatchObject({ symbol: 'ETH' })
  expect(unknown).toMatchObject({ code: 'UNSUPPORTED_CHAIN' })
})
