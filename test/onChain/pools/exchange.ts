import fc from 'fast-check'
import { encodeDeployData, encodeFunctionData, erc20Abi, maxUint256, parseEther } from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { standardCurrency } from '#src/devnet/artifacts/standardCurrency.ts'
import { type AnvilClient, createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import {
  createTransactionQueue,
  type TransactionQueue,
} from '#src/devnet/chain/transactionQueue.ts'
import {
  deployUniswapV2,
  deployUniswapV3,
  type UniswapV2,
  type UniswapV3,
} from '#src/devnet/deployment/deployUniswap.ts'
import { publishedCode } from '#src/devnet/deployment/publishedCode.ts'
import { startBareChain } from '#test/support/chains/deployedChain.ts'

/** The first of anvil’s unlocked accounts. */
const trader = toAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')

/** A chain with both Uniswaps and without pools. It mines when the queue is flushed. */
export type Exchange = Readonly<{
  rpcUrl: string
  chainId: ChainId
  client: AnvilClient
  /** An account with ample balances of every currency and allowances to the routers. */
  queue: TransactionQueue
  /** Sorted by address. */
  currencies: readonly Address[]
  /** Raw units in a whole one. */
  unitOf: (currency: Address) => bigint
  wrappedNative: Address
  uniswapV2: UniswapV2
  uniswapV3: UniswapV3
  stop: () => Promise<void>
}>

/** @param currencyDecimals of each currency */
export async function startExchange(currencyDecimals: readonly number[]): Promise<Exchange> {
  const chainId = toChainId(990009)
  const anvil = await startBareChain(chainId)
  const client = createAnvilClient(anvil.rpcUrl)
  await client.setBalance({ address: trader, value: parseEther('1000000') })
  const queue = createTransactionQueue(client, trader)
  const units = new Map(
    currencyDecimals.map((decimals, at) => [
      deployCurrency(queue, `C${at}`, decimals),
      10n ** BigInt(decimals),
    ]),
  )
  const currencies = [...units.keys()]
  const wrappedNative = queue.deploy(publishedCode('wrappedNative', []))
  const uniswapV2 = deployUniswapV2(queue, wrappedNative)
  const uniswapV3 = deployUniswapV3(queue, wrappedNative)
  for (const currency of currencies)
    for (const spender of [
      uniswapV2.uniswapV2Router02,
      uniswapV3.nonfungiblePositionManager,
      uniswapV3.uniswapV3SwapRouter,
    ]) {
      const args = [spender, maxUint256] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
      queue.send({ to: currency, data })
    }
  await queue.flush()
  return {
    rpcUrl: anvil.rpcUrl,
    chainId,
    client,
    queue,
    currencies: currencies.sort(),
    unitOf: (currency) => units.get(currency) ?? 10n ** 18n,
    wrappedNative,
    uniswapV2,
    uniswapV3,
    stop: anvil.stop,
  }
}

const deployCurrency = (queue: TransactionQueue, symbol: string, decimals: number): Address =>
  queue.deploy(
    encodeDeployData({
      ...standardCurrency,
      args: [symbol, symbol, decimals, [{ holder: queue.account, amount: 1n << 250n }]],
    }),
  )

/** Every pair of the currencies. */
export const pairsOf = (currencies: readonly Address[]): readonly (readonly [Address, Address])[] =>
  currencies.flatMap((one, i) => currencies.slice(i + 1).map((other) => [one, other] as const))

/** The tick at which a pool of two currencies starts. */
export type StartTick = (pair: readonly [Address, Address], seed: number) => number

export const anyTick: StartTick = (_, seed) => sampled({ min: -60_000, max: 60_000 }, seed)

/** Up to half a percent from the tick at which whole units of both currencies are worth the same. */
export const nearParity =
  ({ unitOf }: Exchange): StartTick =>
  ([currency0, currency1], seed) => {
    const parity = Math.log(Number(unitOf(currency1)) / Number(unitOf(currency0)))
    return Math.round(parity / Math.log(1.0001)) + sampled({ min: -50, max: 50 }, seed)
  }

const sampled = (range: Readonly<{ min: number; max: number }>, seed: number): number =>
  fc.sample(fc.integer(range), { numRuns: 1, seed })[0] ?? 0

/** The result of a call, or undefined if it reverts. */
export const unlessReverted = <Result>(call: Promise<Result>): Promise<Result | undefined> =>
  call.catch((error: unknown) => {
    if (error instanceof Error && /revert/i.test(error.message)) return undefined
    throw error
  })
