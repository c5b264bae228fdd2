import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const { scripts, version } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The operator's commands, and the file of each. */
const commands = Object.entries(scripts as Record<string, string>).flatMap(([name, script]) => {
  const file = /^node .*?(src\/\S+\.ts)$/.exec(script)?.[1]
  return file === undefined ? [] : [{ name, file }]
})

async function run(file: string, args: readonly string[]) {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/bin:/bin' },
  })
  const [code, out, errors] = await Promise.all([
    once(child, 'close').then(([each]) => each),
    ...[text(child.stdout), text(child.stderr)],
  ])
  return { code, out: out ?? '', errors: errors ?? '' }
}

it('finds the commands', () => {
  expect(commands.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['start', 'config', 'deploy', 'demo', 'resume', 'sweep']),
  )
})

it.each(commands)(
  '$name explains itself, tells its version, and refuses other options',
  async ({ name, file }) => {
    const called = name === 'start' ? 'npm start' : `npm run ${name}`
    const help = await run(file, ['--help'])
    expect(help).toMatchObject({ code: 0, errors: '' })
    expect(help.out).toContain(`Usage: ${called}`)
    expect(help.out.split('\n').length).toBeGreaterThan(3)
    expect((await run(file, ['--version'])).out).toMatch(
      new RegExp(`^${version.replaceAll('.', '\\.')}(\\+[0-9a-f]{8})?\\n$`),
    )
    const { code, out, errors } = await run(file, ['--nonsense'])
    expect(code).toBe(1)
    expect(`${out}${errors}`).toContain("Unknown option '--nonsense'")
  },
)
