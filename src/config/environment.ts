import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { messageOf } from '#src/core/errors.ts'
import { unknownVariables } from './unknownVariables.ts'

/** The parts of the system that a process can run. */
const roles = ['gateway', 'tracker', 'solver', 'feed'] as const

export type Role = (typeof roles)[number]

/** The roles of a process that runs alone. */
export const defaultRoles = ['gateway', 'tracker', 'solver'] as const satisfies readonly Role[]

// Messages must not contain any part of the key.
const privateKey = z
  .custom<`0x${string}`>(
    (value) => /^0x[0-9a-f]{64}$/i.test(String(value)),
    'must be 0x and 64 hexadecimal digits',
  )
  .optional()

/** A URL without secrets: it appears in logs and errors. */
const plainUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .refine((url) => !URL.canParse(url) || isPlain(new URL(url)), {
    error: 'must not contain a user, a password, a query or a fragment',
  })
  .optional()

const isPlain = ({ username, password, search, hash }: URL): boolean =>
  `${username}${password}${search}${hash}` === ''

const keyShape = {
  PRIVATE_KEY: privateKey,
  /** A version 3 keystore file. */
  KEYSTORE: z.string().min(1).optional(),
  KEYSTORE_PASSWORD: z.string().optional(),
  SIGNER_URL: plainUrl,
}

type KeyName = keyof typeof keyShape
type KeyShape<Owner extends string> = {
  [Name in KeyName as `${Owner}_${Name}`]: (typeof keyShape)[Name]
}

/** The variables of one key: the key itself, a keystore file with its password, or a remote signer. */
export const keyVariables = <Owner extends string>(owner: Owner): KeyShape<Owner> =>
  Object.fromEntries(
    Object.entries(keyShape).map(([name, schema]) => [`${owner}_${name}`, schema]),
  ) as KeyShape<Owner>

/** Refuses more than one source of a key, and a password without its keystore. */
export function checkKeySource<Owner extends string>(
  owner: Owner,
  variables: Readonly<Partial<Record<`${Owner}_${KeyName}`, string | undefined>>>,
  refuse: (path: `${Owner}_${KeyName}`, message: string) => void,
): void {
  const [first, second] = (['PRIVATE_KEY', 'KEYSTORE', 'SIGNER_URL'] as const)
    .map((name) => `${owner}_${name}` as const)
    .filter((name) => variables[name] !== undefined)
  if (second !== undefined) refuse(second, `${first} is set too: set only one of them`)
  const password = `${owner}_KEYSTORE_PASSWORD` as const
  const keystore = `${owner}_KEYSTORE` as const
  if (variables[password] !== undefined && variables[keystore] === undefined)
    refuse(password, `needs ${keystore}, which is not set`)
}

