import { encodeFunctionData, erc20Abi, type Hash, hexToBigInt, multicall3Abi } from 'viem'
import { callContracts } from '#src/chains/read/callContracts.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { isNative } from '#src/core/units/currency.ts'

export type Balance = Readonly<{ currency: Address; amount: Amount }>

/**
 * The balances of each account in its currencies at a block, without balances of 0 and currencies that do not answer.
 * 500 balances take one RPC call.
 * @throws what `callContracts` throws
 */
export async function readBalances(
  client: ChainClient,
  accounts: readonly Readonly<{ address: Address; currencies: readonly Address[] }>[],
  blockHash: Hash,
): Promise<readonly (readonly Balance[])[]> {
  const multicall3 = toAddress(client.chain.contracts.multicall3.address)
  const calls = accounts.flatMap(({ address, currencies }) =>
    currencies.map((currency) => balanceCall(multicall3, currency, address)),
  )
  const answers = (await callContracts(client, calls, blockHash)).values()
  return accounts.map(({ currencies }) =>
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
