import { readFileSync } from 'node:fs'

/** The names of metrics in a PromQL expression, without the suffixes of a histogram. `up` is Prometheus’ own. */
export const namesIn = (expression: string): readonly string[] =>
  [...expression.matchAll(/\b(?:(?:crossquote|process|nodejs)_\w+|up\b)/g)].map(([name]) =>
    name.replace(/(_duration_seconds)_(?:bucket|sum|count)$/, '$1'),
  )

/** The metrics that the alert rules and the dashboard use. */
export function askedMetrics(): ReadonlySet<string> {
  const alerts = readFileSync('docs/monitoring/alerts.yml', 'utf8')
  const dashboard = readFileSync('docs/monitoring/dashboard.json', 'utf8')
  const expressions = [
    ...[...alerts.matchAll(/expr: (.*)/g)].map(([, text = '']) => text),
    ...[...dashboard.matchAll(/"expr": "(.*)",?$/gm)].map(([, text = '']) => text),
  ]
  return new Set(expressions.flatMap(namesIn).filter((name) => name !== 'up'))
}
