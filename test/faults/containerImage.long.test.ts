import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { patience } from '#test/support/patience.ts'
import { devnetKeys } from '#test/support/processes/devnetKeys.ts'
import {
  type BuiltTarget,
  basePath,
  buildTarget,
  imageUser,
} from '#test/support/processes/imageBuild.ts'

const maxMegabytes = 250

/** Installs twice what npm installs, so that it takes minutes. */
describe('an image, built by the commands of the Dockerfile', () => {
  const undo: (() => Promise<unknown> | unknown)[] = []
  let parent: string
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    parent = mkdtempSync(join(tmpdir(), 'image-'))
    undo.push(() => rmSync(parent, { recursive: true, force: true }))
    chmodSync(parent, 0o755)
    const devnet = await startDevnet({
      log: createLog('silent'),
      directory: parent,
      firstPort: 0,
      ...testPace,
    })
    undo.push(devnet.stop)
    const path = join(parent, 'config.json')
    writeFileSync(path, JSON.stringify(devnet.config))
    env = { CONFIG: path, ...devnetKeys }
  })
  afterAll(async () => {
    for (const each of undo.splice(0).reverse()) await each()
  })

  const build = (target: string): BuiltTarget => {
    const built = buildTarget(target, parent)
    for (const each of [built.root, built.directory]) chmodSync(each, 0o755)
    return built
  }

  /** Starts the target's own command as its user, until its own health check passes; then stops it. */
  async function runOnce({ directory, ...built }: BuiltTarget, change: object): Promise<string> {
    const own = { PATH: basePath, HOME: '/nonexistent', ...built.env, HOST: '127.0.0.1', PORT: '0' }
    const [command = '', ...args] = built.command
    const options = { cwd: directory, ...imageUser }
    const child = spawn(command, args, { ...options, env: { ...own, ...change } })
    undo.push(() => child.kill('SIGKILL'))
    const ended = once(child, 'close')
    let log = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text
      })
    const port = await vi.waitUntil(() => /localhost:(\d+)/.exec(log)?.[1] ?? hasEnded(), patience)
    function hasEnded(): undefined {
      if (child.exitCode !== null) throw new Error(log)
    }
    const [check = '', ...checkArgs] = built.healthCheck
    const checkEnv = { ...own, PORT: port }
    await vi.waitUntil(
      () => spawnSync(check, checkArgs, { ...options, env: checkEnv }).status === 0,
      { ...patience, interval: 500 },
    )
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    return log
  }

  const megabytesOf = (path: string): number =>
    Number(execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0])

  it('production: serves configured chains, holds nothing of the devnet, and is small', async () => {
    const built = build('production')
    for (const path of ['src/devnet', 'node_modules/node', 'node_modules/@foundry-rs'])
      expect(existsSync(join(built.directory, path))).toBe(false)
    const megabytes = megabytesOf(built.directory)
    process.stdout.write(`The application layer has ${megabytes} MB\n`)
    expect(megabytes).toBeLessThanOrEqual(maxMegabytes)
    await runOnce(built, env)
    const [command = '', ...args] = built.command
    const own = { PATH: basePath, ...built.env, PORT: '0' }
    const without = spawnSync(command, args, { cwd: built.directory, env: own, encoding: 'utf8' })
    expect([without.status, without.stdout]).toEqual([1, expect.stringContaining('CONFIG')])
  })

  it('devnet: starts three chains of its own', async () => {
    const log = await runOnce(build('devnet'), {})
    expect(log.match(/Devnet chain \d+/g)).toHaveLength(3)
  })
})
