import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConfigInput } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import { runChain } from './chain/runChain.ts'
import { configOf, type DevnetDescription, describe, tokenListOf, writeJson } from './describe.ts'
import { chainPlans } from './plan/chainPlan.ts'
import type { PlannedPool } from './plan/poolPlan.ts'

type WhileMining = <Value>(chainId: number, act: () => Promise<Value>) => Promise<Value>

export type Devnet = Readonly<{
  /** The configuration of a gateway on this devnet. */
  config: ConfigInput
  description: DevnetDescription
  /** Runs `act`; meanwhile the chain mines no block by itself. */
  suspendMining: WhileMining
  /** Runs `act`; meanwhile the chain mines only when a transaction is pending. */
  minePendingOnly: WhileMining
  /** Resolves when the chains have ended. May be called twice. */
  stop: () => Promise<void>
}>

type DevnetArgs = Readonly<{
  log: Log
  /** The chains to start, all where it is left out. */
  chainIds?: readonly number[]
  /** Directory for `devnet.json`, the token list and `devnetConfig.json`, by which other processes find the devnet. */
  directory: string
  /** Resolves once this process owns `directory`. Nothing is written there before. */
  claimed?: Promise<unknown>
  /** Makes a trader swap at random, so that prices move. */
  traffic?: boolean
  /** Port of the first chain; the other chains use the next ports. If a port is taken or 0, the chain uses any free port. */
  firstPort?: number
  /** Mines a few blocks at once when a transaction is pending, besides those of the interval. */
  minesOnDemand?: boolean
  /** Time between two blocks. */
  blockMilliseconds?: number
  /** How many blocks follow a block once it is final: an even number, 64 where it is left out. */
  finalityBlocks?: number
  /** The pools of every chain, instead of the planned ones. A chain mines faster with fewer pools. */
  pools?: readonly PlannedPool[]
}>

/**
 * Up to three chains with real AMMs, currencies, price feeds and funded accounts, at the same addresses
 * every time. They mine a block a second, where nothing else is asked for.
 * @throws Error when a chain does not come up, or `directory` is not ours or cannot be written; no chain runs then.
 */
export async function startDevnet({
  log,
  chainIds,
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
  const started = await Promise.allSettled(
    plans.map((plan, at) =>
      runChain({
        log,
        plan,
        port: firstPort === 0 ? 0 : firstPort + at,
        traffic,
        minesOnDemand,
        blockMilliseconds,
        finalityBlocks,
        pools,
      }),
    ),
  )
  const chains = started.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const descriptionPath = resolve(directory, 'devnet.json')
  const configPath = resolve(directory, 'devnetConfig.json')
  const stopChains = () => Promise.all(chains.map((each) => each.stop()))
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
    const failure = started.find((each) => each.status === 'rejected')
    if (failure !== undefined) throw failure.reason
    const running = chains.map(({ chain }) => chain)
    await claimed
    const tokenList = resolve(directory, 'tokenList.json')
    writeJson(tokenList, tokenListOf(running, new Date().toISOString()))
    const description = describe(running)
    const config = configOf(running, tokenList)
    writeJson(configPath, config)
    writeJson(descriptionPath, description)
    return { config, description, suspendMining, minePendingOnly, stop }
  } catch (error) {
    await stopChains()
    throw error
  }
}
