import { size } from 'viem'
import type { ContractRig, Transaction } from '#test/contracts/contractRig.ts'

/** Prints the gas of a transaction as a row of the table, and undoes the transaction. */
export type MeasureGas = (name: string, transaction: Transaction) => Promise<void>

export function createMeasureGas({ client, send }: ContractRig): MeasureGas {
  process.stdout.write(
    '| transaction | gas used | calldata bytes | calldata gas | beyond 21,000 and calldata |\n|---|---|---|---|---|\n',
  )
  return async (name, transaction) => {
    const snapshot = await client.snapshot()
    await client.increaseTime({ seconds: 12 })
    const { gasUsed } = await send(transaction)
    await client.revert({ id: snapshot })
    const bytes = size(transaction.data)
    const calldata = [...Buffer.from(transaction.data.slice(2), 'hex')].reduce(
      (gas, byte) => gas + (byte === 0 ? 4 : 16),
      0,
    )
    const own = Number(gasUsed) - 21_000 - calldata
    process.stdout.write(`| ${name} | ${gasUsed} | ${bytes} | ${calldata} | ${own} |\n`)
  }
}
