import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { vi } from 'vitest'
import { freePort } from '#test/support/freePort.ts'
import { patience } from '#test/support/patience.ts'

/** Whether this machine has a Prometheus server. */
export const hasPrometheus = spawnSync('prometheus', ['--version']).status === 0

type Sample = Readonly<{
  metric: Readonly<Record<string, string>>
  value: readonly [number, string]
}>

/** A Prometheus server that scrapes `url` each second and has our alert rules. Its data are in a directory of its own. */
export async function startPrometheus(url: string) {
  const directory = mkdtempSync(join(tmpdir(), 'crossquote-prometheus-'))
  const port = await freePort()
  const config = {
    global: {
      scrape_interval: '1s',
      evaluation_interval: '1s',
      external_labels: { docs: 'https://docs.example' },
    },
    rule_files: [resolve('docs/monitoring/alerts.yml')],
    scrape_configs: [
      { job_name: 'crossquote', static_configs: [{ targets: [new URL(url).host] }] },
    ],
  }
  // JSON is YAML.
  const file = join(directory, 'prometheus.yml')
  writeFileSync(file, JSON.stringify(config))
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const own = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${own}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitUntil(isReady, patience)

  const ask = async (path: string) => {
    const answer = (await (await fetch(`${own}/api/v1/${path}`)).json()) as { data: unknown }
    return answer.data
  }
  return {
    /** The current samples of an expression. */
    query: async (expression: string) =>
      (
        (await ask(`query?query=${encodeURIComponent(expression)}`)) as {
          result: readonly Sample[]
        }
      ).result,
    /** Name, health and last error of each rule. */
    rules: async () =>
      (
        (await ask('rules')) as {
          groups: readonly Readonly<{
            rules: readonly Readonly<{ name: string; health: string; lastError?: string }>[]
          }>[]
        }
      ).groups.flatMap(({ rules }) => rules),
    stop: async () => {
      const ended = once(child, 'close')
      child.kill()
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
