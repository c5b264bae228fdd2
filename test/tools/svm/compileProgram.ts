import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkProgram } from './linkProgram.ts'

const folder = 'src/protocol/svm/program'
const compiler = 'clang-19'
const options = [
  ...['-std=c2x', '-Wall', '-Wextra', '-Werror', '-target', 'bpf', '-mcpu=v3', '-Oz'],
  ...['-ffreestanding', '-fno-builtin', '-mllvm', '-bpf-stack-size=4096', '-c'],
]

/**
 * Compiles the program for Solana chains, or only checks that the built file matches the source. Skips it, and says so,
 * where the compiler is not installed.
 * @returns what is wrong
 */
export function compileProgram(checkOnly: boolean): string | undefined {
  if (spawnSync(compiler, ['--version']).error !== undefined) {
    process.stderr.write(`${folder} is not compiled: ${compiler} is not installed\n`)
    return undefined
  }
  const built = build()
  const path = `${folder}/depository.so`
  if (!checkOnly) writeFileSync(path, built)
  else if (!built.equals(readFileSync(path)))
    return `${path} does not match its source: run npm run compile`
  return undefined
}

function build(): Buffer {
  const temporary = mkdtempSync(join(tmpdir(), 'program-'))
  try {
    const object = join(temporary, 'depository.o')
    const run = spawnSync(compiler, [...options, `${folder}/depository.c`, '-o', object])
    if (run.status !== 0) throw new Error(run.stderr.toString())
    return linkProgram(readFileSync(object), systemCalls())
  } finally {
    rmSync(temporary, { recursive: true })
  }
}

/** The functions that the header declares. */
function systemCalls(): ReadonlySet<string> {
  const header = readFileSync(`${folder}/solana.h`, 'utf8')
  return new Set([...header.matchAll(/^u64 (sol_\w+)\(/gm)].map(([, name = '']) => name))
}
