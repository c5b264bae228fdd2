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
import { type Ground, startGround } from './ground.ts'
import { deployCode, deployHostile } from './hostile.ts'

const { abi } = depository
const id = `0x${'1d'.repeat(32)}` as const

let ground: Ground
let usdc: Address
beforeAll(async () => {
  ground = await startGround()
  usdc = ground.currency('USDC').address
})
afterAll(() => ground?.stop())

const depositErc20 = (
  token: Address,
  amount: bigint,
  depositor: Address = nativeAddress,
): Readonly<{ to: Address; data: Hex }> => ({
  to: ground.depository,
  data: encodeFunctionData({
    abi,
    functionName: 'depositErc20',
    args: [depositor, token, amount, id],
  }),
})

const eventsOf = ({ logs }: TransactionReceipt) =>
  parseEventLogs({ abi, logs })
    .filter(({ address }) => address === ground.depository)
    .map(({ eventName, args }) => ({ eventName, ...args }))
const checksummed = (address: Address) => expect.stringMatching(new RegExp(address, 'i'))

test('has the selectors that wallets know', () => {
  const selectors = abi.flatMap((each) =>
    each.type === 'function' && each.name.startsWith('deposit') ? [toFunctionSelector(each)] : [],
  )
  expect(selectors).toEqual(expect.arrayContaining(['0x49290c1c', '0xe8017952']))
})

