import { describe, expect, it } from 'vitest'
import { requestId } from '#test/support/fixtures/requestAnswer.ts'
import { useRequestRoutes } from '#test/support/gateways/useRequestRoutes.ts'

const routes = useRequestRoutes()

describe('/transactions', () => {
  const txHash = `0x${'ab'.repeat(32)}`

  it('index accepts a transaction hint', async () => {
    const body = { chainId: '990001', txHash, referrer: 'app' }
    expect(await routes.post('/transactions/index', body)).toEqual({
      message: 'The transaction will be inspected now.',
    })
    await routes.post('/transactions/index', { chainId: 990002, txHash, requestId })
    expect(routes.hints).toEqual([
      { chainId: 990001, txHash },
      { chainId: 990002, txHash, requestId },
    ])
  })

  it('single extracts the hint from a transaction', async () => {
    const sent = { from: '0x', to: '0x', data: `0x${'ab'.repeat(50_000)}`, value: '0', txHash }
    const replacementTxHash = `0x${'ac'.repeat(32)}`
    for (const tx of [sent, { ...sent, txHash: undefined, replacementTxHash }])
      await routes.post('/transactions/single', {
        tx: JSON.stringify(tx),
        chainId: '990001',
        requestId,
        referrer: 'app',
      })
    expect(routes.hints).toEqual([
      { chainId: 990001, txHash, requestId },
      { chainId: 990001, txHash: replacementTxHash, requestId },
    ])
  })

  it('both take the signature of a transaction on an svm chain', async () => {
    const signature = '5'.repeat(87)
    const chainId = 990001
    await routes.post('/transactions/index', { chainId, txHash: signature })
    const tx = JSON.stringify({ txHash: signature })
    await routes.post('/transactions/single', { chainId, tx, requestId })
    expect(routes.hints).toEqual([
      { chainId, txHash: signature },
      { chainId, txHash: signature, requestId },
    ])
  })

  const noChain = 'chainId: A chain id must be a positive integer or a string of its digits'
  const noTx = 'tx: A JSON object with the `txHash` of a transaction'

  it.each([
    [{ chainId: '1', txHash }, 'chainId: chain 1 is not served'],
    [{ chainId: 'x', txHash: '0x' }, `${noChain}; txHash: Must be 0x and 64 hexadecimal digits`],
    [
      { chainId: 990001, txHash: '5'.repeat(44) },
      'txHash: Must be 0x and 64 hexadecimal digits; on an svm chain it is 64 bytes in base58',
    ],
    [{ chainId: 1.5, txHash }, noChain],
    [{}, `${noChain}; txHash: Required`],
  ])('index rejects %j', async (body, message) => {
    expect((await routes.refusal('/transactions/index', body)).at(2)).toBe(message)
    expect(routes.hints).toEqual([])
  })

  it.each([
    ['{}', noTx],
    ['null', noTx],
    ['{', noTx],
    ['{"txHash":5}', noTx],
    [5, 'tx: The transaction must be a JSON string'],
    [undefined, 'tx: Required'],
  ])('single rejects %j', async (tx, message) => {
    const body = { chainId: '990001', requestId, tx }
    expect((await routes.refusal('/transactions/single', body)).at(2)).toBe(message)
    expect(routes.hints).toEqual([])
  })
})
