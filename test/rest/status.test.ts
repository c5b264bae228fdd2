import { describe, expect, it } from 'vitest'
import {
  filledStates,
  paidOutput,
  paidState,
  requestId,
  stateAt,
} from '#test/support/fixtures/requestAnswer.ts'
import { useRequestRoutes } from '#test/support/gateways/useRequestRoutes.ts'

const routes = useRequestRoutes()

describe('/intents/status/v3', () => {
  it('returns the status of a request', async () => {
    routes.setAnswer(stateAt(3))
    expect(
      await routes.get('/intents/status/v3', `?requestId=${requestId}&referrer=app`),
    ).toMatchInlineSnapshot(`
      {
        "destinationChainId": 990002,
        "failReason": "N/A",
        "inTxHashes": [
          "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
        ],
        "originChainId": 990001,
        "quoteCreatedAt": 1790000000000,
        "refundFailReason": "N/A",
        "status": "submitted",
        "txHashes": [
          "0xf1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1",
        ],
        "updatedAt": 1790000000003,
      }
    `)
  })

  it('accepts an id in any letter case', async () => {
    const shouted = `0x${requestId.slice(2).toUpperCase()}`
    expect(await routes.get('/intents/status/v3', `?requestId=${shouted}`)).toMatchObject({
      status: 'submitted',
    })
  })

  it('returns the reason of a failure', async () => {
    routes.setAnswer({
      ...stateAt(2),
      status: 'failure',
      failReason: 'SLIPPAGE',
      refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    })
    expect(await routes.get('/intents/status/v3', `?requestId=${requestId}`)).toMatchObject({
      status: 'failure',
      failReason: 'SLIPPAGE',
      refundFailReason: 'AMOUNT_TOO_LOW_TO_REFUND',
    })
  })

  it('returns the reason of a success without the calls of its order', async () => {
    routes.setAnswer({ ...stateAt(4), failReason: 'EXECUTION_REVERTED' })
    expect(await routes.get('/intents/status/v3', `?requestId=${requestId}`)).toMatchObject({
      status: 'success',
      details: expect.stringContaining('calls of the order reverted'),
      failReason: 'EXECUTION_REVERTED',
      refundFailReason: 'N/A',
    })
  })

  it('returns what the recipient got, as the chain shows it', async () => {
    routes.setAnswer(paidState)
    const body = await routes.get('/intents/status/v3', `?requestId=${requestId}`)
    expect(body).toMatchObject({
      paid: { ...paidOutput, amountFormatted: '0.999' },
    })
    expect(body).not.toHaveProperty('refunds')
  })

  it.each(['/intents/status', '/intents/status/v2'])(
    'is also served at %s for clients that do not know the status `submitted`',
    async (path) => {
      const seen = []
      for (const state of filledStates) {
        routes.setAnswer(state)
        const body = (await routes.get(path, `?requestId=${requestId}`)) as Record<string, unknown>
        expect(body['time']).toBe(body['updatedAt'])
        seen.push(body['status'])
      }
      expect(seen).toEqual(['waiting', 'waiting', 'pending', 'pending', 'success'])
    },
  )

  it('rejects an invalid id and reports an unknown one', async () => {
    const nobodys = `0x${'00'.repeat(32)}`
    for (const path of ['/intents/status/v3', '/intents/status', '/intents/status/v2']) {
      expect(await routes.refusal(`${path}?requestId=${nobodys}`)).toEqual([
        404,
        'UNKNOWN_REQUEST',
        `requestId: no request is ${nobodys}`,
      ])
      expect(await routes.refusal(path)).toEqual([400, 'INVALID_REQUEST', 'requestId: Required'])
      expect(await routes.refusal(`${path}?requestId=0x12`)).toEqual([
        400,
        'INVALID_REQUEST',
        'requestId: Must be 0x and 64 hexadecimal digits',
      ])
      expect((await routes.refusal(`${path}?requestId=${requestId}&more=1`))[1]).toBe(
        'INVALID_REQUEST',
      )
    }
  })
})