describe('a deposit', () => {
  test('of native currency is told with its order, in the name of the depositor', async () => {
    const { depository: to, user, other } = ground
    const deposit = (depositor: Address) =>
      encodeFunctionData({ abi, functionName: 'depositNative', args: [depositor, id] })
    const named = await ground.send({ to, data: deposit(other), value: 5n })
    const unnamed = await ground.send({ to, data: deposit(nativeAddress), value: 6n })
    const plain = await ground.send({ to, data: id, value: 7n })
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
  ])('is no plain payment with %s', async (_, data) => {
    await expect(ground.send({ to: ground.depository, data, value: 1n })).rejects.toThrow(
      'NotADeposit',
    )
  })

  test.each([
    ['USDC', 10_000n],
    ['USDT', 10_000n],
    ['DUNE', 10_000n],
    // Keeps a hundredth or two.
    ['FERN', 9_800n],
  ])('of %s tells what arrives', async (symbol, arrives) => {
    const { address } = ground.currency(symbol)
    const before = await ground.balance(address, ground.depository)
    await ground.allow(address, ground.depository, 10_000n)
    const told = eventsOf(await ground.send(depositErc20(address, 10_000n, ground.other)))
    expect(told).toEqual([
      {
        eventName: 'RelayErc20Deposit',
        from: checksummed(ground.other),
        token: checksummed(address),
        amount: arrives,
        id,
      },
    ])
    expect((await ground.balance(address, ground.depository)) - before).toBe(arrives)
  })

  test('of a whole allowance takes that', async () => {
    await ground.allow(usdc, ground.depository, 1234n)
    const args = [nativeAddress, usdc, id] as const
    const data = encodeFunctionData({ abi, functionName: 'depositErc20', args })
    const told = eventsOf(await ground.send({ to: ground.depository, data }))
    expect(told).toMatchObject([{ from: checksummed(ground.user), amount: 1234n }])
  })

  test('of what is no currency reverts', async () => {
    await expect(ground.send(depositErc20(ground.other, 1n))).rejects.toThrow('Erc20CallFailed')
  })

  test('is counted once, whatever the currency does meanwhile', async () => {
    const { user, depository: to } = ground
    const hostile = await deployHostile(ground)
    const holdings = [
      { holder: user, amount: parseEther('1') },
      { holder: hostile.address, amount: parseEther('1') },
    ]
    const code = encodeDeployData({ ...hookedCurrency, args: [holdings] })
    const hooked = await deployCode(ground, code)
    const hook = { abi: hookedCurrency.abi, functionName: 'setHook' } as const
    await ground.send({
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
    await ground.allow(hooked, to, 50n)
    const told = eventsOf(await ground.send(depositErc20(hooked, 50n)))
    expect(await hostile.outcomes()).toEqual([true, false, true])
    expect(told).toMatchObject([{ amount: 50n }])
    expect(await ground.balance(hooked, to)).toBe(80n)
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
  verifyingContract = ground.depository,
  chainId = ground.deployed.plan.id,
): Promise<Hex> => {
  const domain = { name: 'RelayDepository', version: '1', chainId, verifyingContract }
  const hash = hashTypedData({ domain, types, primaryType: 'CallRequest', message })
  return sign({ hash, privateKey, to: 'hex' })
}

const execution = (request: Request, signature: Hex) => ({
  to: ground.depository,
  data: encodeFunctionData({ abi, functionName: 'execute', args: [request, signature] }),
})

describe('execute', () => {
  const payOut = (amount: bigint): Call => ({ to: recipient, value: amount })
  const recipient = `0x${'0a'.repeat(20)}` as Address
  beforeAll(() => ground.send({ to: ground.depository, data: id, value: parseEther('1') }))

  test('does what the allocator has signed, brought by anyone, once', async () => {
    const pay = { abi: erc20Abi, functionName: 'transfer', args: [recipient, 77n] } as const
    const data = encodeFunctionData(pay)
    await ground.allow(usdc, ground.depository, 100n)
    await ground.send(depositErc20(usdc, 100n))
    const request = toRequest([payOut(5n), { to: usdc, data }])
    const signature = await signed(request)
    const receipt = await ground.send({ ...execution(request, signature), from: ground.other })
    expect(await ground.balance(usdc, recipient)).toBe(77n)
    expect(await ground.balance(nativeAddress, recipient)).toBe(5n)
    const hash = hashStruct({ types, primaryType: 'CallRequest', data: request })
    expect(eventsOf(receipt)).toMatchObject([{ id: hash }, { id: hash }])
    for (const again of [request, { ...request, calls: [] }])
      await expect(ground.send(execution(again, await signed(again)))).rejects.toThrow('NonceUsed')
  })

  test('refuses what is expired, or signed by another or for another contract or chain', async () => {
    const request = toRequest([payOut(1n)])
    const { timestamp } = await ground.client.getBlock()
    const late = toRequest([payOut(1n)], timestamp - 1n)
    await expect(ground.send(execution(late, await signed(late)))).rejects.toThrow('Expired')
    const good = await signed(request)
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = numberToHex(order - BigInt(`0x${good.slice(66, 130)}`), { size: 32 })
    const flipped = concatHex([`0x${good.slice(2, 66)}`, s, good.endsWith('1b') ? '0x1c' : '0x1b'])
    for (const signature of [
      await signed(request, users[0]),
      await signed(request, solver, ground.router),
      await signed(request, solver, ground.depository, 1),
      await signed({ ...request, nonce: 10n ** 9n }),
      flipped,
      `0x${'00'.repeat(65)}`,
      good.slice(0, -2) as Hex,
      '0x',
    ] as const)
      await expect(ground.send(execution(request, signature))).rejects.toThrow('InvalidSignature')
    await ground.send(execution(request, good))
  })

  test('fails with a call that fails, unless it may, and says so then', async () => {
    const fails = { to: usdc, data: '0x12345678' } as const
    const strict = toRequest([payOut(1n), fails])
    await expect(ground.send(execution(strict, await signed(strict)))).rejects.toThrow('reverted')
    const lenient = toRequest([{ ...fails, allowFailure: true }, payOut(1n)])
    const sent = execution(lenient, await signed(lenient))
    expect(eventsOf(await ground.send(sent))).toHaveLength(1)
  })

  test('is not re-entered, nor are deposits counted within it', async () => {
    const hostile = await deployHostile(ground)
    const inner = toRequest([{ to: hostile.address, value: 1n }])
    await hostile.prepare([
      { target: ground.depository, data: execution(inner, await signed(inner)).data },
      { target: ground.depository, data: depositErc20(hostile.address, 5n).data },
    ])
    const outer = toRequest([{ to: hostile.address, value: 1n }])
    await ground.send(execution(outer, await signed(outer)))
    expect(await hostile.outcomes()).toEqual([false, false])
    expect(await ground.balance(nativeAddress, hostile.address)).toBe(1n)
  })

  test.each([
    'transferFrom(address,address,uint256)',
    'burnFrom(address,uint256)',
    'withdraw(uint256,address,address)',
    'redeem(uint256,address,address)',
  ])('takes nothing by %s, which users may have approved', async (pull) => {
    const data = concatHex([toFunctionSelector(pull), numberToHex(0, { size: 96 })])
    const request = toRequest([{ to: usdc, data, allowFailure: true }])
    const signature = await signed(request)
    await expect(ground.send(execution(request, signature))).rejects.toThrow('PullForbidden')
  })
})

test('the owner alone names the allocator, and the old one’s signatures end with that', async () => {
  const set = (allocator: Address) => ({
    to: ground.depository,
    data: encodeFunctionData({ abi, functionName: 'setAllocator', args: [allocator] }),
  })
  const request = toRequest([])
  const signature = await signed(request)
  await expect(ground.send(set(ground.user))).rejects.toThrow('NotTheOwner')
  await ground.send({ ...set(users[1].address), from: solver.address })
  await expect(ground.send(execution(request, signature))).rejects.toThrow('InvalidSignature')
  await ground.send(execution(request, await signed(request, users[1])))
  // A contract that calls any signature its own (ERC-1271), and one that calls none so.
  const contract = `0x${'c0'.repeat(20)}` as Address
  await ground.send({ ...set(contract), from: solver.address })
  const byContract = toRequest([])
  for (const bytecode of ['0x', '0x5f5f5260205ff3', '0x5f5ffd'] as const) {
    await ground.client.setCode({ address: contract, bytecode })
    await expect(ground.send(execution(byContract, '0x1234'))).rejects.toThrow('InvalidSignature')
  }
  await ground.client.setCode({ address: contract, bytecode: '0x631626ba7e60e01b5f5260205ff3' })
  await ground.send(execution(byContract, '0x1234'))
  await ground.send({ ...set(zeroAddress as Address), from: solver.address })
  const none = toRequest([])
  const nobody = `0x${'00'.repeat(65)}` as const
  await expect(ground.send(execution(none, nobody))).rejects.toThrow('InvalidSignature')
})
