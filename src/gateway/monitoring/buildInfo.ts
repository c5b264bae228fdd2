import { Gauge, type Registry } from 'prom-client'

/** Adds `crossquote_build_info`, which is 1 and names the running version. */
export function addBuildInfo(registry: Registry, version: string): void {
  const gauge = new Gauge({
    name: 'crossquote_build_info',
    help: '1, with the version that runs',
    labelNames: ['version'],
    registers: [registry],
  })
  gauge.set({ version }, 1)
}
