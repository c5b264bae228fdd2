import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { erc20Abi, multicall3Abi } from 'viem'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseConfig, readConfig } from '#src/config/config.ts'
import { createLog } from '#src/config/log.ts'
import { isListening } from '#test/support/clients/isListening.ts'
import { patience } from '#test/support/patience.ts'
import { createAnvilClient } from './chain/anvilProcess.ts'
import type { DevnetDescription } from './describeDevnet.ts'
import { type Devnet, startDevnet } from './startDevnet.ts'

const log = createLog('silent')
const directories: string[] = []
const makeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'devnet-'))
  directories.push(directory)
  return directory
}
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

const readDescription = (directory: string): DevnetDescription =>
  JSON.parse(readFileSync(join(directory, 'devnet.json'), 'utf8'))

const portsOf = ({ chains }: DevnetDescription): number[] =>
  chains.map(({ rpcUrl }) => Number(new URL(rpcUrl).port))

/** All that is the same at every start. */
const withoutPorts = ({ chains, ...rest }: DevnetDescription) => ({
  ...rest,
  chains: chains.map(({ rpcUrl, wsUrl, ...chain }) => chain),
})

describe('a running devnet', () => {
  const directory = makeDirectory()
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ log, directory, firstPort: 0 })
  })
  afterAll(() => devnet.stop())

  test('describes itself in devnet.json, written whole', () => {
    expect(readDescription(directory)).toEqual(devnet.description)
    expect(readdirSync(directory).sort()).toEqual([
      'devnet.json',
      'devnetConfig.json',
      'tokenList.json',
    ])
  })

  test('is a valid configuration of three chains', () => {
    const config = parseConfig(devnet.config, 'the devnet')
    expect(config.chains.map(({ id, l1DataFee }) => [id, l1DataFee])).toEqual([
      [990001, 'none'],
      [990002, 'opStack'],
      [990003, 'none'],
    ])
    expect(config.assets.map(({ symbol, currencies }) => [symbol, currencies.length])).toEqual([
      ['ETH', 3],
      ['USDC', 3],
      ['USDT', 3],
      ['DAI', 3],
      ['BTC', 3],
    ])
  })

  test('lists its currencies for wallets, but for one, with logos that ask no host', () => {
    const list = JSON.parse(readFileSync(join(directory, 'tokenList.json'), 'utf8'))
    const listed = new Set(
      list.tokens.map((each: { chainId: number; address: string }) => each.chainId + each.address),
    )
    for (const { id, currencies } of devnet.description.chains) {
      const unlisted = currencies.filter(({ address }) => !listed.has(id + address))
      expect(unlisted.map(({ symbol }) => symbol)).toEqual(['ELM'])
    }
    for (const { symbol, name, logoURI } of list.tokens) {
      expect(logoURI).toMatch(/^data:image\/svg\+xml,/)
      // As the schema of token lists asks.
      expect(symbol).toMatch(/^[a-zA-Z0-9+\-%/$.]{1,20}$/)
      expect(name).toMatch(/^[ \w.'+\-%/À-ÖØ-öø-ÿ:&[\]()]{1,60}$/)
    }
  })

  test('no currency has one address on two chains', () => {
    const all = devnet.description.chains.flatMap(({ currencies }) =>
      currencies.map(({ address }) => address),
    )
    expect(new Set(all).size).toBe(all.length)
  })

  test('funds every account in every currency, and the solver in the currencies that it pays out', async () => {
    const bridges = ['WETH', 'WBNB', 'ETH', 'USDC', 'USDT', 'DAI', 'WBTC']
    const { accounts, solver, chains } = devnet.description
    expect(accounts).toHaveLength(5)
    for (const { rpcUrl, currencies } of chains) {
      const client = createAnvilClient(rpcUrl)
      const holds = (address: `0x${string}`, holder: `0x${string}`) =>
        client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
      const paidOut = currencies.filter(({ symbol }) => bridges.includes(symbol))
      const balances = await Promise.all([
        ...[...accounts, solver].map(({ address }) => client.getBalance({ address })),
        ...accounts.flatMap((account) =>
          currencies.map(({ address }) => holds(address, account.address)),
        ),
        ...paidOut.map(({ address }) => holds(address, solver.address)),
      ])
      expect(balances.filter((balance) => balance === 0n)).toEqual([])
    }
  })

  test('its currencies have the same metadata on chain as in the description', async () => {
    for (const { rpcUrl, currencies } of devnet.description.chains) {
      const client = createAnvilClient(rpcUrl)
      for (const { address, symbol, decimals } of currencies) {
        const contract = { address, abi: erc20Abi } as const
        expect(await client.readContract({ ...contract, functionName: 'decimals' })).toBe(decimals)
        // Its symbol is no string: see currencies.test.ts.
        if (symbol === 'DUNE') continue
        expect(await client.readContract({ ...contract, functionName: 'symbol' })).toBe(symbol)
      }
    }
  })

  test('has Multicall3 at its usual address', async () => {
    for (const { rpcUrl, contracts } of devnet.description.chains) {
      expect(contracts.multicall3).toBe('0xca11bde05977b3631167028862be2a173976ca11')
      const balance = await createAnvilClient(rpcUrl).readContract({
        address: contracts.multicall3,
        abi: multicall3Abi,
        functionName: 'getEthBalance',
        args: [contracts.wrappedNative],
      })
      expect(balance).toBeGreaterThan(0n)
    }
  })

  test('keeps mining at the wall clock, with a base fee that stays near its usual value', async () => {
    const usual = [8_000_000_000, 5_000_000, 100_000_000]
    for (const [at, { rpcUrl }] of devnet.description.chains.entries()) {
      const client = createAnvilClient(rpcUrl)
      // Left alone, empty blocks would have halved the fee by then.
      await vi.waitUntil(async () => {
        const { number, timestamp, baseFeePerGas } = await client.getBlock()
        const fee = Number(baseFeePerGas) / (usual[at] ?? 0)
        const age = Date.now() / 1000 - Number(timestamp)
        return number >= 6n && fee >= 0.9 && fee <= 1.1 && age > -1 && age < 3
      }, patience)
    }
  })

  test('has the addresses of any other one, which is gone once stopped', async () => {
    const elsewhere = makeDirectory()
    const other = await startDevnet({ log, directory: elsewhere, firstPort: 0 })
    expect(withoutPorts(devnet.description)).toEqual(withoutPorts(other.description))
    expect(withoutPorts(devnet.description).chains[0]?.contracts).toMatchInlineSnapshot(`
      {
        "approvalProxy": "0x9ebbe1b3ff2d4ca694f9783d49507a64998d91ab",
        "depositAddressFactory": "0xe1cb2dbab6b6fefe34b2aaa47b83eee79e8d36f8",
        "depository": "0xc4ee162b1b7d21a893f95676320799cf89773468",
        "multicall3": "0xca11bde05977b3631167028862be2a173976ca11",
        "nonfungiblePositionManager": "0xa14d2af6b11c949dcfcea1ec978e68e30f944af6",
        "quoterV2": "0x67d8a173cce2d49c56c2b4fb5c9ae62bdbc8e078",
        "router": "0x4da8dff1f326e50c46ac5c2ddf1b9e95ff19374a",
        "tickLens": "0xb2317c243a955004018e99a965769b23d5fa6495",
        "uniswapV2Factory": "0xbab8e13def75a95321e9f48d3ec57f2c0141a6c3",
        "uniswapV2Router02": "0xe979a64d375f5d363d7cecf3c93b9afd40ba9f55",
        "uniswapV3Factory": "0x5da6d90630a282169bce92735cc1e4aaf14c9c64",
        "uniswapV3SwapRouter": "0xe3d991487dac402fbc543c9a8ab3d044b008d191",
        "wrappedNative": "0xef11d1c2aa48826d4c41e54ab82d1ff5ad8a64ca",
      }
    `)

    const [own, others] = [portsOf(devnet.description), portsOf(other.description)]
    expect(new Set([...own, ...others]).size).toBe(6)
    await Promise.all([other.stop(), other.stop()])
    expect(await Promise.all(others.map(isListening))).toEqual([false, false, false])
    expect(await Promise.all(own.map(isListening))).toEqual([true, true, true])
    expect(readdirSync(elsewhere)).toEqual(['tokenList.json'])
  })

  test('with its Solana chain it bridges SOL, and every other contract has the same address', async () => {
    const elsewhere = makeDirectory()
    const chainIds = [990001, 990003]
    const plain = withoutPorts(devnet.description)
    const bridging = await startDevnet({
      log,
      directory: elsewhere,
      chainIds,
      firstPort: 0,
      hasSvm: true,
    })
    try {
      const { svmChain, ...usual } = withoutPorts(bridging.description)
      const bridged = usual.chains.flatMap(({ currencies }) =>
        currencies.filter(({ symbol }) => symbol === 'SOL'),
      )
      expect(bridged).toMatchInlineSnapshot(`
        [
          {
            "address": "0x17212c981dde91ba4b68dce07adcd2d3d281e97e",
            "decimals": 9,
            "symbol": "SOL",
          },
          {
            "address": "0xe8ecf644d9a3432dab3a0725308f265990eedca9",
            "decimals": 9,
            "symbol": "SOL",
          },
        ]
      `)
      const chains = usual.chains.map(({ currencies, ...chain }) => ({
        ...chain,
        currencies: currencies.filter((each) => !bridged.includes(each)),
      }))
      const plainChains = plain.chains.filter(({ id }) => chainIds.includes(id))
      expect({ ...usual, chains }).toEqual({ ...plain, chains: plainChains })
      expect(readDescription(elsewhere)).toEqual(bridging.description)
      expect(svmChain?.rpcUrl).toBe(bridging.svmChain?.node.url)

      const config = readConfig(join(elsewhere, 'devnetConfig.json'))
      expect(config.svmChains.map(({ id, priceFeeds }) => [id, priceFeeds.length])).toEqual([
        [990004, 3],
      ])
      const counts = config.assets.map(({ symbol, currencies }) => [symbol, currencies.length])
      expect(Object.fromEntries(counts)).toEqual({
        ETH: 2,
        USDC: 3,
        USDT: 3,
        DAI: 2,
        BTC: 2,
        SOL: 3,
      })
      expect(config.solver.svm).toEqual({
        address: svmChain?.keys.solver.address,
        allocator: svmChain?.keys.allocator.address,
      })
    } finally {
      await bridging.stop()
    }
    const port = Number(new URL(bridging.svmChain?.node.url ?? '').port)
    expect(await isListening(port)).toBe(false)
  })
})

