import {
  concatHex,
  decodeFunctionResult,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  numberToHex,
  pad,
  size,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { probeTransfers } from '#src/market/currencies/currencyChecks.ts'
import { uniswapV2FactoryAbi } from '#src/protocol/contracts/abis.ts'
import { transferProbe } from '#src/protocol/contracts/artifacts/transferProbe.ts'
import { type DeployedTestChain, startDeployedChain } from '#test/support/chains/deployedChain.ts'
import { createTestClient } from '#test/support/chains/testChain.ts'

const { abi, deployedBytecode: code } = transferProbe
const standIn = getAddress('0x00000000000000000000000000000000005ca1ed')
const hostile = getAddress('0x00000000000000000000000000000000000bad00')

let chain: DeployedTestChain
let pairs: Map<string, Hex>
beforeAll(async () => {
  chain = await startDeployedChain(chainPlans[0])
  const pairOf = (one: string, other: string) =>
    chain.client.readContract({
      address: chain.deployed.contracts.uniswapV2Factory,
      abi: uniswapV2FactoryAbi,
      functionName: 'getPair',
      args: [chain.currency(one).address, chain.currency(other).address],
    })
  pairs = new Map([
    ['FERN', await pairOf('FERN', 'WETH')],
    ['WETH', await pairOf('FERN', 'WETH')],
    ['USDC', await pairOf('USDC', 'USDT')],
    ['USDT', await pairOf('USDC', 'USDT')],
    ['DUNE', await pairOf('DUNE', 'USDC')],
  ])
})
afterAll(() => chain.stop())

async function probe(pool: Hex, currency: Hex, amount: bigint, currencyCode?: Hex) {
  const args = [currency, amount, standIn] as const
  const { data = '0x' } = await chain.client.call({
    to: pool,
    data: encodeFunctionData({ abi, functionName: 'probe', args }),
    gas: 30_000_000n,
    stateOverride: [
      { address: pool, code },
      { address: standIn, code },
      ...(currencyCode === undefined ? [] : [{ address: currency, code: currencyCode }]),
    ],
  })
  const [out, back] = decodeFunctionResult({ abi, functionName: 'probe', data })
  return { out, back }
}

const pairWith = (symbol: string): Hex => pairs.get(symbol) ?? '0x'

test.each(['WETH', 'USDC', 'USDT', 'DUNE'])(
  '%s is transferred without a fee, in both directions',
  async (symbol) => {
    const { address } = chain.currency(symbol)
    const whole = { succeeded: true, sent: 1000n, spent: 1000n, received: 1000n }
    expect(await probe(pairWith(symbol), address, 1000n)).toEqual({ out: whole, back: whole })
  },
)

test('FERN charges its transfer fee in each direction', async () => {
  expect(await probe(pairWith('FERN'), chain.currency('FERN').address, 10_000n)).toEqual({
    out: { succeeded: true, sent: 10_000n, spent: 10_000n, received: 9800n },
    back: { succeeded: true, sent: 9800n, spent: 9800n, received: 9604n },
  })
})

const nothing = { succeeded: false, sent: 0n, spent: 0n, received: 0n }

test('a reverting transfer is reported, and the return transfer is skipped', async () => {
  const tooMuch = 10n ** 40n
  expect(await probe(pairWith('USDC'), chain.currency('USDC').address, tooMuch)).toEqual({
    out: { ...nothing, sent: tooMuch },
    back: nothing,
  })
})

test.each<[what: string, code: Hex]>([
  ['has no code', '0x'],
  ['answers nothing, not even a balance', '0x00'],
  ['answers false and holds nothing', '0x5f5f5260205ff3'],
  ['burns all the gas it is given', '0x5b5f56'],
  ['answers with sixteen megabytes', '0x62ffffff5ff3'],
  ['reverts', '0x5f5ffd'],
])('a currency that %s fails the probe, not the RPC call', async (_, currencyCode) => {
  expect(await probe(pairWith('USDC'), hostile, 5n, currencyCode)).toEqual({
    out: { ...nothing, sent: 5n },
    back: nothing,
  })
})

/** A contract that always calls `target` with `data`, and returns 1. */
const meddlerCode = (target: Hex, data: Hex): Hex => {
  const length = numberToHex(size(data), { size: 1 })
  const copy = concatHex(['0x60', length, '0x602c', '0x5f', '0x39'])
  const call = concatHex(['0x5f5f60', length, '0x5f5f73', target, '0x5af1'])
  const answer: Hex = '0x5060015f5260205ff3'
  const code = concatHex([copy, call, answer])
  return concatHex([pad(code, { dir: 'right', size: 0x2c }), data])
}

test('a currency that spoils the probe of another one in the same call does not cause its refusal', async () => {
  const { client, currency } = chain
  const before = await client.snapshot()
  const usdc = toAddress(currency('USDC').address)
  const [pool, stranger] = [toAddress(pairWith('USDC')), toAddress(hostile)]
  const balance = await client.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [pool],
  })
  // Sends the whole reserve away by the code that replaces the pool.
  const args = [usdc, balance, standIn] as const
  const theft = encodeFunctionData({ abi, functionName: 'send', args })
  await client.setCode({ address: stranger, bytecode: meddlerCode(pool, theft) })
  await client.mine({ blocks: 1 })
  const nodes = createTestClient({
    rpcUrls: [client.transport.url ?? ''],
    id: toChainId(chainPlans[0].id),
  })
  const { hash } = await client.getBlock()
  const of = (symbol: string) => ({
    currency: toAddress(currency(symbol).address),
    amount: 10_000n,
    pool: toAddress(pairWith(symbol)),
  })
  const meddler = { currency: stranger, pool, amount: 10_000n }
  const probes = [meddler, of('USDC'), of('FERN'), of('DUNE')]
  expect(await probeTransfers(nodes, probes, hash)).toEqual(['fee', 'exact', 'fee', 'exact'])
  // All together, then each that is not exact alone.
  expect(nodes.requests().get('eth_call')).toBe(4)
  nodes.close()
  await client.revert({ id: before })
})
