import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { encodeBase58 } from '#src/core/units/svm/base58.ts'
import { blockhashOf } from '#src/core/units/svm/blockhash.ts'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { NodeError, type SvmAnswer, startSvmNode } from '#test/support/nodes/svmNode.ts'
import { createSvmClient, type SvmClient } from './svmClient.ts'
import { UnsupportedVersionError } from './svmRpc.ts'

const hash = (byte: number) => blockhashOf(new Uint8Array(32).fill(byte))
const account = (byte: number) => pubkeyOf(new Uint8Array(32).fill(byte))
const genesisHash = hash(9)
/** A transaction with one signature. */
const transaction = Uint8Array.from([1, ...new Uint8Array(64).fill(5), 1, 2, 3])
const signature = encodeBase58(transaction.slice(1, 65))

const at = (value: unknown) => ({ context: { slot: 7 }, value })
const raw = (lamports: number, data = '') => ({
  lamports,
  owner: account(1),
  data: [data, 'base64'],
  executable: false,
  rentEpoch: 18446744073709551615n.toString(),
})

const healthy: Readonly<Record<string, SvmAnswer>> = {
  getGenesisHash: () => genesisHash,
  getSlot: ([options]) => ((options as { commitment: string }).commitment === 'finalized' ? 5 : 7),
  getBlockHeight: () => 4,
  getLatestBlockhash: () => at({ blockhash: hash(3), lastValidBlockHeight: 154 }),
  getBalance: () => at(1_000),
  getMultipleAccounts: ([keys]) =>
    at((keys as string[]).map((key) => (key === account(2) ? null : raw(5, 'AQI=')))),
  getTokenAccountsByOwner: () => at([{ pubkey: account(4), account: raw(5, 'Aw==') }]),
  getMinimumBalanceForRentExemption: ([bytes]) => 890_880 + Number(bytes) * 6_960,
  getRecentPrioritizationFees: () => [{ slot: 7, prioritizationFee: 12 }],
  getSignatureStatuses: ([signatures]) =>
    at(
      (signatures as string[]).map((_, place) =>
        place === 0
          ? { slot: 6, err: { InstructionError: [0, 'Custom'] }, confirmationStatus: 'confirmed' }
          : null,
      ),
    ),
  getTransaction: () => null,
  simulateTransaction: () => at({ err: null, logs: ['Program log: hi'], unitsConsumed: 150 }),
  sendTransaction: () => signature,
}

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const start = async (answers: Readonly<Record<string, SvmAnswer>> = {}) => {
  const node = await startSvmNode({ ...healthy, ...answers })
  ends.push(node.stop)
  return node
}

const connect = (rpcUrls: readonly string[], sendUrls = rpcUrls) => {
  const { log, lines } = recordLog()
  const config = { id: toChainId(990_004), displayName: 'Devnet', genesisHash }
  const client = createSvmClient(
    { ...config, rpcUrls: [...rpcUrls], sendUrls: [...sendUrls] },
    log,
    { timeoutSeconds: 0.3 },
  )
  ends.push(client.close)
  return { client, lines }
}

