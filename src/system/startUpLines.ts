import type { Environment } from '#src/config/environment.ts'
import type { DevnetDescription } from '#src/devnet/describeDevnet.ts'

type Started = Readonly<{
  /** Base URL of this process. */
  url: string
  environment: Environment
  devnet: DevnetDescription | undefined
}>

/** The last output lines of a start: URLs to open, the devnet's endpoints, and the way to reset it. */
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
    ...(databaseUrl === undefined
      ? [`To start afresh, stop with Ctrl-C and delete the directory ${directory}`]
      : []),
  ]
}

const devnetLines = ({ chains }: DevnetDescription, directory: string): readonly string[] => [
  ...chains.map(({ id, name, rpcUrl }) => `Devnet chain ${id} (${name}): ${rpcUrl}`),
  `Accounts, contracts and currencies of the devnet: ${directory}/devnet.json`,
]
