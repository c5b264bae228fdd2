import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What `npm run demo` prints with these arguments. @throws Error if it fails */
export async function runDemoProcess(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/demo/demo.ts', ...args])
  return stdout
}