const environmentSchema = z
  .object({
    /** Port that the process listens on, with any roles. 0: any free port. */
    PORT: z.coerce.number('A number, 0 to 65535').int().min(0).max(65_535).default(4000),
    /** Address that the process listens on. */
    HOST: z.string().min(1).default('127.0.0.1'),
    /** Path of a configuration file. Absent: the devnet starts. */
    CONFIG: z.string().min(1).optional(),
    /** Postgres server that stores the requests. Absent: the process embeds one. */
    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    /** Redis server that carries events between processes. */
    REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
    /** Parts that this process runs, separated by commas. Other processes on the same database run the rest. */
    ROLES: z
      .string()
      .default(defaultRoles.join(','))
      .transform((text) => text.split(',').map((role) => role.trim()))
      .pipe(z.array(z.enum(roles, `each must be one of ${roles.join(', ')}`)).min(1))
      .transform((named): ReadonlySet<Role> => new Set(named)),
    /** The source of a gateway's market: the nodes of its chains, or the processes with the role `feed`. */
    MARKET_SOURCE: z.enum(['chains', 'feed']).default('chains'),
    /** Secret that signs the messages of the feed. All processes that write or read the feed need the same secret. */
    FEED_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
    /** The solver's key, a keystore file with its password, or a remote signer. The devnet has a default key. */
    ...keyVariables('SOLVER'),
    /** The same for the allocator, if it is not the solver's account. */
    ...keyVariables('ALLOCATOR'),
    /** The same for the relayer, if the configuration has one. */
    ...keyVariables('RELAYER'),
    /** Path of the key file of the solver on svm chains: a JSON list of 64 bytes. The devnet has a default key. */
    SOLVER_SVM_KEYPAIR: z.string().min(1).optional(),
    /** The same for the allocator there, if it is not the solver's account. */
    ALLOCATOR_SVM_KEYPAIR: z.string().min(1).optional(),
    /** Path of a file of GraphQL documents. The gateway then executes no others. */
    TRUSTED_DOCUMENTS: z.string().min(1).optional(),
    /** Maximum units of a network address in each window. 0: no limit. */
    RATE_LIMIT_UNITS: z.coerce.number('A number').int().min(0).default(3_000),
    /** Maximum units of an API key in each window. 0: no limit. */
    RATE_LIMIT_KEY_UNITS: z.coerce.number('A number').int().min(0).default(30_000),
    /** Length of a window. */
    RATE_LIMIT_SECONDS: z.coerce.number('A number, 1 to 3600').int().min(1).max(3_600).default(10),
    MAX_CONNECTIONS: z.coerce.number('A number').int().min(1).default(10_000),
    MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number('A number').int().min(1).default(1_000),
    /**
     * Milliseconds that requests wait to begin or orders to be priced, or of work at once, above which requests are
     * refused as OVERLOADED.
     * 0: none are refused.
     */
    MAX_QUEUE_MS: z.coerce.number('A number').int().min(0).default(20),
    MAX_IN_FLIGHT: z.coerce.number('A number').int().min(1).default(2_000),
    /** Maximum concurrent requests to the nodes of a chain on behalf of callers. */
    MAX_CALLER_RPC_CALLS: z.coerce
      .number('A number, 2 to 1000')
      .int()
      .min(2)
      .max(1_000)
      .default(16),
    /** Directory of the embedded Postgres and of the files that describe the devnet. */
    DATA_DIRECTORY: z.string().min(1).default('.crossquote'),
    /** `1` runs a random trader on the devnet, so that its prices move. */
    DEVNET_TRAFFIC: z.enum(['0', '1']).default('0'),
    /** Seconds after the drain until the process ends, even if a part of it hangs. */
    SHUTDOWN_SECONDS: z.coerce.number('A number, 1 to 3600').int().min(1).max(3_600).default(15),
    /**
     * Seconds after SIGTERM or SIGINT during which requests are still answered. `/ready` is already 503, so that load
     * balancers send no more.
     */
    DRAIN_SECONDS: z.coerce.number('A number, 0 to 300').min(0).max(300).default(0),
    /** Base URL of an OpenTelemetry collector that receives traces (OTLP over HTTP). */
    OTEL_EXPORTER_OTLP_ENDPOINT: plainUrl,
    /** Name of this process in traces. */
    OTEL_SERVICE_NAME: z.string().min(1).default('crossquote'),
    LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
    /** Format of the log lines. Absent: pretty on a terminal, JSON elsewhere. */
    LOG_FORMAT: z.enum(['json', 'pretty']).optional(),
  })
  .superRefine((variables, context) => {
    const { ROLES, DATABASE_URL, MARKET_SOURCE } = variables
    const refuse = (path: keyof typeof variables, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    const usesFeed = MARKET_SOURCE === 'feed' || ROLES.has('feed')
    if (!usesFeed && !defaultRoles.every((role) => ROLES.has(role)) && DATABASE_URL === undefined)
      refuse(
        'DATABASE_URL',
        'a process with only some of the roles needs a Postgres server that the other processes share',
      )
    const readsFeed = MARKET_SOURCE === 'feed'
    if (readsFeed && !ROLES.has('gateway')) refuse('MARKET_SOURCE', 'only gateways read the feed')
    if (readsFeed && (ROLES.has('solver') || ROLES.has('feed')))
      refuse(
        'MARKET_SOURCE',
        'solvers and feeds read the chains themselves: run them in another process than a gateway that reads the feed',
      )
    if (usesFeed)
      for (const [name, purpose] of Object.entries(feedNeeds))
        if (variables[name as keyof typeof feedNeeds] === undefined)
          refuse(name as keyof typeof feedNeeds, `the feed needs it: ${purpose}`)
    checkKeySource('SOLVER', variables, refuse)
    checkKeySource('ALLOCATOR', variables, refuse)
    checkKeySource('RELAYER', variables, refuse)
  })

const feedNeeds = {
  DATABASE_URL: 'the processes that share it elect the publisher',
  REDIS_URL: 'it carries the streams',
  FEED_SECRET: 'it signs the messages',
}

export type Environment = z.output<typeof environmentSchema>

type Variables = Readonly<Record<string, string | undefined>>

/** @throws Error as `readVariables` does. */
export const readEnvironment = (variables: Variables): Environment =>
  readVariables(environmentSchema, variables)

/**
 * The secrets, which may be in files: `DATABASE_URL_FILE` names the file that has `DATABASE_URL`. Containers and systemd
 * pass secrets as files, which child processes and crash reports do not show.
 */
export const secretNames: readonly string[] = [
  'DATABASE_URL',
  'REDIS_URL',
  'FEED_SECRET',
  ...['SOLVER', 'ALLOCATOR', 'RELAYER', 'DEPLOYER'].flatMap((owner) => [
    `${owner}_PRIVATE_KEY`,
    `${owner}_KEYSTORE_PASSWORD`,
  ]),
]

/** Variables of any command, except those of the environment's own schema. */
const otherNames = [
  ...['DEPLOYER', 'SWEEPER'].flatMap((owner) =>
    Object.keys(keyShape).map((key) => `${owner}_${key}`),
  ),
  ...['OWNER', 'ALLOCATOR', 'GUARDIAN'],
  ...secretNames.map((name) => `${name}_FILE`),
]

/** A sentence for each variable that looks like a misspelled one of ours: see `unknownVariables`. */
export const misspelledVariables = (variables: Variables): readonly string[] =>
  unknownVariables(Object.keys(variables), [...Object.keys(environmentSchema.shape), ...otherNames])

/** Empty variables count as absent. @throws Error that lists every wrong variable. */
export function readVariables<Schema extends z.ZodType>(
  schema: Schema,
  variables: Variables,
): z.output<Schema> {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''))
  const fromFiles = secretNames.map((name) => readSecret(name, set))
  const problems = fromFiles.flatMap(({ problem }) => problem ?? [])
  const secrets = Object.fromEntries(
    fromFiles.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  )
  const parsed = schema.safeParse({ ...set, ...secrets })
  if (parsed.success && problems.length === 0) return parsed.data
  const lines = (parsed.error?.issues ?? []).map(
    (issue) => `${issue.path[0]?.toString()}: ${issue.message}`,
  )
  throw new Error(
    `The environment is not valid:\n${[...problems, ...lines, ...misspelledVariables(variables)].map((line) => `  ${line}`).join('\n')}`,
  )
}

/** The secret in the file that `<name>_FILE` names, without the line end of the file. Messages have no part of it. */
function readSecret(
  name: string,
  variables: Variables,
): Readonly<{ name: string; value?: string; problem?: string }> {
  const file = `${name}_FILE`
  const path = variables[file]
  if (path === undefined) return { name }
  if (variables[name] !== undefined)
    return { name, problem: `${file}: ${name} is set too: set only one of them` }
  try {
    const value = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
    return value === '' ? { name, problem: `${file}: ${path} is empty` } : { name, value }
  } catch (error) {
    return { name, problem: `${file}: cannot be read: ${messageOf(error)}` }
  }
}
