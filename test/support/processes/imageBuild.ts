import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { waitLimitMs } from '#test/support/patience.ts'

/** The files and the command of a Dockerfile target, in a folder in place of an image. */
export type BuiltTarget = Readonly<{
  /** The folder in place of the image's `/`. */
  root: string
  directory: string
  env: Readonly<Record<string, string>>
  user: string
  command: readonly string[]
  healthCheck: readonly string[]
}>

type Stage = {
  root: string
  workdir: string
  env: Record<string, string>
  user: string
  command: readonly string[]
  healthCheck: readonly string[]
}

/** The user of the image, if this process may change its user. */
export const imageUser = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {}

/** Node 24 and npm, like in the base image. */
export const basePath = [
  dirname(process.execPath),
  dirname(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()),
  '/usr/bin',
  '/bin',
].join(':')

// biome-ignore lint/style/noProcessEnv: the clean environment needs the certificate authorities of this machine.
const authorities = process.env['NODE_EXTRA_CA_CERTS']

export const readInstructions = (text: string): readonly (readonly [string, string])[] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
      return [name, rest]
    })

/**
 * Runs the instructions of the Dockerfile for one target and its stages, in empty folders below
 * `parent` and with a clean environment. The base image is an empty folder: its Node.js is this process's.
 * @throws Error with the output of a failed command, or for an unknown instruction
 */
export function buildTarget(target: string, parent: string): BuiltTarget {
  const plans = readStages(readFileSync('Dockerfile', 'utf8'))
  const built = new Map<string, Stage>()
  const build = (name: string): Stage => {
    const known = built.get(name)
    if (known !== undefined) return known
    const plan = plans.get(name)
    if (plan === undefined) throw new Error(`The Dockerfile has no target ${name}`)
    const base = plans.has(plan.from) ? build(plan.from) : undefined
    const stage = startStage(base, mkdtempSync(join(parent, 'stage-')))
    for (const [instruction, rest] of plan.instructions)
      runInstruction(stage, instruction, rest, build)
    built.set(name, stage)
    return stage
  }
  const stage = build(target)
  const inImage = (value: string) => (value.startsWith('/') ? join(stage.root, value) : value)
  const env = Object.entries(stage.env).map(([key, value]) => [key, inImage(value)])
  return { ...stage, directory: join(stage.root, stage.workdir), env: Object.fromEntries(env) }
}

type Instruction = readonly [string, string]

function readStages(text: string) {
  const stages = new Map<string, { from: string; instructions: Instruction[] }>()
  let last: Instruction[] = []
  for (const [name, rest] of readInstructions(text)) {
    const [, from = '', as = ''] = (name === 'FROM' && /^(\S+) AS (\S+)$/.exec(rest)) || []
    if (as === '') last.push([name, rest])
    else {
      last = []
      stages.set(as, { from, instructions: last })
    }
  }
  return stages
}

function startStage(base: Stage | undefined, root: string): Stage {
  if (base === undefined)
    return { root, workdir: '/', env: {}, user: 'root', command: [], healthCheck: [] }
  // With its owners.
  execFileSync('cp', ['-a', `${base.root}/.`, root])
  return { ...base, env: { ...base.env }, root }
}

function runInstruction(
  stage: Stage,
  name: string,
  rest: string,
  stageOf: (name: string) => Stage,
): void {
  switch (name) {
    case 'WORKDIR':
      stage.workdir = rest
      mkdirSync(join(stage.root, rest), { recursive: true })
      return
    case 'COPY':
      copy(stage, rest, stageOf)
      return
    case 'RUN':
      run(stage, rest)
      return
    case 'ENV':
      for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) stage.env[key] = value
      return
    case 'USER':
      stage.user = rest
      return
    case 'CMD':
      stage.command = JSON.parse(rest)
      return
    case 'HEALTHCHECK':
      stage.healthCheck = JSON.parse(rest.slice(rest.indexOf('CMD') + 'CMD'.length))
      return
    case 'VOLUME':
    case 'EXPOSE':
      return
    default:
      throw new Error(`This does not know the instruction ${name}`)
  }
}

function copy(stage: Stage, rest: string, stageOf: (name: string) => Stage): void {
  const [, from] = /^--from=(\S+) /.exec(rest) ?? []
  const paths = rest.replace(/^--from=\S+ /, '').split(/\s+/)
  const target = join(stage.root, posix.resolve(stage.workdir, paths.at(-1) ?? ''))
  const source = from === undefined ? process.cwd() : stageOf(from).root
  for (const path of paths.slice(0, -1)) {
    const isFile = from === undefined && path.includes('.')
    cpSync(join(source, path), isFile ? join(target, path) : target, {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
}

function run(stage: Stage, command: string): void {
  const { uid = process.getuid?.(), gid = process.getgid?.() } = imageUser
  const script = command
    .replaceAll(/(?<=\s)\/(?=data\b|app\b)/g, `${stage.root}/`)
    .replaceAll('node:node', `${uid}:${gid}`)
  const npmrc = join(homedir(), '.npmrc')
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-ec', script], {
    cwd: join(stage.root, stage.workdir),
    encoding: 'utf8',
    timeout: waitLimitMs,
    env: {
      PATH: basePath,
      HOME: stage.root,
      ...stage.env,
      // This machine's access to the npm registry.
      ...(existsSync(npmrc) && { npm_config_userconfig: npmrc }),
      ...(authorities !== undefined && { NODE_EXTRA_CA_CERTS: authorities }),
    },
  })
  if (status !== 0) throw new Error(`RUN ${command}\n${stdout}${stderr}`)
}
