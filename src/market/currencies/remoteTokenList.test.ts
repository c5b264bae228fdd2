import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseCurrency } from '#src/core/pricing/checkOrder.ts'
import { marketOf } from '#src/core/pricing/market.ts'
import { evmAddress, nativeAddress, toAddress } from '#src/core/units/address.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { recordLog } from '#test/support/chains/testChain.ts'
import { useMarketChain } from '#test/support/chains/useMarketChain.ts'
import { readRemoteTokenList } from './remoteTokenList.ts'

describe('remote token list', () => {
  const list = { name: 'A list', tokens: [{ chainId: 1 }] }
  const url = 'https://lists.example/v1/0123456789abcdef.json?key=secret'

  let answer: (response: ServerResponse) => void
  const paths: (string | undefined)[] = []
  const server = createServer((request, response) => {
    paths.push(request.url)
    answer(response)
  })
  /** Leads every host to the server, without TLS. */
  const dispatcher = new Agent({
    connect: (_, done) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.once('connect', () => done(null, socket)).once('error', (error) => done(error, null))
    },
  })
  const home = mkdtempSync(join(tmpdir(), 'lists-'))
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    await dispatcher.destroy()
    server.closeAllConnections()
    server.close()
    rmSync(home, { recursive: true })
  })

  let count = 0
  /** Reads the list with a directory of its own. */
  function createReader(directory = join(home, `${++count}`)) {
    const { log, lines } = recordLog()
    const read = (timeoutMs = 60_000) =>
      readRemoteTokenList({ log, directory, dispatcher, timeoutMs }, url)
    return { read, lines, directory }
  }

  const send =
    (body: string, status = 200, headers = {}) =>
    (response: ServerResponse) =>
      void response.writeHead(status, headers).end(body)

  const failures: readonly [string, (response: ServerResponse) => void, RegExp][] = [
    ['an error', send(JSON.stringify(list), 500), /HTTP 500/],
    ['a redirect', send('', 302, { location: 'http://elsewhere.example' }), /HTTP 302/],
    ['what is no JSON', send('<html>'), /JSON/],
    ['what is no list', send('{"tokens":7}'), /is not a token list/],
    ['too much', send(JSON.stringify({ ...list, more: 'x'.repeat(10_500_000) })), /more than/],
    ['a compressed body', send('x', 200, { 'content-encoding': 'gzip' }), /is compressed/],
    ['nothing', () => undefined, /timeout|aborted/i],
  ]

  it('reads a list, and keeps one copy of it', async () => {
    const { read, lines, directory } = createReader()
    answer = send(JSON.stringify(list))
    expect(await read()).toEqual(list)
    expect(await read()).toEqual(list)
    expect(paths.at(-1)).toBe('/v1/0123456789abcdef.json?key=secret')
    expect(readdirSync(directory)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
    expect(lines).toEqual([])
  })

  it.each(failures)('uses the last good copy if the URL answers %s', async (name, fail, reason) => {
    const { read, lines } = createReader()
    answer = send(JSON.stringify(list))
    await read()
    answer = fail
    const limitMs = name === 'nothing' ? 100 : undefined
    expect(await read(limitMs)).toEqual(list)
    // The failure has not replaced the copy.
    expect(await read(limitMs)).toEqual(list)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatchObject({
      tokenList: 'https://lists.example/…',
      reason: expect.stringMatching(reason),
    })
  })

  it('reports the problem if there is no copy, without the keys of the URL', async () => {
    answer = send('', 404)
    const failure = createReader()
      .read()
      .catch((error: Error) => error.message)
    expect(await failure).toBe(
      'tokenList: cannot read https://lists.example/…, and there is no copy of it: HTTP 404',
    )
  })

  it('serves the list if no copy can be stored', async () => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    const { read, lines } = createReader(join(file, 'directory'))
    answer = send(JSON.stringify(list))
    expect(await read()).toEqual(list)
    expect(lines).toMatchObject([{ msg: 'No copy of a token list could be kept' }])
  })
})

const rig = useMarketChain()
const named = { side: 'origin', field: 'originCurrency' } as const

/** The devnet's list with changed entries. */
const listWith = (changes: Readonly<Record<string, Partial<Currency>>>): readonly Currency[] =>
  rig.chain.listed.map((each) => ({ ...each, ...changes[each.symbol] }))

function listed(symbol: string): Currency {
  const currency = rig.chain.listed.find((each) => each.symbol === symbol)
  if (currency === undefined) throw new Error(`${symbol} is not listed`)
  return currency
}

it('refuses a currency whose list has other decimals: 0.000000001 DAI paid out 999.56 DAI', async () => {
  const { market, chainId, lines } = rig.start({}, { listed: listWith({ DAI: { decimals: 6 } }) })
  await market.ready()
  const dai = listed('DAI')
  expect(market.currencies.known(dai)?.decimals).toBe(18)
  expect(market.currencies.known(dai)?.metadata.verified).toBe(false)
  expect(() => refuseCurrency(marketOf(market.snapshot([chainId]), dai), dai, named)).toThrow(
    expect.objectContaining({
      code: 'UNSUPPORTED_CURRENCY',
      message: expect.stringMatching(/6.*18/),
    }),
  )
  const pools = market.latest(chainId)?.graph.pools ?? []
  expect(
    pools.some((pool) => [pool.currency0, pool.currency1].includes(evmAddress(dai.address))),
  ).toBe(false)
  expect(market.currencies.known(listed('USDC'))).toEqual(listed('USDC'))
  expect(lines.filter(({ level }) => level >= 50)).toEqual([
    expect.objectContaining({ currency: dai.address, expected: 6, found: 18 }),
  ])
})

it('refuses a native currency with other decimals than the contract that wraps it', async () => {
  const nativeCurrency = { symbol: 'ETH', name: 'Ether', decimals: 6 }
  const { market, chainId } = rig.start({ nativeCurrency })
  await market.ready()
  expect(market.latest(chainId)?.refusedCurrencies.get(nativeAddress)).toBe(
    'the configuration has 6 decimals, the contract 18',
  )
})

it('only warns of other symbols and names, and of addresses without a currency', async () => {
  const nowhere = toAddress(`0x${'1'.repeat(40)}`)
  const list = listWith({ USDC: { symbol: 'USD', name: 'Dollar' }, DAI: { address: nowhere } })
  const { market, lines, chainId } = rig.start({}, { listed: list })
  await market.ready()
  expect(market.currencies.known(listed('USDC'))).toMatchObject({ symbol: 'USD', name: 'Dollar' })
  expect(market.currencies.known({ chainId, address: nowhere })).toBeUndefined()
  expect(lines.filter(({ level }) => level >= 40)).toMatchObject([
    { currencies: [nowhere] },
    { contracts: [{ address: listed('USDC').address, symbol: 'USDC' }] },
  ])
})

it('knows a listed currency only once its contract has answered', async () => {
  rig.proxy.behave('cut')
  const { market, atHead } = rig.start()
  expect(market.currencies.known(listed('USDC'))).toBeUndefined()
  rig.proxy.behave('pass')
  await market.ready()
  await atHead()
  expect(market.currencies.known(listed('USDC'))).toEqual(listed('USDC'))
})
