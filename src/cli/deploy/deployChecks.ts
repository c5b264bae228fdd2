import type { Hex, PublicClient } from 'viem'
import type { Artifact, Roles } from './deployPlan.ts'

/** Creation code that runs the newest opcodes of our contracts: PUSH0, TSTORE, TLOAD and MCOPY, all of Cancun. */
const opcodeProbe = '0x5f5f5d5f5c505f5f5f5e00'

/** @throws Error if the chain cannot run our contracts. */
export async function checkOpcodes(
  client: Pick<PublicClient, 'call'>,
  { displayName }: Readonly<{ displayName: string }>,
): Promise<void> {
  try {
    await client.call({ data: opcodeProbe })
  } catch {
    throw new Error(
      `${displayName} does not run our contracts: it lacks opcodes of the Cancun upgrade (PUSH0, TSTORE, TLOAD, MCOPY)`,
    )
  }
}

/** A key that delegates to code (EIP-7702) has 23 bytes of code, which begin so. */
const delegation = /^0xef0100/i

/** @throws Error if the owner of the depository would be a plain key or its allocator. */
export function checkOwner({ owner, allocator }: Roles, code: Hex): void {
  if (owner === allocator)
    throw new Error(
      `${owner} would be both owner and allocator: whoever steals its key could take all deposits`,
    )
  if (code === '0x' || delegation.test(code))
    throw new Error(
      `OWNER ${owner} is a plain key on this chain. Use a contract such as a multisig; only a devnet (--devnet) may do otherwise.`,
    )
}

/**
 * Compares the deployed code with the compiled one, except the values of the constructor.
 * @throws Error if they differ.
 */
export function checkCode(
  name: string,
  { deployedBytecode, immutables }: Artifact,
  code: Hex,
): void {
  const masked = (bytes: Hex) =>
    immutables.reduce((text, [start, length]) => {
      const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)]
      return text.slice(0, from) + '0'.repeat(2 * length) + text.slice(to)
    }, bytes.toLowerCase())
  if (masked(code) !== masked(deployedBytecode))
    throw new Error(`The code of ${name} on the chain is not the compiled one`)
}
