import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { Instruction } from './instruction.ts'
import {
  bufferHeaderBytes,
  deployBuffer,
  initializeBuffer,
  programAccountBytes,
  writeBuffer,
} from './loaderProgram.ts'
import { programIds } from './programIds.ts'
import { createAccount } from './systemProgram.ts'

/** A program on its way to a chain. */
type Deployment = Readonly<{
  /** Pays, and may upgrade the program. */
  payer: Pubkey
  program: Pubkey
  /** Holds the code until the program is deployed. */
  buffer: Pubkey
  code: Uint8Array
}>

/** The lamports that keep an account of so many bytes alive. */
type RentOf = (bytes: number) => Promise<bigint> | bigint

/** Bytes of code that fit into a transaction. */
const chunkBytes = 900

async function creationOf(payer: Pubkey, account: Pubkey, bytes: number, rentOf: RentOf) {
  const owner = programIds.upgradeableLoader
  return createAccount({
    payer,
    account,
    lamports: await rentOf(bytes),
    space: BigInt(bytes),
    owner,
  })
}

/** Makes the buffer, which signs. */
export const bufferInstructions = async (
  { payer, buffer, code }: Deployment,
  rentOf: RentOf,
): Promise<readonly Instruction[]> => [
  await creationOf(payer, buffer, bufferHeaderBytes + code.length, rentOf),
  initializeBuffer(buffer, payer),
]

/**
 * Writes the code into the buffer, each part in a transaction of its own.
 * @param written what the buffer has already
 */
export const writeInstructions = (
  { payer, buffer, code }: Deployment,
  written: Uint8Array = new Uint8Array(),
): readonly Instruction[] =>
  Array.from({ length: Math.ceil(code.length / chunkBytes) }, (_, at) => {
    const offset = at * chunkBytes
    return { offset, bytes: code.subarray(offset, offset + chunkBytes) }
  })
    .filter(({ offset, bytes }) => bytes.some((byte, at) => byte !== written[offset + at]))
    .map((chunk) => writeBuffer({ buffer, authority: payer, ...chunk }))

/** Makes the program of the buffer, which ends. The program signs. */
export const programInstructions = async (
  { payer, program, buffer, code }: Deployment,
  rentOf: RentOf,
): Promise<readonly Instruction[]> => [
  await creationOf(payer, program, programAccountBytes, rentOf),
  deployBuffer({ payer, authority: payer, program, buffer, maxBytes: code.length }),
]
