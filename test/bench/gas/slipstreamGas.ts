import { readFileSync } from 'node:fs'
import {
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  parseAbi,
  parseAbiParameters,
  parseEventLogs,
} from 'viem'
import type { Pool } from '#src/core/pools/pool.ts'
import type { Path } from '#src/core/router/route.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ContractRig, Transaction } from '#test/contracts/contractRig.ts'
import { slipstreamPools } from '#test/support/artifacts/slipstreamPools.ts'
import type { MeasureGas } from './measureGas.ts'

const { abi } = slipstreamPools
const codeOf = (name: string): Hex =>
  readFileSync(new URL(`../../support/bytecode/${name}.hex`, import.meta.url), 'utf8').trim() as Hex
const poolCode = codeOf('slipstreamPool')
/**
 * The creation code of Aerodrome's DynamicSwapFeeModule, which is under the GPL, version 2 or later.
 * @source as the code of the pool: see startSlipstreamPools
 */
const moduleCode = codeOf('slipstreamFeeModule')

const poolAbi = parseAbi(['function increaseObservationCardinalityNext(uint16)'])

/** Observations that a pool keeps. Twice as many add one step to the search of the fee module. */
const observations = 1024
/** Longer than the 600 seconds of observations that the fee module reads. */
const seconds = 700

/** Measures a hop like that of `path` through a pool of Slipstream: with a fee that is stored, and with one of the module. */
export async function measureSlipstream(
  rig: ContractRig,
  measure: MeasureGas,
  path: Path,
  transactionOf: (path: Path) => Transaction,
): Promise<void> {
  const { client, send } = rig
  const [hop] = path.hops
  if (hop?.pool.kind !== 'concentrated') throw new Error('The path has no concentrated pool')
  const { pool, zeroForOne } = hop
  const factory = await deploy(rig, encodeDeployData(slipstreamPools))
  const call = (functionName: string, args: readonly unknown[]) =>
    send({ to: factory, data: encodeFunctionData({ abi, functionName, args } as never) })
  for (const currency of [pool.currency0, pool.currency1]) {
    const args = [factory, (await rig.balance(currency, rig.user)) / 3n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await send({ to: currency, data })
  }
  const { currency0, currency1, fee, tickSpacing, sqrtPriceX96, tick, liquidity } = pool
  const { logs } = await call('create', [
    ...[poolCode, currency0, currency1, tickSpacing, fee, sqrtPriceX96],
  ])
  const [event] = parseEventLogs({ abi, logs, eventName: 'PoolCreated' })
  const address = toAddress((event?.args.pool ?? '0x').toLowerCase()) as Address
  const aligned = Math.floor(tick / tickSpacing) * tickSpacing
  const width = 100 * tickSpacing
  await call('mint', [address, aligned - width, aligned + width, liquidity / 1_000n])
  for (let slots = 256; slots <= observations; slots += 256)
    await send({
      to: address,
      data: encodeFunctionData({
        abi: poolAbi,
        functionName: 'increaseObservationCardinalityNext',
        args: [slots],
      }),
    })
  // A swap is observed if it moves the tick.
  for (let swaps = 1n; swaps <= 3n; swaps++) {
    await client.increaseTime({ seconds })
    const limit = (sqrtPriceX96 * (zeroForOne ? 1_000n - swaps : 1_000n + swaps)) / 1_000n
    await call('swap', [address, zeroForOne, 2n ** 120n, limit])
  }
  const slipstream: Pool = { ...pool, kind: 'slipstream', address }
  const transaction = transactionOf({ ...path, hops: [{ ...hop, pool: slipstream }] })
  await measure('Slipstream, 1 hop, little, stored fee', transaction)
  const settings = [factory, 10_000_000n, 50_000n, [], []] as const
  const module = await deploy(
    rig,
    concatHex([
      moduleCode,
      encodeAbiParameters(
        parseAbiParameters('address, uint256, uint256, address[], uint24[]'),
        settings,
      ),
    ]),
  )
  await call('setFeeModule', [module])
  await measure('Slipstream, 1 hop, little, fee of the module', transaction)
}

async function deploy({ client, user }: ContractRig, data: Hex): Promise<Address> {
  const hash = await client.sendTransaction({
    account: user,
    chain: null,
    data,
    gas: 25_000_000n,
  })
  await client.mine({ blocks: 1 })
  const { contractAddress } = await client.getTransactionReceipt({ hash })
  return toAddress((contractAddress ?? '0x').toLowerCase())
}
