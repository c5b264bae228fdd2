import { encodeFunctionData, parseGwei } from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { gasPriceOracle } from '#src/devnet/artifacts/gasPriceOracle.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilClient.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import { gasPriceOracleAddress } from '#src/protocol/contracts/abis.ts'
import { permit2Address } from '#src/protocol/contracts/permit2.ts'
import { multicall3Code, permit2Code } from './publishedCode.ts'

/** The address of Multicall3 on every chain: https://www.multicall3.com */
const multicall3 = toAddress('0xca11bde05977b3631167028862be2a173976ca11')

export async function placeMulticall3(client: AnvilClient): Promise<Address> {
  // A call without a recipient runs creation code and returns the code of the created contract.
  const { data: bytecode } = await client.call({ data: multicall3Code() })
  if (bytecode === undefined) throw new Error('Multicall3 left no code')
  await client.setCode({ address: multicall3, bytecode })
  return multicall3
}

export const placePermit2 = (client: AnvilClient): Promise<void> =>
  client.setCode({ address: permit2Address, bytecode: permit2Code() })

/** Places the OP stack's predeploy and queues its prices, which are typical of a quiet day on Ethereum. */
export async function placeGasPriceOracle(
  client: AnvilClient,
  queue: TransactionQueue,
): Promise<Address> {
  const address = toAddress(gasPriceOracleAddress)
  const { abi, deployedBytecode: bytecode } = gasPriceOracle
  await client.setCode({ address, bytecode })
  const args = [parseGwei('8'), parseGwei('1'), ...scalars] as const
  queue.send({ to: address, data: encodeFunctionData({ abi, functionName: 'set', args }) })
  return address
}

/** Scalars of Base's SystemConfig, six decimals: for the parent chain's calldata and its blobs. */
const scalars = [2269, 1_055_762] as const
