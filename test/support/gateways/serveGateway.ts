import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { createMetrics } from '#src/gateway/monitoring/metrics.ts'
import { createGateway } from '#src/gateway/server.ts'
import type { Service } from '#src/service/service.ts'
import { ether } from '#test/support/canned/cannedCurrencies.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'

/** A gateway on an ephemeral port. `operations` replace the market. */
export async function serveGateway(
  changed: Partial<Service> = {},
  options: Parameters<typeof createGateway>[1] = { deadlineSeconds: 10 },
  isWarm = () => true,
) {
  const operations = { ...cannedOperations, ...changed }
  const logged: Record<string, unknown>[] = []
  const log = pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) })
  const clients = new Map([
    [
      ether.chainId,
      {
        usage: () => [
          { rpc: '0: http://rpc', requests: new Map([['eth_call', 3]]), budget: undefined },
        ],
      },
    ],
  ])
  const metrics = createMetrics({ chains: operations.chains, clients })
  const gateway = createGateway({ operations, log, metrics, isWarm }, options)
  await new Promise<void>((resolve) => gateway.server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`

  return {
    url,
    server: gateway.server,
    logged,
    ...createGraphqlClient(url),
    close: gateway.close,
    /** The number of requests that the compiled executor has answered. */
    compiledAnswers: async (): Promise<number> => {
      const text = await (await fetch(`${url}/metrics`)).text()
      const counts = text.matchAll(/_duration_seconds_count\{.*lane="compiled"\} (\d+)/g)
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    },
  }
}

export type ServedGateway = Awaited<ReturnType<typeof serveGateway>>
