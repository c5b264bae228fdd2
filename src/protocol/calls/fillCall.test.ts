import { decodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { fillCall } from './fillCall.ts'

const [router, depository, proxy, solver, recipient, wrappedNative] = [...'123456'].map(
  account,
) as [Address, Address, Address, Address, Address, Address]

test('pays a top-up exactly: native currency that a swap leaves over stays with the solver', () => {
  const contracts = { router, depository, approvalProxy: proxy } as ProtocolContracts
  const conversion = { contracts, wrappedNative, input: nativeAddress, output: wrappedNative }
  const { data, value } = fillCall({
    contracts,
    solver,
    identity: solver,
    deadline: 1n,
    netInput: 100n,
    topup: 7n,
    orderId: `0x${'11'.repeat(32)}`,
    conversion: { ...conversion, route: undefined, limitsOutput: true },
    payment: { recipient, minimum: 1n, txs: [] },
  })
  expect(value).toBe(107n)
  const { args } = decodeFunctionData({ abi: approvalProxy.abi, data })
  const calls = args?.[3] as readonly { callData: `0x${string}` }[]
  const decoded = calls.map(({ callData }) =>
    decodeFunctionData({ abi: routerArtifact.abi, data: callData }),
  )
  expect(decoded.map(({ functionName }) => functionName)).toEqual(['wrap', 'pay', 'cleanupNative'])
  expect(decoded.at(-1)?.args).toEqual([7n, recipient])
})
