import { z } from 'zod'

const environmentSchema = z.object({
  /** Where the gateway listens; 0 takes any free port. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(4000),
  /** The address it listens on. */
  HOST: z.string().min(1).default('127.0.0.1'),
  /** A configuration file; without it the devnet starts. */
  CONFIG: z.string().min(1).optional(),
  /** A Postgres server for the requests; without it one is embedded in the process. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Where the embedded Postgres keeps its files, and the devnet describes itself. */
  DATA_DIRECTORY: z.string().min(1).default('.crossquote'),
  /** Lets a random trader move the devnet's prices. */
  DEVNET_TRAFFIC: z.enum(['0', '1']).default('0'),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
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
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: ${issue.message}`)
  throw new Error(`The environment is not valid:\n${lines.join('\n')}`)
}
