import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { type Hex, numberToHex, sliceHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { reasonOf } from '#src/core/errors.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { startWeb3Signer } from '#test/support/clients/web3Signer.ts'
import { readSigner } from './readSigner.ts'

const local = privateKeyToAccount(solver.privateKey)

let remote: Awaited<ReturnType<typeof startWeb3Signer>>
beforeAll(async () => {
  remote = await startWeb3Signer([users[0], solver])
})
afterEach(() => remote.fail(undefined))
afterAll(() => remote.stop())

const open = (url: string = remote.url, expected = solver.address) =>
  readSigner('solver', { kind: 'remoteSigner', url }, expected)

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((each): Hex => {
    return `0x${Buffer.from(each).toString('hex')}`
  })
const wei = fc.bigInt(0n, 2n ** 96n)

const transaction = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 31 }),
  nonce: fc.nat(),
  to: bytes(20),
  value: wei,
  data: fc.nat(200).chain(bytes),
  gas: fc.bigInt(21_000n, 30_000_000n),
})

const typedData = fc.record({ owed: wei, depositor: bytes(20), ids: fc.array(bytes(32)) })
const types = {
  Draw: [
    { name: 'owed', type: 'uint192' },
    { name: 'depositor', type: 'address' },
    { name: 'ids', type: 'bytes32[]' },
  ],
} as const

describe('a remote signer', () => {
  it('signs transactions of both types exactly as the key itself does', async () => {
    const signer = await open()
    expect(signer.address).toBe(solver.address)
    await fc.assert(
      fc.asyncProperty(transaction, wei, async (call, fee) => {
        for (const each of [
          { ...call, type: 'legacy', gasPrice: fee },
          { ...call, type: 'eip1559', maxFeePerGas: fee, maxPriorityFeePerGas: fee / 2n },
        ] as const)
          expect(await signer.signTransaction(each)).toBe(await local.signTransaction(each))
      }),
      { numRuns: 20 },
    )
  })

  it('signs typed data exactly as the key itself does', async () => {
    const signer = await open(`${remote.url}/`)
    await fc.assert(
      fc.asyncProperty(typedData, fc.nat(), bytes(20), async (message, chainId, contract) => {
        const domain = {
          name: 'RelayDepository',
          version: '1',
          chainId,
          verifyingContract: contract,
        }
        const data = { domain, types, primaryType: 'Draw', message } as const
        expect(await signer.signTypedData(data)).toBe(await local.signTypedData(data))
      }),
      { numRuns: 20 },
    )
  })

  it('brings a signature with a high s to the low one', async () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    remote.fail((signature) => {
      const high = numberToHex(order - BigInt(sliceHex(signature, 32, 64)), { size: 32 })
      const v = sliceHex(signature, 64) === '0x1b' ? '1c' : '1b'
      return { status: 200, text: `${sliceHex(signature, 0, 32)}${high.slice(2)}${v}` }
    })
    const call = { chainId: 1, to: users[0].address, gas: 21_000n, type: 'eip1559' } as const
    expect(await (await open()).signTransaction(call)).toBe(await local.signTransaction(call))
  })

  it.each<[string, (signature: Hex) => { status: number; text: string }, string]>([
    ['an error', () => ({ status: 500, text: solver.privateKey }), 'it answered HTTP 500'],
    ['other text', () => ({ status: 200, text: 'OK' }), 'its answer is not a signature'],
    [
      'a signature of something else',
      (signature) => ({ status: 200, text: `0x11${signature.slice(4)}` }),
      'its signature is not of the account that it was asked for',
    ],
    [
      'more than a signature',
      () => ({ status: 200, text: 'a'.repeat(2_000_000) }),
      'its answer is too long',
    ],
  ])('an answer with %s is an expected failure, and signs nothing', async (_, fault, reason) => {
    const signer = await open()
    remote.fail(fault)
    const error = await signer
      .signTransaction({ chainId: 1, type: 'eip1559' })
      .catch((each: unknown) => each)
    expect(error).toMatchObject({ name: 'AppError', code: 'SERVICE_UNAVAILABLE' })
    expect(reasonOf(error)).toBe(`The remote signer ${remote.url} does not sign: ${reason}`)
  })
})

describe('a start with a remote signer', () => {
  /** A server that answers everything with this text. */
  async function answering<Result>(
    status: number,
    text: string,
    act: (url: string) => Promise<Result>,
  ): Promise<Result> {
    const server = createServer((_, response) => response.writeHead(status).end(text))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      return await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  }
  const messageAt = (url: string, expected?: typeof solver.address) =>
    readSigner('allocator', { kind: 'remoteSigner', url }, expected).then(
      () => 'taken',
      (error: Error) => error.message.replace(url, 'URL'),
    )

  it('names the variable and the reason if the signer cannot be used', async () => {
    const stopped = await startWeb3Signer([solver])
    await stopped.stop()
    const [other] = users
    const messages = [
      await messageAt(stopped.url, solver.address),
      await messageAt(remote.url, users[1].address),
      await messageAt(remote.url),
      await answering(503, '', (url) => messageAt(url, solver.address)),
      await answering(200, 'OK', (url) => messageAt(url, solver.address)),
      await answering(200, '["0x1234"]', (url) => messageAt(url, solver.address)),
      await answering(200, '[]', (url) => messageAt(url, solver.address)),
    ]
    const held = `it holds: ${other.address}, ${solver.address}`
    expect(messages.map((each) => each.replace(/connect ECONNREFUSED \S+/, 'refused'))).toEqual(
      [
        'does not list its keys: refused',
        `does not have the key of ${users[1].address}; ${held}`,
        `must hold exactly one key, but ${held}`,
        'does not list its keys: it answered HTTP 503',
        'does not list its keys: its answer is not a list of public keys',
        'does not list its keys: its answer is not a list of public keys',
        `does not have the key of ${solver.address}; it holds: no key`,
      ].map(
        (reason) =>
          `The allocator’s key cannot be used (ALLOCATOR_SIGNER_URL): the remote signer URL ${reason}`,
      ),
    )
  })

  it('takes the only key if the configuration names none', async () => {
    const single = await startWeb3Signer([solver])
    expect(await messageAt(single.url)).toBe('taken')
    await single.stop()
  })
})
