import type { SvmNode } from '#src/devnet/svm/startSvmNode.ts'
import {
  bufferInstructions,
  programInstructions,
  writeInstructions,
} from '#src/protocol/svm/programDeployment.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'

type Deployment = Readonly<{
  /** Pays, and may upgrade the program. */
  owner: SvmSigner
  program: SvmSigner
  /** Holds the code until the program is deployed. */
  buffer: SvmSigner
  code: Uint8Array
}>

/** Deploys a program by transactions of the upgradeable loader. Blocks after the two of the deployment can call it. */
export async function deployProgram(
  node: SvmNode,
  { owner, program, buffer, code }: Deployment,
): Promise<void> {
  const accounts = { payer: owner.pubkey, program: program.pubkey, buffer: buffer.pubkey }
  const deployment = { ...accounts, code }
  await node.land([
    {
      signers: [owner, buffer],
      instructions: await bufferInstructions(deployment, node.rentMinimum),
    },
    ...writeInstructions(deployment).map((each) => ({
      signers: [owner] as const,
      instructions: [each],
    })),
  ])
  await node.land([
    {
      signers: [owner, program],
      instructions: await programInstructions(deployment, node.rentMinimum),
    },
  ])
}
