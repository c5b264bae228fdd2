import { z } from 'zod'
import { checkKeySource, keyVariables, readVariables } from '#src/config/environment.ts'
import { toKeySource } from '#src/config/keys/keySource.ts'
import { address } from '#src/config/values.ts'

const schema = z
  .object({
    /** The account that pays for the deployment: its key, a keystore file with its password, or a remote signer. */
    ...keyVariables('DEPLOYER'),
    /** The contract that names the other roles, such as a multisig. */
    OWNER: address.optional(),
    /** The account whose signatures move deposits. The configured one by default. */
    ALLOCATOR: address.optional(),
    /** The account that can pause payouts. Nobody by default. */
    GUARDIAN: address.optional(),
  })
  .transform((variables, context) => {
    const { OWNER, ALLOCATOR, GUARDIAN } = variables
    const refuse = (path: keyof typeof variables, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    checkKeySource('DEPLOYER', variables, refuse)
    const deployer = toKeySource({
      privateKey: variables.DEPLOYER_PRIVATE_KEY,
      keystore: variables.DEPLOYER_KEYSTORE,
      password: variables.DEPLOYER_KEYSTORE_PASSWORD,
      signerUrl: variables.DEPLOYER_SIGNER_URL,
    })
    if (deployer !== undefined) return { deployer, OWNER, ALLOCATOR, GUARDIAN }
    refuse(
      'DEPLOYER_PRIVATE_KEY',
      'set it, DEPLOYER_KEYSTORE or DEPLOYER_SIGNER_URL: the key of the account that pays for the deployment',
    )
    return z.NEVER
  })

/** @throws Error as `readVariables` does. */
export const readDeployEnvironment = (
  variables: Parameters<typeof readVariables>[1],
): z.output<typeof schema> => readVariables(schema, variables)
