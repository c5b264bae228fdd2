import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConfigInput } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import {
  configOf,
  type DevnetDescription,
  describeDevnet,
  tokenListOf,
  writeJson,
} from './describeDevnet.ts'
import { chainPlans } from './plan/chainPlan.ts'
import type { PlannedPool } from './plan/poolPlan.ts'
import { runChain } from './runChain.ts'
import type { SvmChain } from './svm/startSvmChain.ts'

type WhileMining = <Value>(chainId: number, act: () => Promise<Value>) => Promise<Value>

export type Devnet = Readonly<{
  /** The configuration of a gateway on this devnet. */
  config: ConfigInput
  description: DevnetDescription
  /** Runs `act`. During it the chain mines no block by itself. */
  suspendMining: WhileMining
  /** Runs `act`. During it the chain mines only when a transaction is pending. */
  minePendingOnly: WhileMining
  /** The Solana chain, if the devnet has it. */
  svmChain: SvmChain | undefined
  /** Resolves when the chains have ended. May be called twice. */
  stop: () => Promise<void>
}>

type DevnetArgs = Readonly<{
  log: Log
  /** The EVM chains to start. Absent: all. */
  chainIds?: readonly number[]
  /** Starts the Solana chain too, and deploys bridged SOL on the others. */
  hasSvm?: boolean
  /** Directory for the token list, and for `devnet.json` and `devnetConfig.json`, which other processes read. */
  directory: string
  /** Resolves when this process owns `directory`. Nothing is written there before. */
  claimed?: Promise<unknown>
  /** Makes a trader swap at random, so that prices move. */
  traffic?: boolean
  /** Port of the first chain. The others use the next ports. If a port is taken or 0, the chain uses any free port. */
  firstPort?: number
  /** Mines a few extra blocks at once when a transaction is pending. */
  minesOnDemand?: boolean
  /** Time between blocks. */
  blockMilliseconds?: number
  /** Number of blocks after which a block is final. Even. Absent: 64. */
  finalityBlocks?: number
  /** The pools of every chain, instead of the planned ones. A chain mines faster with fewer pools. */
  pools?: readonly PlannedPool[]
}>

/**
 * Starts up to three chains with real AMMs, currencies, price feeds and funded accounts, always at the same addresses,
 * and a Solana chain if `hasSvm`.
 * @throws Error if a chain does not start, `claimed` rejects, or `directory` cannot be written. No chain then runs.
 */
export async function startDevnet({
  log,
  chainIds,
  hasSvm = false,
  directory,
  claimed,
  traffic = false,
  firstPort = 18_545,
  minesOnDemand = false,
  blockMilliseconds = 1000,
  finalityBlocks,
  pools,
}: DevnetArgs): Promise<Devnet> {
  const plans = chainPlans.filter(({ id }) => chainIds?.includes(id) ?? true)
  const portAt = (at: number) => (firstPort === 0 ? 0 : firstPort + at)
  const shared = { log, traffic, minesOnDemand, blockMilliseconds, finalityBlocks, pools }
  const [started, [startedSvm]] = await Promise.all([
    Promise.allSettled(
      plans.map((plan, at) =>
        runChain({ ...shared, plan, port: portAt(at), hasBridgedSol: hasSvm }),
      ),
    ),
    Promise.allSettled(hasSvm ? [startSvm(log, portAt(plans.length))] : []),
  ])
  const chains = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const svmChain = startedSvm?.status === 'fulfilled' ? startedSvm.value : undefined
  const descriptionPath = resolve(directory, 'devnet.json')
  const configPath = resolve(directory, 'devnetConfig.json')
  const stopChains = () => Promise.all([...chains, svmChain].map((each) => each?.stop()))
  const stop = async () => {
    await stopChains()
    for (const path of [descriptionPath, configPath]) rmSync(path, { force: true })
  }
  const chainOf = (chainId: number) => {
    const found = chains.find(({ chain }) => chain.plan.id === chainId)
    if (found === undefined) throw new Error(`The devnet has no chain ${chainId}`)
    return found
  }
  const suspendMining: WhileMining = (chainId, act) => chainOf(chainId).suspendMining(act)
  const minePendingOnly: WhileMining = (chainId, act) => chainOf(chainId).minePendingOnly(act)
  try {
    const failure = [...started, startedSvm].find((each) => each?.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    const running = chains.map(({ chain }) => chain)
    await claimed
    const tokenList = resolve(directory, 'tokenList.json')
    const svm = svmChain?.description
    writeJson(tokenList, tokenListOf(running, new Date().toISOString(), svm))
    const description = describeDevnet(running, svm)
    const config = configOf(running, tokenList, svm)
    writeJson(configPath, config)
    writeJson(descriptionPath, description)
    return { config, description, suspendMining, minePendingOnly, svmChain, stop }
  } catch (error) {
    await stopChains()
    throw error
  }
}

/** Loads the runtime of Solana only here: other devnets need none of it. */
async function startSvm(log: Log, port: number): Promise<SvmChain> {
  const { startSvmChain } = await import('./svm/startSvmChain.ts')
  return startSvmChain({ log, port, hasClock: true })
}
