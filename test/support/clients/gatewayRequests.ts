/** The answer of `/ready`. */
export async function readiness(url: string): Promise<Readonly<{ status: number; body: string }>> {
  const response = await fetch(`${url}/ready`)
  return { status: response.status, body: await response.text() }
}

/** The sum of a Prometheus metric over its labels that match. */
export async function figureOf(url: string, name: string, label = ''): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const lines = text.split('\n').filter((each) => each.startsWith(`${name}{`))
  const chosen = lines.filter((each) => each.includes(label))
  return chosen.reduce((sum, each) => sum + Number(each.slice(each.lastIndexOf(' '))), 0)
}

/** Asks a gateway to send a call at the expense of the API key's client. */
export async function executeCall(
  url: string,
  key: string,
  data: object,
): Promise<Readonly<{ status: number; body: unknown }>> {
  const request = { executionKind: 'rawCalls', data, executionOptions: { subsidizeFees: true } }
  const response = await fetch(`${url}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(request),
  })
  return { status: response.status, body: await response.json() }
}
