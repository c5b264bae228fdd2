import {
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hashStruct,
  hashTypedData,
  maxUint256,
  numberToHex,
  parseEther,
  parseEventLogs,
  type TransactionReceipt,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { depository } from '#src/contracts/artifacts/depository.ts'
import { type DevnetAccount, solver, users } from '#src/devnet/accounts.ts'
import { hookedCurrency } from '#src/devnet/artifacts/hookedCurrency.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { type ContractRig, startContractRig } from './contractRig.ts'
import { deployCode, deployHostile } from './hostile.ts'

const { abi } = depository
const id = `0x${'1d'.repeat(32)}` as const

let rig: ContractRig
let usdc: Address
beforeAll(async () => {
  rig = await startContractRig()
  usdc = rig.currency('USDC').address
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

  test('without an amount takes the whole allowance', async () => {
    await rig.allow(usdc, rig.depository, 1234n)
    const args = [nativeAddress, usdc, id] as const
    const data = encodeFunctionData({ abi, functionName: 'depositErc20', args })
    const events = eventsOf(await rig.send({ to: rig.depository, data }))
    expect(events).toMatchObject([{ from: checksummed(rig.user), amount: 1234n }])
  })

  test('of an address without a currency reverts', async () => {
    await expect(rig.send(depositErc20(rig.other, 1n))).rejects.toThrow('Erc20CallFailed')
  })

  test('is counted once, even if the currency re-enters the depository', async () => {
    const { user, depository: to } = rig
    const hostile = await deployHostile(rig)
    const holdings = [
      { holder: user, amount: parseEther('1') },
      { holder: hostile.address, amount: parseEther('1') },
    ]
    const code = encodeDeployData({ ...hookedCurrency, args: [holdings] })
    const hooked = await deployCode(rig, code)
    const hook = { abi: hookedCurrency.abi, functionName: 'setHook' } as const
    await rig.send({
      to: hooked,
      data: encodeFunctionData({ ...hook, args: [hostile.address] }),
    })
    const spend = { abi: erc20Abi, functionName: 'approve', args: [to, 100n] } as const
    const give = { abi: erc20Abi, functionName: 'transfer', args: [to, 30n] } as const
    await hostile.prepare([
      { target: hooked, data: encodeFunctionData(spend) },
      { target: to, data: depositErc20(hooked, 100n).data },
      { target: hooked, data: encodeFunctionData(give) },
    ])
    await rig.allow(hooked, to, 50n)
    const events = eventsOf(await rig.send(depositErc20(hooked, 50n)))
    expect(await hostile.outcomes()).toEqual([true, false, true])
    expect(events).toMatchObject([{ amount: 50n }])
    expect(await rig.balance(hooked, to)).toBe(80n)
  })
})

const types = {
  CallRequest: [
    { name: 'calls', type: 'Call[]' },
    { name: 'nonce', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
  ],
  Call: [
    { name: 'to', type: 'address' },
    { name: 'data', type: 'bytes' },
    { name: 'value', type: 'uint256' },
    { name: 'allowFailure', type: 'bool' },
  ],
} as const

type Call = Readonly<{ to: Address; data?: Hex; value?: bigint; allowFailure?: boolean }>
let nonces = 0n

const toRequest = (calls: readonly Call[], expiration = maxUint256, nonce = ++nonces) => ({
  calls: calls.map((each) => ({ data: '0x' as Hex, value: 0n, allowFailure: false, ...each })),
  nonce,
  expiration,
})
type Request = ReturnType<typeof toRequest>

const signed = async (
  message: Request,
  { privateKey }: DevnetAccount = solver,
  verifyingContract = rig.depository,
  chainId = rig.deployed.plan.id,
): Promise<Hex> => {
  const domain = { name: 'RelayDepository', version: '1', chainId, verifyingContract }
  const hash = hashTypedData({ domain, types, primaryType: 'CallRequest', message })
  return sign({ hash, privateKey, to: 'hex' })
}

const execution = (request: Request, signature: Hex) => ({
  to: rig.depository,
  data: encodeFunctionData({ abi, functionName: 'execute', args: [request, signature] }),
})

describe('execute', () => {
  const payOut = (amount: bigint): Call => ({ to: recipient, value: amount })
  const recipient = `0x${'0a'.repeat(20)}` as Address
  beforeAll(() => rig.send({ to: rig.depository, data: id, value: parseEther('1') }))

  test('makes the calls that the allocator signed, once, for any sender', async () => {
    const pay = { abi: erc20Abi, functionName: 'transfer', args: [recipient, 77n] } as const
    const data = encodeFunctionData(pay)
    await rig.allow(usdc, rig.depository, 100n)
    await rig.send(depositErc20(usdc, 100n))
    const request = toRequest([payOut(5n), { to: usdc, data }])
    const signature = await signed(request)
    const receipt = await rig.send({ ...execution(request, signature), from: rig.other })
    expect(await rig.balance(usdc, recipient)).toBe(77n)
    expect(await rig.balance(nativeAddress, recipient)).toBe(5n)
    const hash = hashStruct({ types, primaryType: 'CallRequest', data: request })
    expect(eventsOf(receipt)).toMatchObject([{ id: hash }, { id: hash }])
    for (const again of [request, { ...request, calls: [] }])
      await expect(rig.send(execution(again, await signed(again)))).rejects.toThrow('NonceUsed')
  })

  test('rejects an expired signature, another signer, another contract and another chain', async () => {
    const request = toRequest([payOut(1n)])
    const { timestamp } = await rig.client.getBlock()
    const late = toRequest([payOut(1n)], timestamp - 1n)
    await expect(rig.send(execution(late, await signed(late)))).rejects.toThrow('Expired')
    const good = await signed(request)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = numberToHex(order - BigInt(`0x${good.slice(66, 130)}`), { size: 32 })
    const flipped = concatHex([`0x${good.slice(2, 66)}`, s, good.endsWith('1b') ? '0x1c' : '0x1b'])
    for (const signature of [
      await signed(request, users[0]),
      await signed(request, solver, rig.router),
      await signed(request, solver, rig.depository, 1),
      await signed({ ...request, nonce: 10n ** 9n }),
      flipped,
      `0x${'00'.repeat(65)}`,
      good.slice(0, -2) as Hex,
      '0x',
    ] as const)
      await expect(rig.send(execution(request, signature))).rejects.toThrow('InvalidSignature')
    await rig.send(execution(request, good))
  })

  test('reverts with a failing call, or emits the failure if the call may fail', async () => {
    const fails = { to: usdc, data: '0x12345678' } as const
    const strict = toRequest([payOut(1n), fails])
    await expect(rig.send(execution(strict, await signed(strict)))).rejects.toThrow('reverted')
    const lenient = toRequest([{ ...fails, allowFailure: true }, payOut(1n)])
    const sent = execution(lenient, await signed(lenient))
    expect(eventsOf(await rig.send(sent))).toHaveLength(1)
  })

  test('cannot be re-entered, and no deposit is counted during it', async () => {
    const hostile = await deployHostile(rig)
    const inner = toRequest([{ to: hostile.address, value: 1n }])
    await hostile.prepare([
      { target: rig.depository, data: execution(inner, await signed(inner)).data },
      { target: rig.depository, data: depositErc20(hostile.address, 5n).data },
    ])
    const outer = toRequest([{ to: hostile.address, value: 1n }])
    await rig.send(execution(outer, await signed(outer)))
    expect(await hostile.outcomes()).toEqual([false, false])
    expect(await rig.balance(nativeAddress, hostile.address)).toBe(1n)
  })

  test.each([
    'transferFrom(address,address,uint256)',
    'burnFrom(address,uint256)',
    'withdraw(uint256,address,address)',
    'redeem(uint256,address,address)',
  ])('cannot spend a user’s allowance by %s', async (pull) => {
    const data = concatHex([toFunctionSelector(pull), numberToHex(0, { size: 96 })])
    const request = toRequest([{ to: usdc, data, allowFailure: true }])
    const signature = await signed(request)
    await expect(rig.send(execution(request, signature))).rejects.toThrow('PullForbidden')
  })
})

test('only the owner can change the allocator, and the old one’s signatures become invalid', async () => {
  const set = (allocator: Address) => ({
    to: rig.depository,
    data: encodeFunctionData({ abi, functionName: 'setAllocator', args: [allocator] }),
  })
  const request = toRequest([])
  const signature = await signed(request)
  await expect(rig.send(set(rig.user))).rejects.toThrow('NotTheOwner')
  await rig.send({ ...set(users[1].address), from: solver.address })
  await expect(rig.send(execution(request, signature))).rejects.toThrow('InvalidSignature')
  await rig.send(execution(request, await signed(request, users[1])))
  // One ERC-1271 contract accepts every signature, the other rejects every signature.
  const contract = `0x${'c0'.repeat(20)}` as Address
  await rig.send({ ...set(contract), from: solver.address })
  const byContract = toRequest([])
  for (const bytecode of ['0x', '0x5f5f5260205ff3', '0x5f5ffd'] as const) {
    await rig.client.setCode({ address: contract, bytecode })
    await expect(rig.send(execution(byContract, '0x1234'))).rejects.toThrow('InvalidSignature')
  }
  await rig.client.setCode({ address: contract, bytecode: '0x631626ba7e60e01b5f5260205ff3' })
  await rig.send(execution(byContract, '0x1234'))
  await rig.send({ ...set(zeroAddress as Address), from: solver.address })
  const none = toRequest([])
  const nobody = `0x${'00'.repeat(65)}` as const
  await expect(rig.send(execution(none, nobody))).rejects.toThrow('InvalidSignature')
})
