import { createWalletClient, custom, type EIP1193RequestFn, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Permit, SignedRun } from '#src/protocol/permit.ts'
import { toWalletTypedData, typedDataOf } from './typedData.ts'

const addressOf = (digit: string) => toAddress(`0x${digit.repeat(40)}`)
const signer = privateKeyToAccount(`0x${'1'.repeat(64)}`)

/** Above 2^53, so that a number in the JSON would not be exact. */
const amount = 2n ** 200n + 1n
const payment = {
  chainId: toChainId(990001),
  currency: addressOf('1'),
  payer: toAddress(signer.address),
  amount,
}
const run: SignedRun = {
  relayer: addressOf('2'),
  approvalProxy: addressOf('3'),
  calls: [{ target: addressOf('4'), allowFailure: false, value: 0n, callData: '0x1234' }],
  refundTo: addressOf('5'),
  nftRecipient: addressOf('6'),
  metadata: `0x${'ab'.repeat(32)}`,
}
const domain = { name: 'USD Coin', version: '2' }
const permits: readonly Permit[] = [
  { ...payment, kind: 'eip3009', domain, validBefore: 2_000_000_000, run },
  { ...payment, kind: 'permit2', nonce: amount, deadline: 2_000_000_000, run },
  { ...payment, kind: 'eip2612', domain, nonce: 7n, deadline: 2_000_000_000 },
]

/** A wallet that signs only JSON with the type of the domain, as browser wallets do. */
const received: string[] = []
const request = (async ({ method, params }: { method: string; params: [string, string] }) => {
  if (method !== 'eth_signTypedData_v4') throw new Error(`The wallet does not know ${method}`)
  received.push(params[1])
  const data = JSON.parse(params[1])
  const named = data.types.EIP712Domain.map(({ name }: { name: string }) => name)
  expect(named).toEqual(Object.keys(data.domain))
  return signer.signTypedData(data)
}) as EIP1193RequestFn
const wallet = createWalletClient({ account: signer.address, transport: custom({ request }) })

it.each(permits)('makes one JSON that a wallet signs as viem does: $kind', async (permit) => {
  const { value, ...parts } = typedDataOf(permit)
  const text = JSON.stringify(toWalletTypedData({ ...parts, value }))
  const signature = await request({
    method: 'eth_signTypedData_v4',
    params: [signer.address, text],
  } as never)
  const inParts = { ...parts, message: value } as unknown as TypedDataDefinition
  expect(signature).toBe(await signer.signTypedData(inParts))
  expect(signature).toBe(await wallet.signTypedData(inParts))
  // What viem itself sends to a wallet.
  expect(JSON.parse(text)).toEqual(JSON.parse(received.at(-1) ?? ''))
  expect(typeof JSON.parse(text).domain.chainId).toBe('number')
  expect(text).toContain(`"${amount}"`)
})
