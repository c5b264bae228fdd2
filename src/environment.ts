import { z } from 'zod'

/** What one process can do of the whole. */
export const roles = ['gateway', 'tracker', 'solver'] as const

export type Role = (typeof roles)[number]

const environmentSchema = z
  .object({
    /** Where the process listens, a gateway or not; 0 takes any free port. */
    PORT: z.coerce.number('A number, 0 to 65535').int().min(0).max(65_535).default(4000),
    /** The address it listens on. */
    HOST: z.string().min(1).default('127.0.0.1'),
    /** A configuration file; without it the devnet starts. */
    CONFIG: z.string().min(1).optional(),
    /** A Postgres server for the requests; without it one is embedded in the process. */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** A Redis server that carries events between processes. */
    REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
    /** Which parts this process runs, separated by commas; the others run elsewhere, on the same database. */
    ROLES: z
      .string()
      .default(roles.join(','))
      .transform((text) => text.split(',').map((role) => role.trim()))
      .pipe(z.array(z.enum(roles, `each is to be one of ${roles.join(', ')}`)).min(1))
      .transform((named): ReadonlySet<Role> => new Set(named)),
    /** The solver's key, or a keystore file with its password; the devnet has its own. */
    SOLVER_PRIVATE_KEY: z
      .custom<`0x${string}`>(
        (value) => /^0x[0-9a-f]{64}$/i.test(String(value)),
        '32 bytes in hexadecimal, with 0x before them',
      )
      .optional(),
    SOLVER_KEYSTORE: z.string().min(1).optional(),
    SOLVER_KEYSTORE_PASSWORD: z.string().optional(),
    /** Where the embedded Postgres keeps its files, and the devnet describes itself. */
    DATA_DIRECTORY: z.string().min(1).default('.crossquote'),
    /** Lets a random trader move the devnet's prices. */
    DEVNET_TRAFFIC: z.enum(['0', '1']).default('0'),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  })
  .superRefine((variables, context) => {
    const { ROLES, DATABASE_URL, SOLVER_PRIVATE_KEY, SOLVER_KEYSTORE } = variables
    const refuse = (path: keyof typeof variables, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (ROLES.size < roles.length && DATABASE_URL === undefined)
      refuse('DATABASE_URL', 'processes that share the work need one database: a Postgres server')
    if (SOLVER_PRIVATE_KEY !== undefined && SOLVER_KEYSTORE !== undefined)
      refuse('SOLVER_KEYSTORE', 'SOLVER_PRIVATE_KEY is there already: give one of the two')
    if (variables.SOLVER_KEYSTORE_PASSWORD !== undefined && SOLVER_KEYSTORE === undefined)
      refuse('SOLVER_KEYSTORE_PASSWORD', 'there is no SOLVER_KEYSTORE that it belongs to')
  })

export type Environment = z.output<typeof environmentSchema>

type Variables = Readonly<Record<string, string | undefined>>

/** @throws Error as `readVariables` does. */
export const readEnvironment = (variables: Variables): Environment =>
  readVariables(environmentSchema, variables)

/** @throws Error that names every wrong variable at once. Empty variables count as absent. */
export function readVariables<Schema extends z.ZodType>(
  schema: Schema,
  variables: Variables,
): z.output<Schema> {
  const set = Object.entries(variables).filter(([, value]) => value !== '')
  const parsed = schema.safeParse(Object.fromEntries(set))
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(
    (issue) => `  ${issue.path[0]?.toString()}: ${issue.message}`,
  )
  throw new Error(`The environment is not valid:\n${lines.join('\n')}`)
}
