import { expect, it } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { createVerifiedChains } from './verifiedChains.ts'

const chainId = toChainId(1)
const [ours, another] = ['1', '2'].map((digit) => `0x${digit.repeat(64)}` as const)

/** The answers of two checks, and the levels of their log lines. */
async function check(stored: string | undefined, isDevnet = false) {
  const logged: string[] = []
  const log = {
    ...createLog('silent'),
    debug: () => logged.push('debug'),
    info: () => logged.push('info'),
    error: () => logged.push('error'),
  } as unknown as ReturnType<typeof createLog>
  const { isVerified } = createVerifiedChains({
    genesisReads: new Map([[chainId, async () => ours]]),
    store: {
      cursor: async () => (stored === undefined ? undefined : { genesis: stored }),
    } as never,
    log,
    isDevnet,
    now: () => 0,
  })
  return { answers: [await isVerified(chainId), await isVerified(chainId)], logged }
}

it('a chain is verified by its genesis block, and a mismatch is logged once', async () => {
  expect(await check(ours)).toEqual({ answers: [true, true], logged: [] })
  expect(await check(another)).toEqual({ answers: [false, false], logged: ['error'] })
  expect(await check(undefined)).toEqual({ answers: [false, false], logged: ['debug'] })
})

it('a new devnet is no error', async () => {
  expect(await check(another, true)).toEqual({ answers: [false, false], logged: ['info'] })
})
