import {
  encodeFunctionData,
  type Hex,
  parseEventLogs,
  type TransactionReceipt,
  toFunctionSelector,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { type ContractRig, startContractRig } from './contractRig.ts'

const { abi } = depository
const id = `0x${'1d'.repeat(32)}` as const

let rig: ContractRig
beforeAll(async () => {
  rig = await startContractRig()
})
afterAll(() => rig?.stop())

const depositErc20 = (
  token: Address,
  amount: bigint,
  depositor: Address = nativeAddress,
): Readonly<{ to: Address; data: Hex }> => ({
  to: rig.depository,
  data: encodeFunctionData({
    abi,
    functionName: 'depositErc20',
    args: [depositor, token, amount, id],
  }),
})

const eventsOf = ({ logs }: TransactionReceipt) =>
  parseEventLogs({ abi, logs })
    .filter(({ address }) => address === rig.depository)
    .filter(({ eventName }) => eventName !== 'DepositRecorded')
    .map(({ eventName, args }) => ({ eventName, ...args }))
const checksummed = (address: Address) => expect.stringMatching(new RegExp(address, 'i'))

test('the depository has the function selectors that wallets know', () => {
  const selectors = abi.flatMap((each) =>
    each.type === 'function' && each.name.startsWith('deposit') ? [toFunctionSelector(each)] : [],
  )
  expect(selectors).toEqual(expect.arrayContaining(['0x49290c1c', '0xe8017952']))
})

describe('a deposit', () => {
  test('of native currency emits its order id and the depositor', async () => {
    const { depository: to, user, other } = rig
    const deposit = (depositor: Address) =>
      encodeFunctionData({ abi, functionName: 'depositNative', args: [depositor, id] })
    const named = await rig.send({ to, data: deposit(other), value: 5n })
    const unnamed = await rig.send({ to, data: deposit(nativeAddress), value: 6n })
    const plain = await rig.send({ to, data: id, value: 7n })
    expect([named, unnamed, plain].flatMap(eventsOf)).toEqual(
      [other, user, user].map((from, place) => ({
        eventName: 'RelayNativeDeposit',
        from: checksummed(from),
        amount: 5n + BigInt(place),
        id,
      })),
    )
  })

  test.each<[string, Hex]>([
    ['nothing', '0x'],
    ['31 bytes', `0x${'aa'.repeat(31)}`],
    ['33 bytes', `0x${'aa'.repeat(33)}`],
    ['another function', '0x12345678'],
  ])('is not a plain payment with %s', async (_, data) => {
    await expect(rig.send({ to: rig.depository, data, value: 1n })).rejects.toThrow('NotADeposit')
  })

  test.each([
    ['USDC', 10_000n],
    ['USDT', 10_000n],
    ['DUNE', 10_000n],
    // These currencies charge a transfer fee of one or two percent.
    ['FERN', 9_800n],
  ])('of %s emits the amount received', async (symbol, arrives) => {
    const { address } = rig.currency(symbol)
    const before = await rig.balance(address, rig.depository)
    await rig.allow(address, rig.depository, 10_000n)
    const events = eventsOf(await rig.send(depositErc20(address, 10_000n, rig.other)))
    expect(events).toEqual([
      {
        eventName: 'RelayErc20Deposit',
        from: checksummed(rig.other),
        token: checksummed(address),
        amount: arrives,
        id,
      },
    ])
    expect((await rig.balance(address, rig.depository)) - before).toBe(arrives)
  })
})
