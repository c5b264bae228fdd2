import {
  encodeFunctionData,
  erc20Abi,
  erc20Abi_bytes32,
  hexToString,
  maxUint256,
  parseSignature,
  trim,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { solver, users } from '#src/devnet/accounts.ts'
import { permitCurrency } from '#src/devnet/artifacts/permitCurrency.ts'
import { tetherCurrency } from '#src/devnet/artifacts/tetherCurrency.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { type DeployedTestChain, startDeployedChain } from '#test/support/chains/deployedChain.ts'

const [plan] = chainPlans
const [owner, spender, recipient] = users

let chain: DeployedTestChain
beforeAll(async () => {
  chain = await startDeployedChain(plan)
})
afterAll(() => chain.stop())

const balanceOf = (symbol: string, account: `0x${string}`): Promise<bigint> =>
  chain.client.readContract({
    address: chain.currency(symbol).address,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [account],
  })

/** The status of a transaction; one that would revert is mined all the same. */
async function send(from: `0x${string}`, to: `0x${string}`, data: `0x${string}`) {
  const hash = await chain.client.sendTransaction({
    account: from,
    chain: null,
    to,
    data,
    gas: 500_000n,
  })
  await chain.client.mine({ blocks: 1 })
  return (await chain.client.getTransactionReceipt({ hash })).status
}

test('a transfer moves its exact amount, for each currency without a tax', async () => {
  for (const { symbol, address } of chain.deployed.currencies.filter(
    ({ contract }) => contract !== 'taxed',
  )) {
    const before = await balanceOf(symbol, recipient.address)
    const args = [recipient.address, 12345n] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    expect(await send(owner.address, address, data), symbol).toBe('success')
    expect((await balanceOf(symbol, recipient.address)) - before, symbol).toBe(12345n)
  }
})

test('nobody moves more than they have or may', async () => {
  for (const { symbol, address } of chain.deployed.currencies) {
    const abi = erc20Abi
    const tooMuch = (await balanceOf(symbol, owner.address)) + 1n
    const transfer = { abi, functionName: 'transfer', args: [recipient.address, tooMuch] } as const
    expect(await send(owner.address, address, encodeFunctionData(transfer)), symbol).toBe(
      'reverted',
    )
    const args = [owner.address, spender.address, 1n] as const
    const pull = encodeFunctionData({ abi, functionName: 'transferFrom', args })
    expect(await send(spender.address, address, pull), symbol).toBe('reverted')
  }
})

test('an allowance is used up, unless it is the highest', async () => {
  const abi = erc20Abi
  const { address } = chain.currency('DAI')
  const approve = (amount: bigint) => {
    const args = [spender.address, amount] as const
    return send(owner.address, address, encodeFunctionData({ abi, functionName: 'approve', args }))
  }
  const pull = encodeFunctionData({
    abi,
    functionName: 'transferFrom',
    args: [owner.address, recipient.address, 60n],
  })
  const allowance = () =>
    chain.client.readContract({
      address,
      abi,
      functionName: 'allowance',
      args: [owner.address, spender.address],
    })

  await approve(100n)
  expect(await send(spender.address, address, pull)).toBe('success')
  expect(await allowance()).toBe(40n)
  expect(await send(spender.address, address, pull)).toBe('reverted')
  await approve(maxUint256)
  expect(await send(spender.address, address, pull)).toBe('success')
  expect(await allowance()).toBe(maxUint256)
})

test('USDT answers nothing and wants an allowance reset before it is changed', async () => {
  const { address } = chain.currency('USDT')
  const { abi } = tetherCurrency
  const answer = await chain.client.call({
    account: owner.address,
    to: address,
    data: encodeFunctionData({ abi, functionName: 'transfer', args: [recipient.address, 1n] }),
  })
  expect(answer.data).toBeUndefined()

  const approve = (amount: bigint) => {
    const args = [solver.address, amount] as const
    return send(owner.address, address, encodeFunctionData({ abi, functionName: 'approve', args }))
  }
  expect(await approve(5n)).toBe('success')
  expect(await approve(6n)).toBe('reverted')
  expect(await approve(0n)).toBe('success')
  expect(await approve(6n)).toBe('success')
})

test('FERN keeps two percent of a transfer, rounded down', async () => {
  const { address } = chain.currency('FERN')
  const before = await balanceOf('FERN', recipient.address)
  const spentFrom = await balanceOf('FERN', owner.address)
  const args = [recipient.address, 10_049n] as const
  await send(
    owner.address,
    address,
    encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  )
  expect((await balanceOf('FERN', recipient.address)) - before).toBe(10_049n - 200n)
  expect(spentFrom - (await balanceOf('FERN', owner.address))).toBe(10_049n)
})

test('DUNE gives its name and symbol in 32 bytes', async () => {
  const contract = { address: chain.currency('DUNE').address, abi: erc20Abi_bytes32 } as const
  const [symbol, name] = await Promise.all([
    chain.client.readContract({ ...contract, functionName: 'symbol' }),
    chain.client.readContract({ ...contract, functionName: 'name' }),
  ])
  const text = (word: `0x${string}`) => hexToString(trim(word, { dir: 'right' }))
  expect([text(symbol), text(name)]).toEqual(['DUNE', 'Dune Governance'])
})

describe('USDC by signature', () => {
  const { abi } = permitCurrency
  const signer = privateKeyToAccount(owner.privateKey)
  const domain = () => ({
    name: 'USD Coin',
    version: '2',
    chainId: plan.id,
    verifyingContract: chain.currency('USDC').address,
  })
  const farAway = 2n ** 40n
  const split = (signature: `0x${string}`) => {
    const { r, s, yParity } = parseSignature(signature)
    return [27 + yParity, r, s] as const
  }
  const submit = (data: `0x${string}`) =>
    send(spender.address, chain.currency('USDC').address, data)

  async function permit(deadline: bigint, nonce: bigint): Promise<`0x${string}`> {
    const message = { owner: owner.address, spender: spender.address, value: 77n, nonce, deadline }
    const word = { type: 'uint256' } as const
    const signature = await signer.signTypedData({
      domain: domain(),
      primaryType: 'Permit',
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', ...word },
          { name: 'nonce', ...word },
          { name: 'deadline', ...word },
        ],
      },
      message,
    })
    const args = [owner.address, spender.address, 77n, deadline, ...split(signature)] as const
    return encodeFunctionData({ abi, functionName: 'permit', args })
  }

  test('a permit (EIP-2612) allows once, before its deadline', async () => {
    const address = chain.currency('USDC').address
    expect(await submit(await permit(1n, 0n))).toBe('reverted')
    const signed = await permit(farAway, 0n)
    expect(await submit(signed)).toBe('success')
    const args = [owner.address, spender.address] as const
    const allowance = { address, abi, functionName: 'allowance', args } as const
    expect(await chain.client.readContract(allowance)).toBe(77n)
    expect(await submit(signed)).toBe('reverted')
    expect(await submit(await permit(farAway, 1n))).toBe('success')
  })

  type Window = Readonly<{ validAfter: bigint; validBefore: bigint; nonce: `0x${string}` }>
  const fields = [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ] as const

  async function authorize(
    kind: 'TransferWithAuthorization' | 'ReceiveWithAuthorization',
    { validAfter, validBefore, nonce }: Window,
  ): Promise<`0x${string}`> {
    const [from, to, value] = [owner.address, recipient.address, 1000n] as const
    const signature = await signer.signTypedData({
      domain: domain(),
      primaryType: kind,
      types: { [kind]: fields },
      message: { from, to, value, validAfter, validBefore, nonce },
    })
    const args = [from, to, value, validAfter, validBefore, nonce, ...split(signature)] as const
    const functionName =
      kind === 'TransferWithAuthorization'
        ? 'transferWithAuthorization'
        : 'receiveWithAuthorization'
    return encodeFunctionData({ abi, functionName, args })
  }

  const nonce = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`
  const always = { validAfter: 0n, validBefore: farAway }

  test('an authorization (EIP-3009) moves once, within its time', async () => {
    const kind = 'TransferWithAuthorization'
    const before = await balanceOf('USDC', recipient.address)
    const early = { validAfter: farAway, validBefore: farAway + 1n, nonce: nonce('a') }
    expect(await submit(await authorize(kind, early))).toBe('reverted')
    const late = { validAfter: 0n, validBefore: 1n, nonce: nonce('a') }
    expect(await submit(await authorize(kind, late))).toBe('reverted')
    const signed = await authorize(kind, { ...always, nonce: nonce('a') })
    expect(await submit(signed)).toBe('success')
    expect((await balanceOf('USDC', recipient.address)) - before).toBe(1000n)
    expect(await submit(signed)).toBe('reverted')
  })

  test('only its recipient may call for an authorization to receive', async () => {
    const signed = await authorize('ReceiveWithAuthorization', { ...always, nonce: nonce('b') })
    expect(await submit(signed)).toBe('reverted')
    expect(await send(recipient.address, chain.currency('USDC').address, signed)).toBe('success')
  })

  test('a cancelled authorization is worthless', async () => {
    const authorization = { authorizer: owner.address, nonce: nonce('c') }
    const signature = await signer.signTypedData({
      domain: domain(),
      primaryType: 'CancelAuthorization',
      types: {
        CancelAuthorization: [
          { name: 'authorizer', type: 'address' },
          { name: 'nonce', type: 'bytes32' },
        ],
      },
      message: authorization,
    })
    const args = [owner.address, nonce('c'), ...split(signature)] as const
    const data = encodeFunctionData({ abi, functionName: 'cancelAuthorization', args })
    expect(await submit(data)).toBe('success')
    const kind = 'TransferWithAuthorization'
    expect(await submit(await authorize(kind, { ...always, nonce: nonce('c') }))).toBe('reverted')
  })

  test('a signature by another key is refused', async () => {
    const message = { from: owner.address, to: recipient.address, value: 1n }
    const window = { ...always, nonce: nonce('d') }
    const stranger = privateKeyToAccount(spender.privateKey)
    const signature = await stranger.signTypedData({
      domain: domain(),
      primaryType: 'TransferWithAuthorization',
      types: { TransferWithAuthorization: fields },
      message: { ...message, ...window },
    })
    const args = [
      message.from,
      message.to,
      message.value,
      window.validAfter,
      window.validBefore,
      window.nonce,
      ...split(signature),
    ] as const
    const data = encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args })
    expect(await submit(data)).toBe('reverted')
  })
})
