import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const promtool = ['/usr/bin/promtool', '/usr/local/bin/promtool'].find((path) => existsSync(path))

describe.skipIf(promtool === undefined)('promtool', () => {
  it('accepts the rules, and sees each alert fire alone in its test', async () => {
    const folder = 'docs/monitoring'
    const alerts = readFileSync(`${folder}/alerts.yml`, 'utf8')
    const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name]) => name)
    await run(promtool ?? '', ['check', 'rules', `${folder}/alerts.yml`])
    await run(promtool ?? '', ['test', 'rules', `${folder}/alerts.test.yml`])
    const tests = readFileSync(`${folder}/alerts.test.yml`, 'utf8')
    const fired = [...tests.matchAll(/labels: '{alertname="(\w+)"}', value: 1/g)]
    expect(new Set(fired.map(([, name]) => name))).toEqual(new Set(alertNames))
  })
})
