import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { address } from '@solana/kit'
import { LiteSVM } from 'litesvm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Config, parseConfig } from '#src/config/config.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { createMints } from '#src/devnet/svm/deployment/createMints.ts'
import { deployProgram } from '#src/devnet/svm/deployment/deployProgram.ts'
import type { SvmChain } from '#src/devnet/svm/startSvmChain.ts'
import { svmOwner, svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import { vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { configureCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { checkConfig, refuseWrongFacts } from '#src/system/check/checkConfig.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { setFrozen } from '#test/support/svm/freezing.ts'

const directory = mkdtempSync(join(tmpdir(), 'devnet-'))
let devnet: Devnet
let chain: SvmChain
let config: Config
beforeAll(async () => {
  const args = { log: silentLog, directory, chainIds: [990001], pools: [], hasSvm: true }
  devnet = await startDevnet({ ...args, firstPort: 0 })
  if (devnet.svmChain === undefined) throw new Error('The devnet has a Solana chain')
  chain = devnet.svmChain
  config = parseConfig(devnet.config, 'devnet')
})
afterAll(async () => {
  await devnet.stop()
  rmSync(directory, { recursive: true })
})

const deps = { log: silentLog, now: Date.now }

/** The facts of all chains that are not right. */
async function faultsOf(changed: Partial<Config>, listed: readonly Currency[] = []) {
  const reports = await checkConfig(deps, { ...config, ...changed }, 60, listed)
  return reports.flatMap(({ facts }) =>
    facts
      .filter(({ state }) => state !== 'ok')
      .map(({ name, state, found }) => `${name}: ${state}, ${found}`),
  )
}

type Change = Partial<Config['svmChains'][number]>

const withChain = (change: Change) => ({
  svmChains: config.svmChains.map((each) => ({ ...each, ...change })),
})

const withSolver = (svm: Partial<NonNullable<Config['solver']['svm']>>) => {
  if (config.solver.svm === undefined) throw new Error('The solver has accounts')
  return { solver: { ...config.solver, svm: { ...config.solver.svm, ...svm } } }
}

describe('the facts of a Solana chain', () => {
  it('are all right on the devnet', async () => {
    const reports = await checkConfig(deps, config, 60, [])
    expect(reports.map((each) => each.chain.displayName)).toEqual([
      'Devnet Ethereum',
      'Devnet Solana',
    ])
    expect(await faultsOf({})).toEqual([])
    const { keys } = chain.description
    expect(reports[1]?.facts.map(({ name, found }) => [name, found])).toEqual([
      ['rpcUrls.0 genesis hash', chain.description.genesisHash],
      ['program code', expect.stringMatching(/^sha256 [0-9a-f]{32}$/)],
      ['program allocator', keys.allocator.address],
      ['program payee', keys.solver.address],
      ['program exit time', '1209600 s'],
      ['program limit of SOL', '6666666666667 an hour'],
      ...chain.description.mints.map((mint) => [
        `program limit of ${mint.address}`,
        '1000000000000 an hour',
      ]),
      ...chain.description.mints.flatMap((mint) => [
        [`vault of ${mint.address}`, 'a token account'],
        [`solver’s account of ${mint.address}`, 'a token account'],
      ]),
      ...chain.description.mints.map((mint) => [
        `assets ${mint.symbol} ${mint.address} decimals`,
        '6',
      ]),
    ])
  })

  it('name an endpoint of another cluster, which is not asked further', async () => {
    const genesisHash = chain.node.tip().blockhash
    const faults = await faultsOf(withChain({ genesisHash: genesisHash as never }))
    expect(faults).toEqual([
      `rpcUrls.0 genesis hash: wrong, ${chain.description.genesisHash}`,
      expect.stringMatching(/^accounts: notChecked, /),
    ])
  })

  it('name what the program does not have', async () => {
    const other = svmSigner('another account').pubkey
    expect(await faultsOf(withChain({ program: other }))).toEqual([
      'program code: wrong, no program',
    ])
    const { solver, allocator } = chain.description.keys
    const unheld = chain.description.mints.map(
      (mint) => `solver’s account of ${mint.address}: wrong, none`,
    )
    expect(await faultsOf(withSolver({ address: other }))).toEqual([
      `program payee: wrong, ${solver.address}`,
      ...unheld,
    ])
    expect(await faultsOf(withSolver({ allocator: undefined }))).toEqual([
      `program allocator: wrong, ${allocator.address}`,
    ])
  })

  it('name another program, and one that is not initialized', async () => {
    const [program, buffer] = [svmSigner('another program'), svmSigner('another buffer')]
    const account = new LiteSVM().getAccount(address(programIds.memo))
    if (!account.exists) throw new Error('LiteSVM has the memo program')
    const code = new Uint8Array(account.data)
    await deployProgram(chain.node, { owner: svmOwner, program, buffer, code })
    chain.node.warp({ slots: 3 })
    const faults = await faultsOf(withChain({ program: program.pubkey }))
    expect(faults.slice(0, 2)).toEqual([
      expect.stringMatching(/^program code: wrong, sha256 /),
      'program configuration: wrong, none: initialize the program',
    ])
  })

  it('name currencies that the program does not take, and other decimals', async () => {
    const mint = svmSigner('another mint')
    const chainId = toChainId(chain.description.id)
    await createMints(chain.node, svmOwner, [{ signer: mint, decimals: 3 }], {
      holders: [],
      amount: 0n,
    })
    chain.node.warp({ slots: 3 })
    const listing = {
      ...{ chainId, address: mint.pubkey, symbol: 'NEW', name: 'New', decimals: 4 },
      metadata: { verified: true, isNative: false },
    }
    expect(await faultsOf({}, [listing])).toEqual([
      `tokenList NEW ${mint.pubkey} decimals: wrong, 3`,
    ])
    const currencies = [{ chainId, address: mint.pubkey }]
    const asset = { symbol: 'NEW', class: 'other', currencies, pegTolerance: toBps(100n) } as const
    expect(await faultsOf({ assets: [...config.assets, asset] })).toEqual([
      `program limit of ${mint.pubkey}: wrong, none`,
      `vault of ${mint.pubkey}: wrong, none`,
      `solver’s account of ${mint.pubkey}: wrong, none`,
    ])
  })

  it('warn of frozen tokens of the vault', async () => {
    const [{ address: mint } = { address: undefined }] = chain.description.mints
    const { program } = config.svmChains[0] ?? {}
    if (program === undefined || mint === undefined) throw new Error('The chain has both')
    const frozen = { mint, owner: vaultAddress(program), authority: svmOwner.pubkey }
    const change = async (kind: 'freeze' | 'thaw') => {
      const instructions = [setFrozen(kind, frozen)]
      await chain.node.land([{ signers: [svmOwner], instructions }])
      chain.node.warp({ slots: 3 })
    }
    await change('freeze')
    expect(await faultsOf({})).toEqual([`vault of ${mint}: warning, a frozen token account`])
    await change('thaw')
    expect(await faultsOf({})).toEqual([])
  })

  it('name price feeds of another pair, on the chain of the feed', async () => {
    const priceFeeds = config.svmChains[0]?.priceFeeds.map((feed) => ({
      ...feed,
      description: 'BTC / USD',
    }))
    const faults = await faultsOf(withChain({ priceFeeds: priceFeeds ?? [] }))
    expect(faults).toEqual([
      'devnet-solana priceFeeds.0 description: wrong, SOL / USD',
      'devnet-solana priceFeeds.1 description: wrong, USDC / USD',
      'devnet-solana priceFeeds.2 description: wrong, USDT / USD',
    ])
  })

  it('stop the start if one is wrong', async () => {
    const refusal = refuseWrongFacts(
      { ...deps, silent: silentLog },
      { ...config, ...withChain({ program: toPubkey(svmOwner.pubkey) }) },
      60,
    )
    await expect(refusal).rejects.toThrow('Devnet Solana (990004): program code: found no program')
  })

  // Last, as it changes the program.
  it('warn of a payee that is to come, and of an owner that also signs', async () => {
    const { program } = config.svmChains[0] ?? {}
    const allocator = toPubkey(chain.description.keys.allocator.address)
    if (program === undefined) throw new Error('The chain has a program')
    const roles = { owner: allocator, allocator, payee: svmOwner.pubkey }
    const call = configureCall(program, svmOwner.pubkey, roles)
    await chain.node.land([{ signers: [svmOwner], instructions: [call] }])
    chain.node.warp({ slots: 3 })
    const faults = [
      `program pending payee: warning, ${svmOwner.pubkey}`,
      `program owner: warning, ${allocator}`,
    ]
    expect(await faultsOf({})).toEqual(faults)
    const later = { ...deps, now: () => Date.now() + 3 * 86_400_000 }
    const [, report] = await checkConfig(later, { ...config, chains: config.chains }, 60, [])
    expect(report?.facts.find(({ name }) => name === 'program payee')).toMatchObject({
      state: 'wrong',
      found: svmOwner.pubkey,
    })
  })
})
