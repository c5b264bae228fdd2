import { z } from 'zod'

/** The parts of the system that a process can run. */
export const roles = ['gateway', 'tracker', 'solver'] as const

export type Role = (typeof roles)[number]

const environmentSchema = z
  .object({
    /** Port that the process listens on, whatever its roles; 0 takes any free port. */
    PORT: z.coerce.number('A number, 0 to 65535').int().min(0).max(65_535).default(4000),
    /** Address that the process listens on. */
    HOST: z.string().min(1).default('127.0.0.1'),
    /** Path of a configuration file. Without it the devnet starts. */
    CONFIG: z.string().min(1).optional(),
    /** Postgres server that stores the requests. Without it the process embeds one. */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** Redis server that carries events between processes. */
    REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
    /** Parts that this process runs, separated by commas. Other processes on the same database run the rest. */
    ROLES: z
      .string()
      .default(roles.join(','))
      .transform((text) => text.split(',').map((role) => role.trim()))
      .pipe(z.array(z.enum(roles, `each must be one of ${roles.join(', ')}`)).min(1))
      .transform((named): ReadonlySet<Role> => new Set(named)),
    /** The solver's key, or a keystore file with its password. The devnet has a key of its own. */
    SOLVER_PRIVATE_KEY: z
      .custom<`0x${string}`>(
        (value) => /^0x[0-9a-f]{64}$/i.test(String(value)),
        'must be 0x and 64 hexadecimal digits',
      )
      .optional(),
    SOLVER_KEYSTORE: z.string().min(1).optional(),
    SOLVER_KEYSTORE_PASSWORD: z.string().optional(),
    /** Directory of the embedded Postgres and of the files that describe the devnet. */
    DATA_DIRECTORY: z.string().min(1).default('.crossquote'),
    /** `1` runs a random trader on the devnet, so that its prices move. */
    DEVNET_TRAFFIC: z.enum(['0', '1']).default('0'),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    /** Format of the log lines. Without it they are pretty on a terminal and JSON elsewhere. */
    LOG_FORMAT: z.enum(['json', 'pretty']).optional(),
  })
  .superRefine((variables, context) => {
    const { ROLES, DATABASE_URL, SOLVER_PRIVATE_KEY, SOLVER_KEYSTORE } = variables
    const refuse = (path: keyof typeof variables, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (ROLES.size < roles.length && DATABASE_URL === undefined)
      refuse(
        'DATABASE_URL',
        'a process with only some of the roles needs a Postgres server that the other processes share',
      )
    if (SOLVER_PRIVATE_KEY !== undefined && SOLVER_KEYSTORE !== undefined)
      refuse('SOLVER_KEYSTORE', 'SOLVER_PRIVATE_KEY is set too: set only one of the two')
    if (variables.SOLVER_KEYSTORE_PASSWORD !== undefined && SOLVER_KEYSTORE === undefined)
      refuse('SOLVER_KEYSTORE_PASSWORD', 'needs SOLVER_KEYSTORE, which is not set')
  })

export type Environment = z.output<typeof environmentSchema>

type Variables = Readonly<Record<string, string | undefined>>

/** @throws Error as `readVariables` does. */
export const readEnvironment = (variables: Variables): Environment =>
  readVariables(environmentSchema, variables)

/** Empty variables count as absent. @throws Error that names every wrong variable at once. */
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
