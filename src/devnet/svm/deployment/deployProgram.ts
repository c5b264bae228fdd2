import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmNode } from '#src/devnet/svm/startSvmNode.ts'
import {
  bufferHeaderBytes,
  deployBuffer,
  initializeBuffer,
  programAccountBytes,
  writeBuffer,
} from '#src/protocol/svm/loaderProgram.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { createAccount } from '#src/protocol/svm/systemProgram.ts'

type Deployment = Readonly<{
  /** Pays, and may upgrade the program. */
  owner: SvmSigner
  program: SvmSigner
  /** Holds the code until the program is deployed. */
  buffer: SvmSigner
  code: Uint8Array
}>

/** Bytes of code that fit into a transaction. */
const chunkBytes = 900

/** Deploys a program by transactions of the upgradeable loader. Blocks after the two of the deployment can call it. */
export async function deployProgram(
  node: SvmNode,
  { owner, program, buffer, code }: Deployment,
): Promise<void> {
  const authority = owner.pubkey
  const creation = (created: Pubkey, space: number) =>
    createAccount({
      payer: authority,
      account: created,
      lamports: node.rentMinimum(space),
      space: BigInt(space),
      owner: programIds.upgradeableLoader,
    })
  const offsets = Array.from(
    { length: Math.ceil(code.length / chunkBytes) },
    (_, at) => at * chunkBytes,
  )
  await node.land([
    {
      signers: [owner, buffer],
      instructions: [
        creation(buffer.pubkey, bufferHeaderBytes + code.length),
        initializeBuffer(buffer.pubkey, authority),
      ],
    },
    ...offsets.map((offset) => {
      const bytes = code.subarray(offset, offset + chunkBytes)
      const instruction = writeBuffer({ buffer: buffer.pubkey, authority, offset, bytes })
      return { signers: [owner] as const, instructions: [instruction] }
    }),
  ])
  await node.land([
    {
      signers: [owner, program],
      instructions: [
        creation(program.pubkey, programAccountBytes),
        deployBuffer({
          payer: authority,
          authority,
          program: program.pubkey,
          buffer: buffer.pubkey,
          maxBytes: code.length,
        }),
      ],
    },
  ])
}
