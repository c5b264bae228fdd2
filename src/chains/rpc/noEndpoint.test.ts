import { expect, test } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { createChainClient } from './chainClient.ts'

test('a chain without endpoints answers each request at once with a code and its name', async () => {
  const { log, lines } = recordLog()
  const client = createChainClient(
    {
      id: 1 as never,
      displayName: 'Ethereum',
      rpcUrls: [],
      wsUrl: undefined,
      nativeCurrency: { symbol: 'ETH', name: 'Ether', decimals: 18 },
      multicall3: toAddress('0xca11bde05977b3631167028862be2a173976ca11'),
    },
    log,
  )
  const refusal = {
    code: 'RPC_HTTP_ERROR',
    message: 'This service has no RPC endpoint of Ethereum, which it would have to ask.',
  }
  const latest = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  await expect(client.ask(latest, (answer) => answer)).rejects.toMatchObject(refusal)
  await expect(client.getBlockNumber()).rejects.toMatchObject(refusal)
  expect(client.endpoints).toEqual([])
  expect([...client.requests()]).toEqual([])
  expect(lines).toEqual([])
  client.close()
})
