import { encodeFunctionData, erc20Abi, type Hash, hexToBigInt, multicall3Abi } from 'viem'
import { callContracts } from '#src/chains/read/callContracts.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Address, evmAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { Balance, SweepCandidate } from './sweepCandidates.ts'

/**
 * The balances of each address in its currencies at a block, without balances of 0 and currencies that do not answer.
 * 500 balances take one RPC call.
 * @throws what `callContracts` throws
 */
export async function readBalances(
  client: ChainClient,
  candidates: readonly SweepCandidate[],
  blockHash: Hash,
): Promise<readonly (readonly Balance[])[]> {
  const multicall3 = toAddress(client.chain.contracts.multicall3.address)
  const calls = candidates.flatMap(({ watched: { address }, currencies }) =>
    currencies.map((currency) =>
      balanceCall(multicall3, evmAddress(currency), evmAddress(address)),
    ),
  )
  const answers = (await callContracts(client, calls, blockHash)).values()
  return candidates.map(({ currencies }) =>
    currencies.flatMap((currency) => {
      const answer = answers.next().value
      const amount = answer?.length === 66 ? hexToBigInt(answer) : 0n
      return amount > 0n ? [{ currency, amount: toAmount(amount) }] : []
    }),
  )
}

const balanceCall = (multicall3: Address, currency: Address, account: Address) =>
  isNative(currency)
    ? {
        to: multicall3,
        data: encodeFunctionData({
          abi: multicall3Abi,
          functionName: 'getEthBalance',
          args: [account],
        }),
      }
    : {
        to: currency,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] }),
      }
