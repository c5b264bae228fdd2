import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestChain, type TestChain } from '#test/support/chains/testChain.ts'
import { headerHash } from './headerHash.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.stop())

const empty = (byte: string, bytes: number): `0x${string}` => `0x${byte.repeat(bytes)}`

/** Of Ethereum. @source go-ethereum 1.14.9, params.MainnetGenesisHash and core.DefaultGenesisBlock */
const genesis = {
  hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  parentHash: empty('00', 32),
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: empty('00', 20),
  stateRoot: '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544',
  transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  logsBloom: empty('00', 256),
  difficulty: '0x400000000',
  number: '0x0',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x0',
  extraData: '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa',
  mixHash: empty('00', 32),
  nonce: '0x0000000000000042',
}

test('hashes the first block of Ethereum', () => {
  expect(headerHash(genesis)).toBe(genesis.hash)
})

test('hashes blocks as anvil does, and every other field gives another hash', async () => {
  await chain.emit(empty('01', 32))
  const block = (await chain.anvil.request({
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
  })) as Readonly<Record<string, unknown>> | null
  if (block === null) throw new Error('No block')
  expect(headerHash(block)).toBe(block['hash'])
  for (const name of [
    'timestamp',
    'baseFeePerGas',
    'gasUsed',
    'logsBloom',
    'parentHash',
    'number',
  ]) {
    const text = String(block[name])
    const other = text.endsWith('1') ? `${text.slice(0, -1)}2` : `${text.slice(0, -1)}1`
    expect(headerHash({ ...block, [name]: other })).not.toBe(block['hash'])
  }
})

test.each([
  ['a field is missing', { stateRoot: undefined }],
  ['a number is none', { gasUsed: 'many' }],
  ['bytes are none', { extraData: '0x1' }],
  ['a later field follows a missing one', { withdrawalsRoot: empty('00', 32) }],
])('there is no hash where %s', (_, change) => {
  expect(headerHash({ ...genesis, ...change })).toBeUndefined()
})
