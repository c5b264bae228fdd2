import { type Hex, keccak256 } from 'viem'
import { toAddress } from '#src/core/units/address.ts'
import type { Attack } from '#test/bench/attackers/attack.ts'
import type { Trade } from '#test/bench/attackers/trade.ts'
import { ethereum, replaceBlocks, rollup } from '#test/bench/attackers/world.ts'
import { mineAtUsualFee } from '#test/support/chains/sendUntilMined.ts'

type RpcReceipt = Readonly<{ transactionHash: Hex; logs: readonly object[] }>
type ReceiptRequest = {
  Method: 'eth_getTransactionReceipt'
  Parameters: [Hex]
  ReturnType: RpcReceipt
}

/** Deposits of ether on Ethereum that a reorg removes: a transfer to the attacker itself takes their first nonce. */
type Deposits = Readonly<{
  trades: readonly Trade[]
  /** In the form of the node's answer. */
  receipts: readonly RpcReceipt[]
  /** Replaces all blocks since the deposits. Mining must be suspended. */
  takeBack: () => Promise<void>
}>

type DepositsArgs = Readonly<{
  /** In wei, in turn. */
  amounts?: readonly bigint[]
  change?: Readonly<Record<string, unknown>>
}>

/** Quotes `count` trades, and deposits for all of them in one block. Mining must be suspended. */
export async function depositAtOnce(
  attack: Attack,
  count: number,
  { amounts = [10n ** 17n], change = {} }: DepositsArgs = {},
): Promise<Deposits> {
  const { actor, world } = attack
  const client = world.on(ethereum)
  const trades: Trade[] = []
  for (let at = 0; at < count; at += 1) {
    const amount = amounts[at % amounts.length] ?? 0n
    const trade = await attack.quote([ethereum, 'ETH'], [rollup, 'ETH'], amount, change)
    if (trade !== undefined) trades.push(trade)
  }
  const first = await client.getTransactionCount({ address: actor.address })
  const calls = trades.flatMap(({ quoted }) => quoted.steps.flatMap(({ items }) => items))
  const raws = await Promise.all(
    calls.map(({ data: { to, data, value } }, at) => {
      const call = { to: toAddress(to), data: data as Hex, value: BigInt(value), gas: 500_000n }
      return actor.sign(ethereum, call, first + at)
    }),
  )
  for (const raw of raws) await client.sendRawTransaction({ serializedTransaction: raw })
  const before = await client.getBlockNumber()
  await mineAtUsualFee(client)
  const receipts = await Promise.all(
    raws.map((raw) =>
      client.request<ReceiptRequest>({
        method: 'eth_getTransactionReceipt',
        params: [keccak256(raw)],
      }),
    ),
  )
  const again = await actor.sign(ethereum, { to: actor.address, gas: 21_000n }, first)
  return {
    trades,
    receipts,
    takeBack: async () => {
      const depth = Number((await client.getBlockNumber()) - before)
      const dropped = new Set(receipts.map(({ transactionHash }) => transactionHash))
      await replaceBlocks(client, depth, dropped, [again])
    },
  }
}
