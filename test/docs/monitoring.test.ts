import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readDocument } from '#test/support/clients/documents.ts'
import { namesIn } from '#test/support/monitoring.ts'

const alerts = readFileSync('docs/monitoring/alerts.yml', 'utf8')
const runbook = readDocument('docs/runbook.md')

const alertNames = [...alerts.matchAll(/^ +- alert: (\w+)$/gm)].map(([, name = '']) => name)

describe('the alert rules', () => {
  it('each link to one entry of the runbook, and the runbook has no other entries', () => {
    expect(alertNames.length).toBeGreaterThan(20)
    const links = [
      ...alerts.matchAll(
        /runbook_url: '{{ or \$externalLabels\.docs "docs" }}\/runbook\.md#(\w+)'$/gm,
      ),
    ]
    expect(links.map(([, anchor]) => anchor)).toEqual(alertNames.map((name) => name.toLowerCase()))
    const entries = [...runbook.matchAll(/^### (Crossquote\w+)$/gm)].map(([, name]) => name)
    expect(entries).toEqual(alertNames)
  })

  it('include each alarm of the operator’s page', () => {
    const alarms = readFileSync('src/service/books/solverBooks.ts', 'utf8').matchAll(
      /name: '(\w+)'/g,
    )
    const names = [...alarms].map(([, name]) => name)
    expect(names.length).toBeGreaterThan(4)
    expect(alertNames).toEqual(expect.arrayContaining(names))
  })

  it('each have an expression over a metric, a severity and a summary', () => {
    const rules = alerts.split(/^ +- alert: /m).slice(1)
    for (const rule of rules) {
      expect(namesIn(/expr: (.*)/.exec(rule)?.[1] ?? '').length).toBeGreaterThan(0)
      expect(rule).toMatch(/severity: (page|ticket)/)
      expect(rule).toMatch(/summary: ".+"/)
    }
  })
})

it('each panel of the dashboard queries a metric, and no panels overlap', () => {
  type Panel = Readonly<{
    gridPos: Readonly<{ x: number; y: number }>
    targets: readonly Readonly<{ expr: string }>[]
  }>
  const { panels } = JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8')) as {
    panels: readonly Panel[]
  }
  expect(panels.length).toBeGreaterThan(15)
  for (const { targets } of panels)
    for (const { expr } of targets) expect(namesIn(expr).length).toBeGreaterThan(0)
  expect(new Set(panels.map(({ gridPos }) => `${gridPos.x} ${gridPos.y}`)).size).toBe(panels.length)
})
