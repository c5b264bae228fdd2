import { address } from '@solana/kit'
import { concatBytes } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createSvmClient, type SvmClient } from '#src/chains/svm/svmClient.ts'
import { createLog } from '#src/config/log.ts'
import { type SvmChainConfig, svmChain } from '#src/config/svm/svmChain.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type Pubkey, pubkeyBytes, pubkeyOf, svmNative } from '#src/core/units/svm/pubkey.ts'
import { createMints } from '#src/devnet/svm/deployment/createMints.ts'
import { svmAllocator, svmSigner, svmUsers } from '#src/devnet/svm/svmAccounts.ts'
import type { Markets } from '#src/market/markets.ts'
import { i64, u64 } from '#src/protocol/svm/bytes.ts'
import { configAddress, ledgerAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { patience, useMarketChain } from '#test/support/chains/useMarketChain.ts'
import {
  callNode,
  initialLamports,
  startTestNode,
  type TestNode,
} from '#test/support/svm/testNode.ts'
import { createSvmFeeds } from './svmFeeds.ts'
import { createSvmMarketChain } from './svmMarketChain.ts'

const rig = useMarketChain()
const chainId = toChainId(990_004)
const program = pubkeyOf(new Uint8Array(32).fill(9))
const mint = svmSigner('mint USDC')
const newProgramMint = pubkeyOf(new Uint8Array(32).fill(11))
const emptyRent = 890_880n

let running: TestNode
const clients: SvmClient[] = []

const account = (at: Pubkey, owner: Pubkey, data: Uint8Array) => ({
  address: address(at),
  lamports: 10_000_000n,
  owner: address(owner),
  data,
  isExecutable: false,
})

beforeAll(async () => {
  const [user] = svmUsers
  if (user === undefined) throw new Error('The devnet has users')
  const { timestamp } = await rig.chain.anvil.getBlock()
  const keys = [user, svmAllocator, user, user].map(({ pubkey }) => pubkeyBytes(pubkey))
  const ledger = concatBytes([u64(5_000_000n), u64(0n), i64(0n), u64(0n)])
  running = await startTestNode({
    genesisSeconds: Number(timestamp),
    genesisAccounts: [
      { ...account(user.pubkey, programIds.system, new Uint8Array()), lamports: initialLamports },
      account(configAddress(program), program, concatBytes([...keys, i64(0n), i64(1_209_600n)])),
      account(ledgerAddress(program, mint.pubkey), program, ledger),
      account(newProgramMint, programIds.token2022, new Uint8Array(82)),
    ],
  })
  const holders = [running.user.pubkey]
  await createMints(running.node, user, [{ signer: mint, decimals: 6 }], { holders, amount: 7n })
  running.node.warp({ slots: 3 })
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
})
afterAll(() => running.stop())

/** The market of the EVM chain and of this one, whose USD prices are those of ether. */
async function start(changes: Partial<Parameters<typeof svmChain.parse>[0] & object> = {}) {
  const genesis = await callNode(running.node.url, 'getGenesisHash')
  const parts = rig.start(
    {},
    {
      othersOf: ({ config, clients: evm, log, now }) => {
        const [feed] = config.chains[0]?.priceFeeds ?? []
        const chain: SvmChainConfig = svmChain.parse({
          vmType: 'svm',
          id: chainId,
          name: 'svm',
          displayName: 'Svm',
          genesisHash: genesis.result,
          rpcUrls: [running.node.url],
          nativeCurrency: { symbol: 'SOL', name: 'Solana' },
          program,
          priceFeeds: [svmNative, mint.pubkey].map((currency) => ({
            currency,
            chainId: config.chains[0]?.id,
            aggregator: feed?.aggregator,
          })),
          ...changes,
        })
        const client = createSvmClient(chain, log, { timeoutSeconds: 1 })
        clients.push(client)
        const stored = { unsettledOf: async () => new Map(), stoppedAssets: async () => [] }
        const svm = { address: running.user.pubkey, allocator: svmAllocator.pubkey }
        const usdc = {
          symbol: 'USDC',
          class: 'stable' as const,
          currencies: [{ chainId, address: mint.pubkey }],
          pegTolerance: config.assets[0]?.pegTolerance as never,
        }
        return [
          createSvmMarketChain({ client, clients: evm, log, now, ...stored }, chain, {
            assets: [usdc],
            solver: { ...config.solver, svm },
          }),
        ]
      },
    },
  )
  return parts
}

/** Waits until the market has both prices. */
const priced = (market: Markets) =>
  vi.waitFor(() => expect(market.latest(chainId)?.usdPrices.size).toBe(2), patience)

test('has the prices of feeds on the EVM chain, balances, payouts and the costs of transactions', async () => {
  const { market, chainId: evmId } = await start()
  await market.ready()
  await priced(market)
  const seen = market.snapshot([chainId, evmId]).chains.get(chainId)
  const evmPrice = market.latest(evmId)?.feedPrices.get(nativeAddress)
  expect(evmPrice).toBeDefined()
  expect(seen?.usdPrices).toEqual(
    new Map([
      [svmNative, evmPrice],
      [mint.pubkey, evmPrice],
    ]),
  )
  expect(seen?.solverBalances.get(mint.pubkey)).toBe(toAmount(7_000_000n))
  const { value } = await running.rpc
    .getBalance(address(running.user.pubkey), { commitment: 'confirmed' })
    .send()
  expect(seen?.solverBalances.get(svmNative)).toBe(toAmount(value - emptyRent))
  expect(seen?.settlement).toEqual({
    stopped: undefined,
    outflowLimits: new Map([
      [svmNative, 0n],
      [mint.pubkey, 5_000_000n],
    ]),
    unsettled: new Map(),
  })
  expect(seen?.gas).toEqual({
    vmType: 'svm',
    lamportsPerSignature: 5_000n,
    microLamportsPerUnit: expect.any(BigInt) as bigint,
    lamportsPerByte: 6_960n,
  })
  expect(seen?.graph.pools).toEqual([])
})

test('follows new slots, and reads mints and balances for callers', async () => {
  const { market } = await start()
  await market.ready()
  const before = market.latest(chainId)?.block
  running.node.warp({ slots: 5 })
  await vi.waitFor(
    () => expect(market.latest(chainId)?.block.number).toBeGreaterThan(before?.number ?? 0n),
    patience,
  )
  const hash = market.latest(chainId)?.block.hash
  if (hash === undefined) throw new Error('No block')
  const currencies = market.currencyLoader()
  const load = (at: Pubkey) => currencies.load({ chainId, address: at })
  expect(await load(mint.pubkey)).toMatchObject({ symbol: 'USDC', decimals: 6 })
  expect(await load(newProgramMint)).toBeUndefined()
  expect(await load(running.user.pubkey)).toBeUndefined()
  const balances = market.balanceLoader()
  const balanceOf = (currency: Pubkey, holder: Pubkey) =>
    balances.load({ chainId, currency, account: holder, blockHash: hash })
  expect(await balanceOf(mint.pubkey, running.user.pubkey)).toBe(7_000_000n)
  expect(await balanceOf(mint.pubkey, running.other.pubkey)).toBe(0n)
})

test('a chain that is down, or another cluster, delays no other', async () => {
  const { market, chainId: evmId } = await start({ genesisHash: program })
  await market.ready()
  expect(market.latest(evmId)).toBeDefined()
  expect(market.latest(chainId)).toBeUndefined()
  expect(market.waitsFor(chainId)).toBeDefined()
  expect(() => market.snapshot([evmId])).not.toThrow()
  expect(() => market.snapshot([chainId])).toThrow('not ready yet')
})

test('has no price of a feed that is old, has other decimals, or whose chain is not trusted', async () => {
  const { market, client, config, chainId: evmId } = rig.start()
  await market.ready()
  const [{ aggregator, maxAgeSeconds } = { aggregator: nativeAddress, maxAgeSeconds: 0 }] =
    config.chains[0]?.priceFeeds ?? []
  let isTrusted = true
  const ports = {
    clients: new Map([[evmId, client]]),
    log: createLog('silent'),
    priced: (id: ChainId) => (isTrusted ? market.latest(id) : undefined),
  }
  const feed = { currency: svmNative, chainId: evmId, aggregator, maxAgeSeconds }
  const feeds = createSvmFeeds(ports, [feed])
  const at = market.latest(evmId)?.block.timestamp ?? 0n
  expect(feeds.prices(at).size).toBe(0)
  await feeds.refresh()
  expect(feeds.prices(at).size).toBe(1)
  expect(feeds.prices(at + BigInt(maxAgeSeconds) + 86_400n).size).toBe(0)
  isTrusted = false
  expect(feeds.prices(at).size).toBe(0)
  isTrusted = true
  const wrong = createSvmFeeds(ports, [{ ...feed, decimals: 3 }])
  await wrong.refresh()
  expect(wrong.prices(at).size).toBe(0)
})
