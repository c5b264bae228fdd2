import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { messageOf } from '#src/core/errors.ts'

/** What a command says of itself, and the options that it takes. */
type Command<Options> = Readonly<{
  /** Its use in a line or more, without "Usage: ". */
  usage: string
  /** What it does and what its options mean, for `--help`. */
  help: string
  options: Options
  /** Whether it takes arguments without a name. */
  allowPositionals?: boolean
}>

type Given<Options extends ParseArgsConfig['options']> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>

/** Ends the command with its usage: the options do not fit. */
export class UsageError extends Error {}

/**
 * Reads the options of a command. Answers `--help` and `--version` itself: the result is then undefined.
 * @throws UsageError with the usage if there is an unknown option
 */
export function readOptions<const Options extends NonNullable<ParseArgsConfig['options']>>(
  { usage, help, options, allowPositionals = false }: Command<Options>,
  args: readonly string[] = process.argv.slice(2),
): Given<Options> | undefined {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`Usage: ${usage}\n\n${help.trim()}\n`)
    return undefined
  }
  if (args.includes('--version')) {
    process.stdout.write(`${version()}\n`)
    return undefined
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals }) as Given<Options>
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}`)
  }
}

/**
 * Runs a command of the command line. Its text goes to the standard output, and an error to the standard error with
 * the exit code 1. A UsageError is followed by the usage.
 * @param run gets the options, and returns the text to print, if any; a number is the exit code.
 */
export async function runCommand<const Options extends NonNullable<ParseArgsConfig['options']>>(
  command: Command<Options>,
  run: (given: Given<Options>) => Promise<string | number | undefined> | string,
): Promise<void> {
  try {
    const given = readOptions(command)
    const result = given && (await run(given))
    if (typeof result === 'string') process.stdout.write(`${result}\n`)
    else if (typeof result === 'number') process.exitCode = result
  } catch (error) {
    const { message } = error as Error
    const lines =
      error instanceof UsageError ? [message, `Usage: ${command.usage}`] : [messageOf(error)]
    process.stderr.write(`${lines.filter((line) => line !== '').join('\n')}\n`)
    process.exitCode = 1
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The version in package.json, with the commit if this is a checkout of git, such as `0.1.0+1a2b3c4d`. */
export function version(): string {
  const { version: number } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  const commit = commitOf(`${root}.git`)
  return commit === undefined ? number : `${number}+${commit}`
}

function commitOf(repository: string): string | undefined {
  try {
    const args = ['--git-dir', repository, 'rev-parse', '--short=8', 'HEAD']
    return execFileSync('git', args, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
