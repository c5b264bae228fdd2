import fc from 'fast-check'
import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { countAt, readReceipt, readTransaction } from '#src/chains/read/readTransaction.ts'
import { runs } from '#test/support/runs.ts'
import { checkAnswer, parseHeader, parseHeight, parseLogs } from './rpcAnswer.ts'
import { UnusableAnswerError } from './rpcError.ts'

const hash = `0x${'ab'.repeat(32)}` as const
const address = `0x${'cd'.repeat(20)}` as const
const signal = new AbortController().signal

const log = {
  address,
  topics: [hash],
  data: '0x',
  blockHash: hash,
  blockNumber: '0x10',
  logIndex: '0x1',
  transactionHash: hash,
  transactionIndex: '0x0',
  removed: false,
}
const header = {
  number: '0x10',
  hash,
  parentHash: hash,
  timestamp: '0x68000000',
  baseFeePerGas: '0x7',
  gasUsed: '0x5208',
  gasLimit: '0x1c9c380',
  logsBloom: `0x${'00'.repeat(256)}`,
}
const receipt = {
  transactionHash: hash,
  from: address,
  blockNumber: '0x10',
  blockHash: hash,
  status: '0x1',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x7',
  l1Fee: '0x1',
  logs: [log],
}
const transaction = { hash, from: address, to: address, value: '0x1', input: '0x' }

/** Values that a broken or hostile endpoint may put anywhere. */
const absurd = fc.oneof(
  fc.constantFrom(null, undefined, true, '', '0x', '0xzz', '-0x1', '0x-1', '1e9', 'NaN', [], {}),
  fc.integer(),
  fc.double(),
  fc.bigInt(0n, 2n ** 300n).map((value) => numberToHex(value)),
  fc.constantFrom(31, 32, 53, 63, 64, 128, 256).map((bits) => numberToHex(2n ** BigInt(bits))),
  fc.string(),
  fc.jsonValue(),
)

/** A valid answer of which one field is absurd. */
const spoilt = (answer: object) =>
  fc
    .tuple(fc.constantFrom(...Object.keys(answer)), absurd)
    .map(([field, value]) => ({ ...answer, [field]: value }))

/** Asks an endpoint that gives this answer. */
const from = (answer: unknown) => ({
  ask: async <T>(_: unknown, parse: (answer: unknown) => T | undefined) => parse(answer),
})

const isStorable = (value: bigint) => value >= 0n && value <= BigInt(Number.MAX_SAFE_INTEGER)

describe('an absurd answer is unusable, and no other error', () => {
  it.each([
    [
      'logs',
      fc.array(fc.oneof(spoilt(log), fc.constant(log), absurd)),
      async (answer: unknown) => {
        for (const { blockNumber, logIndex, transactionIndex } of parseLogs(answer)) {
          expect(isStorable(blockNumber)).toBe(true)
          expect(logIndex).toBeLessThan(2 ** 31)
          expect(transactionIndex).toBeLessThan(2 ** 31)
        }
      },
    ],
    [
      'header',
      fc.oneof(spoilt(header), absurd),
      async (answer: unknown) => {
        const read = answer === undefined ? undefined : parseHeader(answer)
        if (read === undefined) return
        expect(isStorable(read.number)).toBe(true)
        // A date must exist for it.
        expect(() => new Date(Number(read.timestamp) * 1000).toISOString()).not.toThrow()
        const { used = 0n } = read.gas ?? {}
        expect(used * (read.baseFeePerGas ?? 0n)).toBeLessThan(2n ** 256n)
      },
    ],
    [
      'receipt',
      fc.oneof(spoilt(receipt), absurd),
      async (answer: unknown) => {
        const read = await readReceipt(from(answer), hash)
        if (read === undefined) return
        expect(read.cost).toBeLessThan(2n ** 256n)
        expect(isStorable(read.block.number)).toBe(true)
      },
    ],
    [
      'transaction',
      fc.oneof(spoilt(transaction), absurd),
      async (answer: unknown) => {
        const read = await readTransaction(from(answer), hash, signal)
        if (read !== undefined) expect(read.value).toBeLessThan(2n ** 256n)
      },
    ],
    [
      'count',
      absurd,
      async (answer: unknown) => {
        const read = await countAt(from(answer), address, 'latest')
        expect(Number.isSafeInteger(read)).toBe(true)
        expect(typeof answer).toBe('string')
      },
    ],
    [
      'height',
      absurd,
      async (answer: unknown) => {
        expect(isStorable(parseHeight(answer))).toBe(true)
      },
    ],
  ] as const)('%s', async (_, answers: fc.Arbitrary<unknown>, read) => {
    await fc.assert(
      fc.asyncProperty(answers, async (answer) => {
        try {
          await read(answer)
        } catch (error) {
          if (!(error instanceof UnusableAnswerError)) throw error
        }
      }),
      { numRuns: runs(1_000) },
    )
  })

  it('for the methods whose answers viem reads', () => {
    const methods = [
      'eth_blockNumber',
      'eth_estimateGas',
      'eth_gasPrice',
      'eth_getTransactionCount',
    ]
    for (const method of [...methods, 'eth_feeHistory', 'eth_getCode', 'eth_getBlockByNumber'])
      for (const answer of ['0xzz', '', 7, numberToHex(2n ** 256n), [], true])
        expect(() => checkAnswer(method, answer), `${method} ${answer}`).toThrow(
          UnusableAnswerError,
        )
    expect(checkAnswer('eth_getTransactionCount', '0x7')).toBe('0x7')
  })
})

it('valid answers are read', async () => {
  expect(parseLogs([log])).toMatchObject([{ blockNumber: 16n, logIndex: 1 }])
  expect(parseHeader(header)).toMatchObject({ number: 16n, gas: { used: 21_000n } })
  expect(await readReceipt(from(receipt), hash)).toMatchObject({ cost: 147_001n })
  expect(await countAt(from('0x7'), address, 'latest')).toBe(7)
})
