import { expect, it } from 'vitest'
import { type Provider, sendTransaction } from './provider.js'

it('sends a transaction at its own fees, with a fifth more gas than the node estimates', async () => {
  const calls: Parameters<Provider['request']>[0][] = []
  const provider: Provider = {
    request: async (call) => {
      calls.push(call)
      return call.method === 'eth_estimateGas' ? '0x2faf9' : '0xhash'
    },
  }
  const hash = await sendTransaction(provider, {
    from: '0x01',
    to: '0x02',
    data: '0x03',
    value: '17',
    chainId: 990001,
    maxFeePerGas: '3000',
    maxPriorityFeePerGas: '7',
  })
  expect(hash).toBe('0xhash')
  const unlimited = {
    from: '0x01',
    to: '0x02',
    data: '0x03',
    value: '0x11',
    chainId: '0xf1b31',
    maxFeePerGas: '0xbb8',
    maxPriorityFeePerGas: '0x7',
  }
  expect(calls).toEqual([
    { method: 'eth_estimateGas', params: [unlimited] },
    // 195,321 and 39,064 more.
    { method: 'eth_sendTransaction', params: [{ ...unlimited, gas: '0x39391' }] },
  ])
})

it('asks for no more gas than a transaction may use', async () => {
  const limits: unknown[] = []
  const provider: Provider = {
    request: async ({ method, params }) => {
      if (method === 'eth_estimateGas') return '0xf42400'
      limits.push(params?.[0])
      return '0xhash'
    },
  }
  const fees = { maxFeePerGas: '3000', maxPriorityFeePerGas: '7' }
  const call = { from: '0x01', to: '0x02', data: '0x03', value: '0', chainId: 990001 } as const
  await sendTransaction(provider, { ...call, ...fees })
  expect(limits).toMatchObject([{ gas: '0x1000000' }])
})
