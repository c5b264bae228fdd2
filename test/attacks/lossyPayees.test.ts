import { numberToHex, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { type AnvilClient, createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'

const [ethereum, rollup] = [990001, 990002] as const
const anything = `0x${'7'.repeat(40)}` as const

/** Code that accepts every call and answers nothing, as the proxies of wallets do. */
const stop = '0x00'

let stack: Stack
/** A token contract that the gateway has never read, and a contract wallet, on both chains. */
const unlisted = numberToHex(0x99_0001, { size: 20 })
const wallet = numberToHex(0x99_0002, { size: 20 })
beforeAll(async () => {
  stack = await startStack()
  for (const chainId of [ethereum, rollup]) {
    const anvil = clientOn(chainId)
    const code = await anvil.getCode({ address: currencyOn(chainId, 'DAI') })
    await anvil.setCode({ address: unlisted, bytecode: code ?? '0x' })
    await anvil.setCode({ address: wallet, bytecode: stop })
  }
})
afterAll(() => stack.stop())

const chainOf = (chainId: number) => {
  const chain = stack.devnet.description.chains.find(({ id }) => id === chainId)
  if (chain === undefined) throw new Error(`The devnet has no chain ${chainId}`)
  return chain
}
const clientOn = (chainId: number): AnvilClient => createAnvilClient(chainOf(chainId).rpcUrl)
const currencyOn = (chainId: number, symbol: string) =>
  stack.currencyOn(chainId, symbol) as `0x${string}`

const pairOn = (chainId: number) =>
  clientOn(chainId).readContract({
    address: chainOf(chainId).contracts.uniswapV2Factory,
    abi: parseAbi(['function getPair(address, address) view returns (address)']),
    functionName: 'getPair',
    args: [currencyOn(chainId, 'WETH'), currencyOn(chainId, 'USDC')],
  })

/** Contracts that lose an ERC-20 for good, or to the first taker. */
const payees: Readonly<Record<string, (chainId: number) => string | Promise<string>>> = {
  'a pool of the market': pairOn,
  'a configured factory': (chainId) => chainOf(chainId).contracts.uniswapV3Factory,
  'the Uniswap router': (chainId) => chainOf(chainId).contracts.uniswapV3SwapRouter,
  Multicall3: (chainId) => chainOf(chainId).contracts.multicall3,
  Permit2: () => permit2Address,
  'a token on no list': () => unlisted,
  'the depository': (chainId) => stack.contractsOn(chainId).depository,
  'a precompile': () => numberToHex(4, { size: 20 }),
}

async function quote(change: object, path = '/quote/v2') {
  const response = await fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      user: users[0].address,
      originChainId: ethereum,
      originCurrency: currencyOn(ethereum, 'USDC'),
      destinationChainId: rollup,
      destinationCurrency: currencyOn(rollup, 'USDC'),
      amount: '100000000',
      tradeType: 'EXACT_INPUT',
      ...change,
    }),
  })
  return (await response.json()) as { errorCode?: string; message?: string }
}

const refusalOf = async (change: object, path?: string) => {
  const { errorCode, message } = await quote(change, path)
  return [errorCode, message]
}
const refused = (field: string) => ['INVALID_RECIPIENT', expect.stringContaining(`${field}: `)]

describe.each(Object.entries(payees))('refuses %s', (_, payeeOn) => {
  it('as recipient: 2,999 USDC paid into a pair went to the first taker', async () => {
    const [origin, destination] = [await payeeOn(ethereum), await payeeOn(rollup)]
    expect(await refusalOf({ recipient: destination })).toEqual(refused('recipient'))
    const sameChain = {
      destinationChainId: ethereum,
      destinationCurrency: currencyOn(ethereum, 'DAI'),
      recipient: origin,
    }
    expect(await refusalOf(sameChain)).toEqual(refused('recipient'))
  })

  it('as refundTo, as recipient of an app fee, and as depositor of an address', async () => {
    const payee = await payeeOn(ethereum)
    expect(await refusalOf({ refundTo: payee })).toEqual(refused('refundTo'))
    const appFees = [
      { recipient: anything, fee: '10' },
      { recipient: payee, fee: '10' },
    ]
    expect(await refusalOf({ appFees })).toEqual(refused('appFees.1.recipient'))
    const elsewhere = [{ recipient: await payeeOn(rollup), fee: '10' }]
    expect(await refusalOf({ appFees: elsewhere })).toEqual(refused('appFees.0.recipient'))
    const address = {
      useDepositAddress: true,
      strict: true,
      refundTo: anything,
      recipient: anything,
    }
    expect(await refusalOf({ ...address, user: payee })).toEqual(refused('user'))
  })

  it('in every input of a multi-input quote', async () => {
    const payee = await payeeOn(ethereum)
    const origins = [
      { chainId: rollup, currency: currencyOn(rollup, 'DAI'), amount: '100000000000000000000' },
      {
        chainId: ethereum,
        currency: currencyOn(ethereum, 'USDC'),
        amount: '100000000',
        user: payee,
      },
    ]
    const change = {
      origins,
      tradeType: 'EXACT_INPUT',
      originChainId: undefined,
      originCurrency: undefined,
      amount: undefined,
    }
    expect(await refusalOf(change, '/execute/swap/multi-input')).toEqual(refused('origins.1.user'))
  })
})

it('accepts contract wallets and accounts without code', async () => {
  const appFees = [{ recipient: wallet, fee: '10' }]
  for (const payee of [wallet, anything])
    expect(await refusalOf({ recipient: payee, refundTo: payee, appFees })).toEqual([
      undefined,
      undefined,
    ])
})
