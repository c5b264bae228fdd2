import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What `npm run demo` prints with these arguments and variables. @throws Error if it fails */
export async function runDemoProcess(
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['src/cli/demo/demo.ts', ...args],
    {
      env: { PATH: '/usr/bin:/bin', ...variables },
    },
  )
  return stdout
}