test('a chain whose port is taken gets another one', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const taken = typeof address === 'object' ? (address?.port ?? 0) : 0
  const chainIds = [990001, 990002]
  const devnet = await startDevnet({ log, directory: makeDirectory(), chainIds, firstPort: taken })
  try {
    expect(portsOf(devnet.description)[0]).not.toBe(taken)
    expect(await Promise.all(portsOf(devnet.description).map(isListening))).toEqual([true, true])
  } finally {
    await devnet.stop()
    server.close()
  }
})

test('leaves nothing running when it cannot describe itself', async () => {
  const notADirectory = join(makeDirectory(), 'file')
  writeFileSync(notADirectory, '')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const firstPort = typeof address === 'object' ? (address?.port ?? 0) : 0
  server.close()
  await once(server, 'close')
  const started = startDevnet({ log, directory: notADirectory, firstPort })
  await expect(started).rejects.toThrow(notADirectory)
  const ports = [firstPort, firstPort + 1, firstPort + 2]
  expect(await Promise.all(ports.map(isListening))).toEqual([false, false, false])
})

test('does not outlive a parent that is killed outright', async () => {
  const directory = makeDirectory()
  const module = (name: string) => JSON.stringify(fileURLToPath(import.meta.resolve(name)))
  const program = `import { startDevnet } from ${module('#src/devnet/startDevnet.ts')}
    import { createLog } from ${module('#src/config/log.ts')}
    const log = createLog('silent')
    await startDevnet({ log, directory: ${JSON.stringify(directory)}, firstPort: 0, traffic: true })
    console.log('ready')`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(parent.stdout, 'data')
  const ports = portsOf(readDescription(directory))
  expect(await Promise.all(ports.map(isListening))).toEqual([true, true, true])

  parent.kill('SIGKILL')
  await once(parent, 'exit')

  const noneListens = async () => !(await Promise.all(ports.map(isListening))).includes(true)
  await vi.waitUntil(noneListens, patience)
})
