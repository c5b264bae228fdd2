import type { Page } from 'puppeteer-core'

/**
 * Refuses the first operation of each name that the page sends, as a busy gateway does. `refusedOperations` of the page
 * lists the names.
 */
export async function refuseFirst(tab: Page): Promise<void> {
  await tab.evaluateOnNewDocument(() => {
    const refused: string[] = []
    const errors = [
      { message: 'Overloaded', extensions: { code: 'OVERLOADED', retryAfterSeconds: 0 } },
    ]
    const isFirst = (query: string): boolean => {
      const [, name = ''] = /\w+ (\w+)/.exec(query) ?? []
      const first = !refused.includes(name)
      if (first) refused.push(name)
      return first
    }
    const send = window.fetch
    window.fetch = async (target, options) =>
      target === '/graphql' && isFirst(JSON.parse(String(options?.body)).query)
        ? Response.json({ errors })
        : send(target, options)
    const Socket = window.WebSocket
    window.WebSocket = class extends Socket {
      override send(text: string): void {
        const { id, type, payload } = JSON.parse(text)
        const isRefused = type === 'subscribe' && isFirst(payload.query)
        const data = JSON.stringify({ id, type: 'error', payload: errors })
        if (isRefused) this.dispatchEvent(new MessageEvent('message', { data }))
        else super.send(text)
      }
    }
    Object.assign(window, { refusedOperations: refused })
  })
}
