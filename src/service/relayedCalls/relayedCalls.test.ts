import { expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { ExecuteInput } from '#src/service/input/executeInput.ts'
import { type ExecuteDeps, execute } from './relayedCalls.ts'

const address = toAddress(`0x${'11'.repeat(20)}`)
const chain = { id: toChainId(1), name: 'ethereum', displayName: 'Ethereum', contracts: {} }
const relayer = { address: toAddress(`0x${'22'.repeat(20)}`), gasBudgetUsd: 1n, maxGas: 500_000 }
const client = { apiKey: 'app-key-0123456789', network: '127.0.0.1' }
const input: ExecuteInput = {
  chainId: chain.id,
  to: address,
  data: '0x',
  value: toAmount(0n),
  subsidizeFees: true,
}

/** Reads no store, no market and no node: a call that gets that far fails in another way. */
const executeWith = (config: object, budgets: object | undefined) =>
  execute(
    {
      config: { chains: [chain], solver: { address }, relayer, ...config },
      requests: {},
      market: {},
      budgets,
      now: () => 0,
      randomHash: () => '0x1',
      identify: () => ({ name: 'app', sponsors: true }),
    } as unknown as ExecuteDeps,
    input,
    client,
  )

it('says that there is no relayer, in words that a frontend can act on', async () => {
  await expect(executeWith({ relayer: undefined }, undefined)).rejects.toMatchObject({
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    message:
      'This service has no relayer, which would send the call. Send the transactions from the user’s wallet.',
  })
})

it('says so for a chain on which the solver pays out nothing', async () => {
  const chains = [{ ...chain, contracts: undefined }]
  await expect(executeWith({ chains }, {})).rejects.toMatchObject({
    code: 'UNSUPPORTED_EXECUTION_TYPE',
    message:
      'On chain 1 this service has no relayer, which would send the call. Send the transactions from the user’s wallet.',
  })
})

it('refuses a disabled chain, and its own address as target', async () => {
  const chains = [{ ...chain, disabled: true }]
  await expect(executeWith({ chains }, {})).rejects.toMatchObject({ code: 'CHAIN_DISABLED' })
  const itself = { ...relayer, address }
  await expect(executeWith({ relayer: itself }, {})).rejects.toThrow('to: must not be the relayer')
})
