import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { Pool } from '#src/core/pools/pool.ts'
import type { Path, Route } from '#src/core/router/route.ts'
import { type Address, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { type Fill, fillCall } from '#src/protocol/calls/fillCall.ts'
import {
  depositCall,
  executeCall,
  feeCalls,
  payCall,
  type RouterCall,
  requireBeforeCall,
  swapCall,
  sweepCalls,
  unwrapCall,
  wrapCall,
} from '#src/protocol/calls/routerCalls.ts'
import { startContractRig } from '#test/contracts/contractRig.ts'
import { readChainPools } from '#test/support/chains/readChainPools.ts'
import { measureDeposits, wethDeposit } from './gas/depositGas.ts'
import { createMeasureGas } from './gas/measureGas.ts'
import { measurePancake } from './gas/pancakeGas.ts'
import { measurePayouts } from './gas/payoutGas.ts'
import { measurePermits } from './gas/permitGas.ts'
import { measureSlipstream } from './gas/slipstreamGas.ts'
import { measureSolidly } from './gas/solidlyGas.ts'
import { measureUniswapV4 } from './gas/uniswapV4Gas.ts'
import { pathOf, poolBetween } from './poolPaths.ts'

/**
 * `npm run bench:gas`: measures the gas of each kind of transaction on the devnet. Recipients have no balance
 * before.
 */
const rig = await startContractRig()
const { router, depository, user, client } = rig
const id = `0x${'1d'.repeat(32)}` as const
const at = (symbol: string) => rig.currency(symbol).address
const [usdc, dai, weth] = ['USDC', 'DAI', 'WETH'].map(at) as [Address, Address, Address]
let pools = await readChainPools(client, rig.deployed)
let count = 0
const freshAccount = (): Address => `0x${(++count).toString(16).padStart(40, 'e')}` as Address

const none = { amountIn: toAmount(0n), amountOut: toAmount(0n) }
const swapped = (input: Address, paths: readonly Path[], ends = {}): RouterCall =>
  swapCall(router, { input, output: input, ...none, paths }, { limitsOutput: true, ...ends })

for (const currency of [usdc, dai, weth]) {
  await rig.allow(currency, rig.approvalProxy, 2n ** 255n)
  await rig.allow(currency, depository, 2n ** 255n)
}
const inTime = requireBeforeCall(router, 4_000_000_000)
const pullAnd = (currency: Address, amount: bigint, calls: readonly RouterCall[]) =>
  rig.pullAndMulticall([{ currency, amount }], [inTime, ...calls], { metadata: id })
const native = (value: bigint, calls: readonly RouterCall[]) =>
  rig.multicall([inTime, ...calls], { value, metadata: id })
const pay = (currency: Address) =>
  payCall(router, currency, { recipient: freshAccount(), minimum: 1n })
const sweep = (...currencies: Address[]) => sweepCalls(router, currencies, user)
const deposit = (currency: Address) =>
  depositCall(router, currency, {
    depositor: user,
    id,
    minimum: 1n,
    maximum: maxUint256,
  })

await client.setBalance({ address: user, value: 10n ** 23n })
await rig.send({ to: weth, data: wethDeposit, value: 10n ** 22n })
const measure = createMeasureGas(rig)
await measureDeposits(rig, measure, { id, currencies: [usdc, dai, weth] })

await client.increaseTime({ seconds: 12 })
// The first swaps initialise the pools’ oracle slots, which costs more gas. Make them before the measurements.
for (const [input, amount, other] of [
  [weth, 10n ** 18n, usdc],
  [weth, 10n ** 18n, dai],
  [usdc, 10n ** 9n, dai],
] as const) {
  const all = pools.filter(
    (pool) =>
      [input, other].sort().join() === [pool.currency0, pool.currency1].join() &&
      (pool.kind !== 'concentrated' || pool.liquidity > 0n),
  )
  const paths = all.map((pool) => pathOf(input, amount, [pool], false))
  await rig.send(pullAnd(input, amount * BigInt(all.length), [swapped(input, paths)]))
}
pools = await readChainPools(client, rig.deployed)

const v2 = poolBetween(pools, 'constantProduct', [weth, usdc])
const v3 = poolBetween(pools, 'concentrated', [weth, usdc], 500)
const stable = poolBetween(pools, 'concentrated', [usdc, dai], 100)
const v2dai = poolBetween(pools, 'constantProduct', [weth, dai])
const eth = 10n ** 18n
const swapAndPay = (
  input: Address,
  amount: bigint,
  paths: Path[],
  output: Address,
  swept: Address[],
) => pullAnd(input, amount, [swapped(input, paths), pay(output), ...sweep(...swept)])

await measure(
  'router: nothing (ERC-20 in, paid on, swept)',
  pullAnd(weth, eth, [pay(weth), ...sweep(weth)]),
)
await measure('router: nothing (native in, paid on)', native(eth, [pay(nativeAddress)]))
await measure(
  'router: native in, wrapped, paid',
  native(eth, [wrapCall(router, weth, eth), pay(weth)]),
)
await measure(
  'router: ERC-20 in, unwrapped, paid',
  pullAnd(weth, eth, [unwrapCall(router, weth), pay(nativeAddress)]),
)
for (const limited of [false, true]) {
  const name = limited ? ', output limited' : ''
  await measure(
    `v2, 1 hop${name}`,
    swapAndPay(weth, eth, [pathOf(weth, eth, [v2], limited)], usdc, [weth]),
  )
  for (const amount of [eth, 100n * eth, 800n * eth, 2400n * eth]) {
    const path = pathOf(weth, amount, [v3], limited)
    const crossed = path.hops.reduce((sum, { ticksCrossed }) => sum + ticksCrossed, 0)
    await measure(
      `v3, 1 hop, ${crossed} ticks${name}`,
      swapAndPay(weth, amount, [path], usdc, [weth]),
    )
  }
  for (const [kind, pool] of [
    ['v3', v3],
    ['v2', v2],
  ] as const) {
    const path = pathOf(weth, eth, [pool, stable], limited)
    await measure(`${kind}+v3, 2 hops${name}`, swapAndPay(weth, eth, [path], dai, [weth, usdc]))
  }
}
/** Two paths, each with half of the input. */
const halves = (one: Pool[], other: Pool[]) =>
  [one, other].map((hopped) => pathOf(weth, eth / 2n, hopped, false))
await measure('v2 ∥ v3, 2 paths', swapAndPay(weth, eth, halves([v2], [v3]), usdc, [weth]))
await measure(
  'v2 ∥ v3+v3, 2 paths, 3 hops',
  swapAndPay(weth, eth, halves([v2dai], [v3, stable]), dai, [weth, usdc]),
)
const one = [pathOf(weth, eth, [v3], false)]
await measure(
  'native in: wrap, v3, paid',
  native(eth, [wrapCall(router, weth, eth), swapped(weth, one), pay(usdc), ...sweep(weth)]),
)
const back = [pathOf(usdc, 3000_000000n, [v3], false)]
await measure(
  'native out: v3, unwrap, paid',
  pullAnd(usdc, 3000_000000n, [
    swapped(usdc, back),
    unwrapCall(router, weth),
    pay(nativeAddress),
    ...sweep(usdc),
  ]),
)
const share = eth / 100n
const rest = [pathOf(weth, eth - share, [v3], false)]
const fee = () => ({ recipient: freshAccount(), amount: share })
await measure(
  'v3 with an app fee, ERC-20',
  pullAnd(weth, eth, [
    ...feeCalls(router, weth, [fee()]),
    swapped(weth, rest),
    pay(usdc),
    ...sweep(weth),
  ]),
)
await measure(
  'v3 with an app fee, native',
  native(eth, [
    ...feeCalls(router, nativeAddress, [fee()]),
    wrapCall(router, weth, eth - share),
    swapped(weth, rest),
    pay(usdc),
    ...sweep(weth),
  ]),
)
await measure(
  'v3, ending in a deposit of ERC-20',
  pullAnd(weth, eth, [swapped(weth, one), deposit(usdc), ...sweep(weth)]),
)
await measure(
  'v3, ending in a deposit of native',
  pullAnd(usdc, 3000_000000n, [
    swapped(usdc, back),
    unwrapCall(router, weth),
    deposit(nativeAddress),
    ...sweep(usdc),
  ]),
)
await measure(
  'v3 from native, ending in a deposit of ERC-20',
  native(eth, [wrapCall(router, weth, eth), swapped(weth, one), deposit(usdc), ...sweep(weth)]),
)
const transferTx = () => ({
  to: usdc,
  value: toAmount(0n),
  data: encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [freshAccount(), 5n],
  }),
})
const executed = (currency: Address) =>
  executeCall(router, {
    id,
    txs: [transferTx()],
    currency,
    minimum: 1n,
    returned: [usdc, weth],
    recipient: freshAccount(),
  })
