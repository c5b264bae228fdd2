import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ConfigInput } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import { chainPlans } from './chainPlan.ts'
import { configOf, type DevnetDescription, describe, tokenListOf, writeJson } from './describe.ts'
import { runChain } from './runChain.ts'

type WhileMining = <Value>(chainId: number, act: () => Promise<Value>) => Promise<Value>

export type Devnet = Readonly<{
  /** For a gateway on this devnet. */
  config: ConfigInput
  description: DevnetDescription
  /** Runs `act` while the chain mines no block of its own accord. */
  suspendMining: WhileMining
  /** Runs `act` while the chain mines a block only where a transaction is pending. */
  minePendingOnly: WhileMining
  /** Resolves once the chains are gone; safe to call twice. */
  stop: () => Promise<void>
}>

type DevnetArgs = Readonly<{
  log: Log
  /** Where `devnet.json`, the token list and `devnetConfig.json` are written: what other processes join by. */
  directory: string
  /** Resolves once `directory` is this process's own: nothing is written there before. */
  claimed?: Promise<unknown>
  /** Lets a trader swap at random, so that prices move. */
  traffic?: boolean
  /** The first chain's; the others have the next ones. A port that is taken, or 0, gives way to any. */
  firstPort?: number
  /** Mines a few blocks at once when a transaction is pending, besides the block a second. */
  minesOnDemand?: boolean
}>

/**
 * Three chains with real AMMs, currencies, price feeds and funded accounts, at the same addresses
 * every time. They mine a block a second.
 * @throws Error when a chain does not come up, or `directory` is not ours or cannot be written; no chain runs then.
 */
export async function startDevnet({
  log,
  directory,
  claimed,
  traffic = false,
  firstPort = 18_545,
  minesOnDemand = false,
}: DevnetArgs): Promise<Devnet> {
  const started = await Promise.allSettled(
    chainPlans.map((plan, at) =>
      runChain({
        log,
        plan,
        port: firstPort === 0 ? 0 : firstPort + at,
        traffic,
        minesOnDemand,
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
