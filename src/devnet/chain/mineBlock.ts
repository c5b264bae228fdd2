import {
  formatTransaction,
  type Hex,
  keccak256,
  type RpcTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem'
import type { AnvilClient } from './anvilClient.ts'

/**
 * Mines a block, then resends the transactions that anvil has dropped. Anvil runs the transactions of a block in the
 * sequence of their arrival (`--order fifo`), not of their nonces, and drops those whose nonce is too high. This
 * affects later transactions of an account whose earlier one was replaced. Other nodes keep them.
 */
export async function mineBlock(client: AnvilClient): Promise<void> {
  const before = await readPool(client)
  await client.mine({ blocks: 1 })
  if (before.length === 0) return
  const [{ transactions }, after] = await Promise.all([client.getBlock(), readPool(client)])
  const present = new Set([...transactions, ...after.map(({ hash }) => hash)])
  for (const dropped of before.filter(({ hash }) => !present.has(hash))) {
    const serializedTransaction = serialize(dropped)
    if (serializedTransaction !== undefined)
      // Refused if another transaction has used the nonce, or the account cannot pay.
      await client.sendRawTransaction({ serializedTransaction }).catch(() => undefined)
  }
}

/** The mempool, by account and nonce. */
async function readPool(client: AnvilClient): Promise<readonly RpcTransaction[]> {
  const { pending, queued } = (await client.getTxpoolContent()) as unknown as Pool
  return [...Object.values(pending), ...Object.values(queued)].flatMap((each) =>
    Object.values(each),
  )
}

type Pool = Readonly<Record<'pending' | 'queued', Record<Hex, Record<string, RpcTransaction>>>>

/** The signed transaction. Undefined if it has no signature, because anvil impersonates its account. */
function serialize(transaction: RpcTransaction): Hex | undefined {
  const { r, s, v, yParity, input, ...fields } = formatTransaction(transaction)
  const call = { ...fields, data: input } as TransactionSerializable
  const serialized = serializeTransaction(call, { r, s, v, yParity: yParity ?? 0 })
  return keccak256(serialized) === transaction.hash ? serialized : undefined
}
