import { concatHex, numberToHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'

const [ethereum, rollup] = [990001, 990002] as const

/** Contracts on the origin chain, and accounts that delegate to one of them. */
const closed = numberToHex(0xc105ed, { size: 20 })
const delegated = numberToHex(0xde1e6a7ed, { size: 20 })
const greedy = numberToHex(0x6eed7, { size: 20 })
const safe = numberToHex(0x5afe, { size: 20 })
const plain = numberToHex(0xacc0, { size: 20 })
const codes = {
  [closed]: '0x5f5ffd',
  [delegated]: concatHex(['0xef0100', closed]),
  // Loops 20,000 times: more gas than the depository gives to a payment.
  [greedy]: '0x614e205b600190038060035700',
  // Returns without a word.
  [safe]: '0x00',
} as const

let stack: Stack
beforeAll(async () => {
  stack = await startStack()
  for (const [address, bytecode] of Object.entries(codes))
    for (const { rpcUrl } of stack.devnet.description.chains.slice(0, 1))
      await createAnvilClient(rpcUrl).setCode({ address: address as `0x${string}`, bytecode })
})
afterAll(() => stack.stop())

async function refusalOf(change: object, path = '/quote/v2') {
  const response = await fetch(`${stack.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      user: plain,
      originChainId: ethereum,
      originCurrency: stack.currencyOn(ethereum, 'ETH'),
      destinationChainId: rollup,
      destinationCurrency: stack.currencyOn(rollup, 'USDC'),
      amount: '1000000000000000000',
      tradeType: 'EXACT_INPUT',
      ...change,
    }),
  })
  const { errorCode, message } = (await response.json()) as Record<string, string>
  return [errorCode, message?.split(':')[0]]
}

const quoted = [undefined, undefined]

it.each([closed, delegated, greedy])(
  'refuses a refund of native currency to %s: "refund" without a wei for anybody',
  async (payee) => {
    const refused = (field: string) => ['INVALID_RECIPIENT', field]
    expect(await refusalOf({ refundTo: payee })).toEqual(refused('refundTo'))
    expect(await refusalOf({ recipient: payee })).toEqual(refused('refundTo'))
    expect(await refusalOf({ user: payee })).toEqual(refused('refundTo'))
    const appFees = [
      { recipient: plain, fee: '10' },
      { recipient: payee, fee: '10' },
    ]
    expect(await refusalOf({ appFees })).toEqual(refused('appFees.1.recipient'))
    const own = { chainId: ethereum, amount: '1000000000000000000' }
    const origins = [
      { ...own, currency: stack.currencyOn(ethereum, 'ETH'), user: payee },
      { ...own, currency: stack.currencyOn(ethereum, 'DAI') },
    ]
    const multi = {
      origins,
      tradeType: 'EXACT_INPUT',
      amount: undefined,
      originChainId: undefined,
      originCurrency: undefined,
    }
    expect(await refusalOf(multi, '/execute/swap/multi-input')).toEqual(refused('origins.0.user'))
  },
)

it('has accounts with code deposit through the depository: their plain transfers were never credited', async () => {
  const stepTo = async (user: string, option: object) => {
    const response = await fetch(`${stack.url}/quote/v2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        user,
        originChainId: ethereum,
        originCurrency: stack.currencyOn(ethereum, 'USDC'),
        destinationChainId: rollup,
        destinationCurrency: stack.currencyOn(rollup, 'USDC'),
        amount: '100000000',
        tradeType: 'EXACT_INPUT',
        ...option,
      }),
    })
    const { steps } = (await response.json()) as { steps: { items: { data: { to: string } }[] }[] }
    return steps.at(-1)?.items[0]?.data.to
  }
  const { depository } = stack.contractsOn(ethereum)
  for (const option of [{ explicitDeposit: false }, { useReceiver: false }]) {
    for (const user of [safe, delegated]) expect(await stepTo(user, option)).toBe(depository)
    expect(await stepTo(plain, option)).toBe(stack.currencyOn(ethereum, 'USDC'))
  }
})

it('accepts refunds to wallets, and refunds of an ERC-20 to any of them', async () => {
  expect(await refusalOf({ refundTo: safe })).toEqual(quoted)
  expect(await refusalOf({ refundTo: plain })).toEqual(quoted)
  const dollars = { originCurrency: stack.currencyOn(ethereum, 'USDC'), amount: '100000000' }
  for (const refundTo of [closed, delegated, greedy])
    expect(await refusalOf({ ...dollars, refundTo })).toEqual(quoted)
})
