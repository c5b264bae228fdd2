import { encodeFunctionData, encodeFunctionResult, type Hex } from 'viem'
import { aggregatorV3Abi as abi } from '#src/protocol/contracts/abis.ts'

/** The answers of an aggregator with eight decimals, by calldata. @param at time of its round in seconds since 1970 */
export const feedAnswers = (price: bigint, at = 1_700_000_000n): ReadonlyMap<Hex, Hex> =>
  new Map([
    [
      encodeFunctionData({ abi, functionName: 'decimals' }),
      encodeFunctionResult({ abi, functionName: 'decimals', result: 8 }),
    ],
    [
      encodeFunctionData({ abi, functionName: 'latestRoundData' }),
      encodeFunctionResult({
        abi,
        functionName: 'latestRoundData',
        result: [1n, price, at, at, 1n],
      }),
    ],
  ])
