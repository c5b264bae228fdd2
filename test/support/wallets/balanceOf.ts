import { type Address, erc20Abi, type Hex, type PublicClient, zeroAddress } from 'viem'

/** What an account of an EVM chain holds of a currency. The zero address is the native currency. */
export const balanceOf = (
  client: Pick<PublicClient, 'getBalance' | 'readContract'>,
  currency: string,
  holder: string,
): Promise<bigint> =>
  currency === zeroAddress
    ? client.getBalance({ address: holder as Hex })
    : client.readContract({
        address: currency as Address,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder as Hex],
      })
