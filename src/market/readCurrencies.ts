import { encodeFunctionData, erc20Abi, type Hash, type Hex } from 'viem'
import type { ChainClient } from '#src/chains/chainClient.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { decodeDecimals, decodeText } from './currencyText.ts'
import { type Read, readAll } from './readAll.ts'

const decimalsCall = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
const symbolCall = encodeFunctionData({ abi: erc20Abi, functionName: 'symbol' })
const nameCall = encodeFunctionData({ abi: erc20Abi, functionName: 'name' })

/**
 * What was found at an address: `absent` where nothing answers as a currency does, `unclear` where
 * the call failed, be it by the contract or because another one in the same multicall ate up its gas.
 */
export type CurrencyReading = Currency | 'absent' | 'unclear'

/**
 * ERC-20 metadata at one block, an answer for each address in its place, by one multicall for up to 125 of them.
 * Decimals are asked for twice: a contract that does not say the same both times is no currency.
 * A symbol that cannot be read is replaced by the shortened address, a name by the symbol.
 * @throws RpcUnavailableError or RpcRefusedError when the node fails.
 */
export async function readCurrencies(
  client: ChainClient,
  chainId: ChainId,
  addresses: readonly Address[],
  blockHash: Hash,
): Promise<readonly CurrencyReading[]> {
  const ask = (data: Hex) => addresses.map((to): Read<Hex> => ({ to, data, decode: keep }))
  const { decimals, symbols, names, again } = await readAll(
    client,
    {
      decimals: ask(decimalsCall),
      symbols: ask(symbolCall),
      names: ask(nameCall),
      again: ask(decimalsCall),
    },
    blockHash,
  )
  return addresses.map((address, at) => {
    const told = decimals[at]
    if (told === undefined || again[at] === undefined) return 'unclear'
    const places = decodeDecimals(told)
    if (places === undefined || told !== again[at]) return 'absent'
    const symbol = decodeText(symbols[at] ?? '0x', 32) ?? shorten(address)
    const name = decodeText(names[at] ?? '0x', 64) ?? symbol
    const metadata = { verified: false, isNative: false }
    return { chainId, address, symbol, name, decimals: places, metadata }
  })
}

const keep = (answer: Hex): Hex => answer

const shorten = (address: Address): string => `${address.slice(0, 6)}…${address.slice(-4)}`
