import fc from 'fast-check'
import { expect, it } from 'vitest'
import { maxOrigins } from '#src/service/input/multiInput.ts'
import { address, otherUsdc } from '#test/support/canned/cannedCurrencies.ts'
import { multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { useMultiInputRefusals } from '#test/support/gateways/useMultiInputRefusals.ts'
import { runs } from '#test/support/runs.ts'

const { refused } = useMultiInputRefusals()

it('a multi-input quote reports every invalid origin by its index, also if others have errors', () =>
  fc.assert(
    fc.asyncProperty(faultyOrigins, async ({ origins, wrong }) => {
      const answers = await refused({ origins })
      expect(answers.issues?.map(({ path }) => path.join('.')).sort()).toEqual([...wrong].sort())
    }),
    { numRuns: runs(60) },
  ))

/** Possible faults of an origin, with the field that the error names. Origin 0 is always valid; others may be. */
const faults = {
  none: (at: number) => [soundAt(at), undefined],
  zero: (at: number) => [{ ...soundAt(at), amount: '0' }, `origins.${at}.amount`],
  nobody: (at: number) => [{ ...soundAt(at), user: address('00') }, `origins.${at}.user`],
  chain: (at: number) => [{ ...soundAt(at), chainId: -1 }, `origins.${at}.chainId`],
  currency: (at: number) => [{ ...soundAt(at), currency: '' }, `origins.${at}.currency`],
  same: (at: number) => [{ ...soundAt(0), amount: '7' }, `origins.${at}`],
  destination: (at: number) => [
    { ...soundAt(at), chainId: otherUsdc.chainId, currency: otherUsdc.address },
    `origins.${at}.currency`,
  ],
  number: (at: number) => [at, `origins.${at}`],
} as const satisfies Record<string, (at: number) => readonly [unknown, string | undefined]>

const soundAt = (at: number) => ({
  ...multiInputExample.origins[0],
  user: address((0x10 + at).toString(16)),
})

const faultyOrigins = fc
  .array(fc.constantFrom(...Object.values(faults)), { maxLength: maxOrigins - 1 })
  .map((rest) => [faults.none, ...rest].map((fault, at) => fault(at)))
  .map((made) => ({
    origins: made.map(([origin]) => origin),
    wrong: made.flatMap(([, path]) => path ?? []),
  }))
  .filter(({ wrong }) => wrong.length > 0)
