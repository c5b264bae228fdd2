import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { swapExactInput } from '#src/core/pools/pool.ts'
import type { SolidlyPool } from '#src/core/pools/solidly/swapSolidly.ts'
import type { Path } from '#src/core/router/route.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import { solidlyFactoryAbi } from '#src/protocol/contracts/abis.ts'
import type { ContractRig, Transaction } from '#test/contracts/contractRig.ts'
import {
  solidlyFactoryCode,
  solidlyPoolCode,
  solidlyTestAbi,
} from '#test/support/fixtures/solidlyCode.ts'
import type { MeasureGas } from './measureGas.ts'

const abi = [...solidlyTestAbi, ...solidlyFactoryAbi]
const decimalsAbi = parseAbi(['function decimals() view returns (uint8)'])

/** Measures a hop through a volatile and a stable pool of Aerodrome, of little and of much of its reserve. */
export async function measureSolidly(
  rig: ContractRig,
  measure: MeasureGas,
  [input, output]: readonly [Address, Address],
  transactionOf: (path: Path) => Transaction,
): Promise<void> {
  const factory = await deploy(rig, solidlyFactoryCode(await deploy(rig, solidlyPoolCode)))
  for (const stable of [false, true]) {
    const pool = await createPool(rig, factory, [input, output], stable)
    const zeroForOne = pool.currency0 === input
    // The first swap of a pool writes sums that were zero. Later ones do so every half hour, by an observation.
    for (let swaps = 0; swaps < 2; swaps++) {
      await rig.client.increaseTime({ seconds: 12 })
      await rig.send(transactionOf(pathOf(pool, zeroForOne, toAmount(10n ** 6n))))
    }
    const reserve = zeroForOne ? pool.reserve0 : pool.reserve1
    for (const [share, name] of [
      [10_000n, 'little'],
      [3n, 'much'],
    ] as const) {
      const path = pathOf(pool, zeroForOne, toAmount(reserve / share))
      await measure(`${stable ? 'stable' : 'volatile'}, 1 hop, ${name}`, transactionOf(path))
    }
  }
}

async function deploy({ client, user }: ContractRig, data: Hex): Promise<Address> {
  const hash = await client.sendTransaction({ account: user, chain: null, data, gas: 25_000_000n })
  await client.mine({ blocks: 1 })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  return toAddress((contractAddress ?? '0x').toLowerCase())
}

/** A pool with a thousand whole units of each currency. */
async function createPool(
  rig: ContractRig,
  factory: Address,
  pair: readonly [Address, Address],
  stable: boolean,
): Promise<SolidlyPool> {
  const { client, send, user } = rig
  const [currency0, currency1] = [...pair].sort() as [Address, Address]
  const call = (to: Address, functionName: string, args: readonly unknown[]) =>
    send({ to, data: encodeFunctionData({ abi, functionName, args } as never) })
  await call(factory, 'createPool', [currency0, currency1, stable])
  const args = [currency0, currency1, stable] as const
  const address = toAddress(
    await client.readContract({ address: factory, abi, functionName: 'getPool', args }),
  )
  const unitOf = async (currency: Address) =>
    10n **
    BigInt(
      await client.readContract({ address: currency, abi: decimalsAbi, functionName: 'decimals' }),
    )
  const [unit0, unit1] = [await unitOf(currency0), await unitOf(currency1)]
  const pay = (currency: Address, amount: bigint) => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [address, amount],
    })
    return send({ to: currency, data })
  }
  const [reserve0, reserve1] = [1_000n * unit0, 1_000n * unit1]
  await pay(currency0, reserve0)
  await pay(currency1, reserve1)
  await call(address, 'mint', [user])
  const state = { stable, unit0, unit1, reserve0, reserve1, isPaused: false }
  const fee = toPips(stable ? 500 : 3_000)
  const chainId = toChainId(rig.deployed.plan.id)
  const source = 'aerodrome'
  return { kind: 'solidly', chainId, address, source, currency0, currency1, fee, ...state }
}

function pathOf(pool: SolidlyPool, zeroForOne: boolean, amountIn: Amount): Path {
  const swapped = swapExactInput(pool, zeroForOne, amountIn)
  if (swapped === undefined) throw new Error('The pool does not take it')
  const { amountOut } = swapped
  const hop = { pool, zeroForOne, amountIn, amountOut, ticksCrossed: 0 }
  return { amountIn, amountOut: toAmount(0n), hops: [hop] }
}
