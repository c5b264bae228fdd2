import { type AnvilClient, createAnvilClient, startAnvil } from '#src/devnet/chain/anvilProcess.ts'
import { type DeployedChain, deployChain } from '#src/devnet/deployment/deployChain.ts'
import type { ChainPlan, DeployedCurrency } from '#src/devnet/plan/chainPlan.ts'
import { finalityBlocks } from './pace.ts'

/** A devnet chain with its contracts deployed. It mines only on request. */
export type DeployedTestChain = Readonly<{
  client: AnvilClient
  deployed: DeployedChain
  /** @throws Error when the chain has no such currency. */
  currency: (symbol: string) => DeployedCurrency
  stop: () => Promise<void>
}>

/** An empty chain that mines only on request. One block can hold any number of transactions. */
export const startBareChain = (chainId: number) =>
  startAnvil({
    chainId,
    finalityBlocks,
    options: ['--no-mining', '--gas-limit', '100000000000', '--no-request-size-limit'],
  })

export async function startDeployedChain(plan: ChainPlan): Promise<DeployedTestChain> {
  const anvil = await startBareChain(plan.id)
  const client = createAnvilClient(anvil.rpcUrl)
  const deployed = await deployChain(client, plan)
  return {
    client,
    deployed,
    currency: (symbol) => {
      const found = deployed.currencies.find((each) => each.symbol === symbol)
      if (found === undefined) throw new Error(`No ${symbol} on ${plan.name}`)
      return found
    },
    stop: anvil.stop,
  }
}
