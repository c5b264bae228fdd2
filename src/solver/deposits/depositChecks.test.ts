import { encodeAbiParameters, encodeEventTopics, type Hex, numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import type { MinedDeposit } from '#src/requests/state/deposit.ts'
import { contracts } from '#test/support/arbitraries/executionArbitrary.ts'
import { hashOf } from '#test/support/fixtures/observedTransactions.ts'
import { depositFor, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { createDepositChecks } from './depositChecks.ts'

const price = attempt(example())
if (price instanceof Error) throw price
const request = requestOf(price)
const chainId = request.originChainId
const deposit = depositFor(request, {
  depositId: `${chainId}:${hashOf(100)}`,
  block: { number: 5n, hash: hashOf(5) },
  currency: toAddress(`0x${'00'.repeat(20)}`),
  record: { index: 0, exitTime: 1_000_000 },
}) as MinedDeposit
const { abi } = depository

const logOf = (topics: readonly unknown[], data: Hex, at: number) => ({
  address: contracts.depository,
  topics,
  data,
  blockNumber: '0x5',
  blockHash: hashOf(5),
  transactionHash: deposit.txHash,
  logIndex: numberToHex(at),
  transactionIndex: '0x0',
})

const receipt = {
  transactionHash: deposit.txHash,
  from: deposit.depositor,
  blockNumber: '0x5',
  blockHash: hashOf(5),
  status: '0x1',
  gasUsed: '0x1',
  logs: [
    logOf(
      encodeEventTopics({ abi, eventName: 'RelayNativeDeposit' }),
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes32' }],
        [deposit.depositor as Hex, deposit.amount, deposit.orderId],
      ),
      0,
    ),
    logOf(
      encodeEventTopics({
        abi,
        eventName: 'DepositRecorded',
        args: { depositId: hashOf(100) },
      }),
      encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [0n, 1_000_000n]),
      1,
    ),
  ],
}

/** The vote of an endpoint whose depository owes `owed` of the deposit. */
function voteOf(owed: bigint | 'garbage', mustBeOwed: boolean) {
  const record =
    owed === 'garbage'
      ? '0x'
      : encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [owed, 1_000_000n])
  const answers: Readonly<Record<string, unknown>> = {
    eth_getBlockByNumber: {
      number: '0x64',
      hash: hashOf(64),
      parentHash: hashOf(63),
      timestamp: '0x1',
      baseFeePerGas: '0x1',
      gasLimit: '0x1',
      gasUsed: '0x1',
    },
    eth_getTransactionReceipt: receipt,
    eth_call: record,
  }
  const client = {
    endpoints: [],
    ask: async ({ method }: { method: string }, read: (answer: unknown) => unknown) =>
      read(answers[method]),
  }
  const chain = { id: chainId, contracts, wrappedNative: contracts.router, finalityDepth: 64 }
  const checks = createDepositChecks(
    { clients: new Map([[chainId, client]]) as never, log: silentLog },
    [chain as never],
  )
  return checks.verdict(deposit, 1, 1, mustBeOwed)
}

it('finds no deposit to fill that the depository has paid back, whatever the database forgot', async () => {
  expect(await voteOf(deposit.amount, true)).toBe('yes')
  expect(await voteOf(0n, true)).toBe('no')
  expect(await voteOf(deposit.amount - 1n, true)).toBe('no')
  // A settled deposit is on chain all the same.
  expect(await voteOf(0n, false)).toBe('yes')
  expect(await voteOf('garbage', true)).toBe('notYet')
})
