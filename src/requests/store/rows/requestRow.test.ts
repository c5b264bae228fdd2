import { expect, it } from 'vitest'
import { initialState } from '#src/requests/state/requestState.ts'
import { encodeState, parseState } from '#src/requests/state/stateJson.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { encodeRequest } from './requestRow.ts'

const quoted = quotedRequest(`0x${'1'.repeat(64)}`)
if (quoted.execution !== 'solver') throw new Error('Not a request for the solver')

it('stores JSON under the property names of earlier versions', () => {
  const funding = { depositDeadline: 7, partial: true }
  const row = JSON.parse(encodeRequest({ ...quoted, funding }))
  expect(row.gathering).toEqual({ until: 7, partial: true })
  expect(row.fill.mostPayout).toBe(`${quoted.fill.maxPayout}`)
  expect(row.fill).not.toHaveProperty('maxPayout')
  const { inputStates, ...rest } = initialState(quoted)
  expect(encodeState({ ...rest, inputStates })).toEqual({ ...rest, fundings: inputStates })
  expect(parseState({ ...rest, fundings: inputStates })).toEqual({ ...rest, inputStates })
})