describe('a client', () => {
  it('gives typed answers', async () => {
    const { client } = connect([(await start()).url])
    expect(await client.getSlot('finalized')).toBe(5n)
    expect(await client.getSlot('processed')).toBe(7n)
    expect(await client.getBlockHeight('confirmed')).toBe(4n)
    expect(await client.getLatestBlockhash('confirmed')).toEqual({
      blockhash: hash(3),
      lastValidBlockHeight: 154n,
    })
    expect(await client.getBalance(account(1), 'confirmed')).toBe(1_000n)
    const read = { owner: account(1), lamports: 5n, executable: false }
    expect(await client.getAccounts([account(2), account(3)], 'confirmed')).toEqual({
      slot: 7n,
      accounts: [undefined, { ...read, data: Uint8Array.of(1, 2) }],
    })
    expect(await client.getTokenAccounts(account(1), account(2), 'confirmed')).toEqual([
      { pubkey: account(4), account: { ...read, data: Uint8Array.of(3) } },
    ])
    expect(await client.getRent(165)).toBe(2_039_280n)
    expect(await client.getPriorityFees([])).toEqual([{ slot: 7n, microLamports: 12n }])
    const [failed, unknown] = await client.getStatuses([signature, signature] as never)
    expect(failed).toEqual({
      slot: 6n,
      error: '{"InstructionError":[0,"Custom"]}',
      commitment: 'confirmed',
    })
    expect(unknown).toBeUndefined()
    expect(await client.getTransaction(signature as never, 'finalized')).toBeUndefined()
    expect(await client.simulate(transaction)).toEqual({
      error: undefined,
      logs: ['Program log: hi'],
      unitsConsumed: 150,
    })
    expect(await client.send(transaction)).toBe(signature)
  })

  it('reads more accounts and statuses than a request may name', async () => {
    const node = await start()
    const { client } = connect([node.url])
    const accounts = Array.from({ length: 250 }, (_, byte) => account(byte))
    const read = await client.getAccounts(accounts, 'confirmed')
    expect(read.accounts.map((each) => each === undefined)).toEqual(accounts.map((_, i) => i === 2))
    expect(node.methods.filter((each) => each === 'getMultipleAccounts')).toHaveLength(3)
  })

  const reply = (status: number, body: string) => (response: ServerResponse) =>
    void response.writeHead(status).end(body)
  const result = (value: unknown) =>
    reply(200, JSON.stringify({ jsonrpc: '2.0', id: 1, result: value }))

  it.each([
    ['a cut connection', (response: ServerResponse) => void response.destroy()],
    ['no answer', () => undefined],
    ['HTTP 500', reply(500, 'oops')],
    ['HTML', reply(200, '<html>Gateway timeout</html>')],
    ['half an answer', reply(200, '{"jsonrpc":"2.0","id":1,"result":{"con')],
    ['a rate limit', reply(429, '{"error":{"code":429,"message":"Too many requests"}}')],
    ['null', result(null)],
    ['a fraction', result(at(1.5e-3))],
    ['a negative balance', result(at(-1))],
    ['text', result(at('1000'))],
    ['a list', result([])],
  ])('asks the next endpoint after %s', async (_, how) => {
    const [first, second] = [await start(), await start()]
    const { client } = connect([first.url, second.url])
    expect(await client.getRent(0)).toBe(890_880n)
    first.fail(how)
    expect(await client.getBalance(account(1), 'confirmed')).toBe(1_000n)
  })

  it('never uses an endpoint of another cluster, and says so', async () => {
    const other = await start({ getGenesisHash: () => hash(8), getBalance: () => at(666) })
    const own = await start()
    const { client, lines } = connect([other.url, own.url])
    expect(await client.getBalance(account(1), 'confirmed')).toBe(1_000n)
    expect(await client.getBalance(account(1), 'confirmed')).toBe(1_000n)
    expect(new Set(other.methods)).toEqual(new Set(['getGenesisHash']))
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'RPC endpoint serves another chain and is not used',
        reason: `its genesis hash is ${hash(8)}, not ${genesisHash}`,
      }),
    )
    const alone = connect([other.url]).client
    await expect(alone.getSlot('finalized')).rejects.toThrow(RpcUnavailableError)
  })

  it('checks the cluster again after a failure', async () => {
    const node = await start()
    const { client } = connect([node.url])
    await client.getSlot('finalized')
    node.fail(reply(500, 'oops'))
    await expect(client.getSlot('finalized')).rejects.toThrow(RpcUnavailableError)
    node.fail(undefined)
    node.answer({ getGenesisHash: () => hash(8) })
    await expect(client.getSlot('finalized')).rejects.toThrow(RpcUnavailableError)
  })

  it('keeps the keys of URLs out of errors and of the log', async () => {
    const key = 'd34db33fd34db33f'
    const node = await start({
      getSlot: () => {
        throw new NodeError(-32_000, `no slot for https://rpc.example/${key}`)
      },
    })
    const { client, lines } = connect([`${node.url}/${key}`])
    const error = await client.getSlot('finalized').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RpcRefusedError)
    node.fail(reply(500, `failed at /${key}`))
    const outage = await client.getSlot('finalized').catch((reason: unknown) => reason)
    expect(outage).toBeInstanceOf(RpcUnavailableError)
    const shown = JSON.stringify([error, outage, lines, String(error), String(outage)])
    expect(shown).not.toContain(key)
    expect(shown).toContain('no slot for https://rpc.example/…')
  })
})

describe('a transaction', () => {
  it.each([
    [-32_003, 'Transaction signature verification failure'],
    // On an EVM chain these words are the final answer to a call.
    [-32_002, 'Transaction simulation failed: insufficient funds for rent'],
  ])('that nodes refuse with %i is refused in their words', async (code, message) => {
    const refuse = () => {
      throw new NodeError(code, message)
    }
    const { client } = connect([(await start({ sendTransaction: refuse })).url])
    const error = await client.send(transaction).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(RpcRefusedError)
    expect(error).toMatchObject({ rpcCode: code, words: message })
  })

  it('is sent by the endpoints for that, and its id is checked', async () => {
    const lying = await start({ sendTransaction: () => encodeBase58(new Uint8Array(64).fill(6)) })
    const [read, send] = [await start(), await start()]
    const { client } = connect([read.url], [lying.url, send.url])
    expect(await client.send(transaction)).toBe(signature)
    expect(read.methods).not.toContain('sendTransaction')
    expect(send.methods).toContain('sendTransaction')
  })

  it('of an unknown version is told apart from a missing one', async () => {
    const refuse = () => {
      throw new NodeError(-32_015, 'Transaction version (1) is not supported')
    }
    const { client } = connect([(await start({ getTransaction: refuse })).url])
    await expect(client.getTransaction(signature as never, 'finalized')).rejects.toThrow(
      UnsupportedVersionError,
    )
  })
})

it('no JSON makes a client throw anything but its own errors', async () => {
  let value: unknown
  const names = Object.keys(healthy).filter((each) => each !== 'getGenesisHash')
  const node = await start(Object.fromEntries(names.map((name) => [name, () => value])))
  const calls: ((client: SvmClient) => Promise<unknown>)[] = [
    (client) => client.getLatestBlockhash('confirmed'),
    (client) => client.getAccounts([account(1)], 'confirmed'),
    (client) => client.getStatuses([signature as never]),
    (client) => client.getTransaction(signature as never, 'finalized'),
    (client) => client.simulate(transaction),
    (client) => client.getPriorityFees([]),
  ]
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.constantFrom(...calls), async (json, call) => {
      value = json
      const { client } = connect([node.url])
      const asked = call(client).catch((error: unknown) => error)
      const answer = await asked
      client.close()
      if (answer instanceof Error) expect(answer).toBeInstanceOf(RpcUnavailableError)
    }),
    { numRuns: 20 },
  )
})
