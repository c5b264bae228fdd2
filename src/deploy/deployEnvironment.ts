import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { address } from '#src/config.ts'
import { readVariables } from '#src/environment.ts'

// What is wrong with a key never shows any of it.
const privateKey = z.string('The key that pays for the deployment').transform((text, context) => {
  try {
    return privateKeyToAccount(/^0x/.test(text) ? (text as `0x${string}`) : `0x${text}`)
  } catch {
    context.addIssue({ code: 'custom', message: 'A private key is 0x and 64 hexadecimal digits' })
    return z.NEVER
  }
})

const schema = z.object({
  DEPLOYER_PRIVATE_KEY: privateKey,
  /** May name another allocator; the solver's address where it is absent. */
  OWNER: address.optional(),
  /** Whose signatures move deposits; the solver's address where it is absent. */
  ALLOCATOR: address.optional(),
})

/** @throws Error as `readVariables` does. */
export const readDeployEnvironment = (
  variables: Parameters<typeof readVariables>[1],
): z.output<typeof schema> => readVariables(schema, variables)
