import { privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { address } from '#src/config/values.ts'
import { readVariables } from '#src/environment.ts'

// Messages must not contain any part of the key.
const privateKey = z
  .string('must be the key of the account that pays for the deployment')
  .transform((text, context) => {
    try {
      return privateKeyToAccount(/^0x/.test(text) ? (text as `0x${string}`) : `0x${text}`)
    } catch {
      context.addIssue({ code: 'custom', message: 'must be 0x and 64 hexadecimal digits' })
      return z.NEVER
    }
  })

const schema = z.object({
  DEPLOYER_PRIVATE_KEY: privateKey,
  /** The contract that names the other roles, such as a multisig. */
  OWNER: address.optional(),
  /** The account whose signatures move deposits. The configured one by default. */
  ALLOCATOR: address.optional(),
  /** The account that can pause payouts. Nobody by default. */
  GUARDIAN: address.optional(),
})

/** @throws Error as `readVariables` does. */
export const readDeployEnvironment = (
  variables: Parameters<typeof readVariables>[1],
): z.output<typeof schema> => readVariables(schema, variables)
