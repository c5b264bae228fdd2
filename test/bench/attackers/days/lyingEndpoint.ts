import { setTimeout as pause } from 'node:timers/promises'
import type { Hex } from 'viem'
import type { Attack, Day } from '#test/bench/attackers/attack.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'
import type { Behaviour } from '#test/support/nodes/rpcProxy.ts'
import { depositAtOnce } from './takeBack.ts'

/** Duration of the endpoint's lie. */
const patienceSeconds = 25

/** One of the two endpoints of a chain belongs to the attacker. */
export const lyingEndpoint: Day = {
  name: 'a lying endpoint',
  isSequential: true,
  strategies: [
    { name: 'shows deposits that no chain has', run: showDeposits },
    { name: 'shows another genesis block for a while', run: showGenesis },
  ],
}

/** Makes deposits, takes them back by a reorg, and shows them on. */
async function showDeposits(attack: Attack, count: number): Promise<void> {
  const { trading, world } = attack
  const { trades, receipts } = await world.devnet.suspendMining(ethereum, async () => {
    const deposits = await depositAtOnce(attack, count)
    await deposits.takeBack()
    return deposits
  })
  const from = (await world.on(ethereum).getBlockNumber()) + 1n
  const proxy = world.proxyOf(ethereum)
  proxy.behave(replay(attack, { receipts, from }))
  const ended = trades.map((trade) => trading.ended(trade, patienceSeconds))
  await Promise.all(ended)
  proxy.behave('pass')
}

type Shown = Readonly<{ receipts: readonly RpcReceipt[]; from: bigint }>
type RpcReceipt = Readonly<{ transactionHash: Hex; logs: readonly object[] }>

/** Shows transactions that the chain does not have in a block that nobody has read before. */
function replay({ world }: Attack, { receipts, from }: Shown): Behaviour {
  let block: Readonly<{ blockHash: Hex; blockNumber: Hex }> | undefined
  const moved = (logs: readonly object[], at: number) =>
    logs.map((log, index) => ({
      ...log,
      ...block,
      logIndex: `0x${(10_000 + 100 * at + index).toString(16)}`,
    }))
  return {
    change: async ({ method, params }, answer) => {
      const [first] = params
      const at = receipts.findIndex(({ transactionHash }) => transactionHash === first)
      const receipt = receipts[at]
      if (method === 'eth_getTransactionReceipt' && receipt !== undefined)
        return {
          result:
            block === undefined ? null : { ...receipt, ...block, logs: moved(receipt.logs, at) },
        }
      const { blockHash } = (first ?? {}) as { blockHash?: Hex }
      if (method !== 'eth_getLogs' || blockHash === undefined || !('result' in answer))
        return answer
      if (block === undefined) {
        const { number } = await world.on(ethereum).getBlock({ blockHash })
        if (number < from) return answer
        block = { blockHash, blockNumber: `0x${number.toString(16)}` }
      }
      if (blockHash !== block.blockHash) return answer
      const logs = receipts.flatMap((each, place) => moved(each.logs, place))
      return { result: [...(answer.result as object[]), ...logs] }
    },
  }
}

/** The stored data of the chain seem to belong to another one, as Crossquote starts: even the saved block is gone. */
async function showGenesis(attack: Attack, count: number): Promise<void> {
  const { world } = attack
  for (let at = 0; at < count; at += 1) {
    const trade = await attack.quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n)
    if (trade !== undefined) await attack.deposit(trade)
  }
  const proxy = world.proxyOf(ethereum)
  proxy.behave({
    change: ({ method, params: [block] }, answer) => {
      if (method === 'eth_getBlockByHash') return { result: null }
      return method === 'eth_getBlockByNumber' && block === '0x0' && 'result' in answer
        ? { result: { ...(answer.result as object), hash: `0x${'ab'.repeat(32)}` } }
        : answer
    },
  })
  await world.restart()
  await pause(2_000)
  proxy.behave('pass')
  await world.restart()
}
