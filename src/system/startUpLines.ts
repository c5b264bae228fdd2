import type { Environment } from '#src/config/environment.ts'
import type { DevnetDescription } from '#src/devnet/describeDevnet.ts'

type Started = Readonly<{
  /** Base URL of this process. */
  url: string
  environment: Environment
  devnet: DevnetDescription | undefined
}>

/** The last output lines of a start: URLs to open, the devnet's endpoints, and where the requests are. */
export function startUpLines({ url, environment, devnet }: Started): readonly string[] {
  const { ROLES: roles, DATA_DIRECTORY: directory, DATABASE_URL: databaseUrl } = environment
  return [
    ...(roles.has('gateway')
      ? [
          `Prices and swaps in the browser: ${url}/`,
          `GraphQL and GraphiQL: ${url}/graphql`,
          `REST, with its documentation: ${url}/docs`,
        ]
      : []),
    `Health and metrics: ${url}/ready and ${url}/metrics`,
    ...(devnet === undefined ? [] : devnetLines(devnet, directory)),
    ...(databaseUrl === undefined ? [advice(directory, devnet !== undefined)] : []),
  ]
}

/** On real chains the embedded database is the only record of what users have paid. */
const advice = (directory: string, isDevnet: boolean): string =>
  isDevnet
    ? `To start afresh, stop with Ctrl-C and delete the directory ${directory}`
    : `The ledger is in ${directory}: back it up, and never delete it. For real money use a Postgres server (DATABASE_URL)`

const devnetLines = (
  { chains, svmChain }: DevnetDescription,
  directory: string,
): readonly string[] => [
  ...[...chains, ...(svmChain === undefined ? [] : [svmChain])].map(
    ({ id, name, rpcUrl }) => `Devnet chain ${id} (${name}): ${rpcUrl}`,
  ),
  `Accounts, contracts and currencies of the devnet: ${directory}/devnet.json`,
]

/** The lines in a frame, for a terminal. Without characters that could move its right side. */
export function boxOf(lines: readonly string[]): string {
  const plain = lines.map((line) => line.replaceAll(/\p{C}/gu, ' '))
  const width = Math.max(...plain.map((line) => line.length))
  const bar = '─'.repeat(width + 2)
  return [`┌${bar}┐`, ...plain.map((line) => `│ ${line.padEnd(width)} │`), `└${bar}┘`].join('\n')
}
