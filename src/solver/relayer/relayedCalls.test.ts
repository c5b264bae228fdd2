import { expect, it } from 'vitest'
import { RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import type { RelayedCall } from '#src/requests/relayedCall.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { UnsentTransaction } from '#src/solver/sending/outbox.ts'
import { account, destinationChain, market } from '#test/support/fixtures/markets.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createRelayedCalls } from './relayedCalls.ts'

const callTo = (digit: string) =>
  ({
    callId: digit,
    requestId: `0x${digit.repeat(64)}`,
    chainId: destinationChain,
    call: { to: account(digit), data: '0x' },
    gas: 100_000n,
    maxCost: 10n ** 20n,
    status: 'queued',
    createdAt: 0,
  }) as unknown as RelayedCall

it('a call that no node simulates delays no other call', async () => {
  const sent: string[] = []
  const run = createRelayedCalls(
    {
      client: {
        ask: async ({ params }: { params: readonly [{ to: string }] }) => {
          if (params[0].to === account('1'))
            throw new RpcUnavailableError({ id: destinationChain, displayName: 'Rollup' })
          return 50_000n
        },
      } as never,
      store: {
        dueRelayedCalls: async () => [callTo('1'), callTo('2')],
        save: async () => 'saved',
      } as never,
      market: { latest: () => market.chains.get(destinationChain) } as never,
      log: silentLog,
      now: () => 1_000,
    },
    { chain: { id: destinationChain }, solver: account('9') } as never,
    {
      send: async ({ call }: UnsentTransaction) => {
        sent.push(call.to)
        return 'saved'
      },
    },
    { readRoles: async () => [] },
  )
  await run({ open: [] } as unknown as ChainView)
  expect(sent).toEqual([account('2')])
})