await measure(
  'v3 with one tx (a transfer)',
  pullAnd(weth, eth, [swapped(weth, one), ...sweep(weth), executed(usdc)]),
)
const fill = (input: Address, netInput: bigint, payment: Partial<Fill['payment']>, route?: Route) =>
  fillCall({
    contracts: rig.deployed.contracts,
    solver: user,
    identity: user,
    orderId: id,
    deadline: 4_000_000_000n,
    conversion: {
      contracts: rig.deployed.contracts,
      wrappedNative: weth,
      input,
      output: evmAddress(route?.output ?? input),
      route,
      limitsOutput: false,
    },
    netInput,
    payment: { recipient: freshAccount(), minimum: 1n, txs: [], ...payment },
    topup: 0n,
  })
await measure('fill: native', fill(nativeAddress, 5n, {}))
await measure('fill: ERC-20', fill(usdc, 5n, {}))
await measure('fill: ERC-20 with one tx (a transfer)', fill(usdc, 10n, { txs: [transferTx()] }))
const amounts = { amountIn: toAmount(eth), amountOut: toAmount(0n) }
const filled = { input: weth, output: usdc, ...amounts, paths: one }
await measure('fill: ERC-20, v3', fill(weth, eth, {}, filled))
await measurePancake(rig, measure, pathOf(weth, eth / 100n, [v3], false), (path) =>
  swapAndPay(weth, eth / 100n, [path], usdc, [weth]),
)
await measureSlipstream(rig, measure, pathOf(weth, eth / 100n, [v3], false), (path) =>
  swapAndPay(weth, eth / 100n, [path], usdc, [weth]),
)
await measureUniswapV4(
  { rig, measure, like: v3, ends: [weth, usdc] },
  (path, input, output) => swapAndPay(input, path.amountIn, [path], output, [input]),
  (path, isSale) => {
    const swap = swapped(isSale ? weth : usdc, [path], { isNativeIn: isSale, isNativeOut: !isSale })
    return isSale
      ? native(path.amountIn, [swap, pay(usdc), ...sweep(weth)])
      : pullAnd(usdc, path.amountIn, [swap, pay(nativeAddress), ...sweep(usdc)])
  },
)
await measureSolidly(rig, measure, [usdc, dai], (path) =>
  swapAndPay(usdc, path.amountIn, [path], dai, [usdc]),
)
await measure('router: ERC-20 in, deposit of it', pullAnd(usdc, 1_000n, [deposit(usdc)]))
await measurePermits(rig, measure, { currency: 'USDC', deposit: [inTime, deposit(usdc)] })
await measurePayouts(rig, measure, { native: nativeAddress, 'ERC-20': usdc })
await rig.stop()
