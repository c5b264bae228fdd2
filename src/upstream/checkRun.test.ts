import { encodeFunctionData, maxUint256 } from 'viem'
import { expect, it } from 'vitest'
import { router } from '#src/protocol/contracts/artifacts/router.ts'
import { orderIdOf } from '#src/protocol/order/orderId.ts'
import {
  approveStep,
  order,
  parties,
  quoteAnswer,
  runStep,
} from '#test/support/fixtures/upstreamAnswer.ts'
import { failureOf, fallbackTo } from '#test/support/rigs/fallbackRig.ts'

const { thief, user } = parties

const call = (callData: `0x${string}`, change: object = {}) => ({
  target: parties.router,
  callData,
  ...change,
})

const { abi } = router
const depositCall = (minimum = 99_500_000n, id = orderIdOf(order), depositor: string = user) =>
  call(
    encodeFunctionData({
      abi,
      functionName: 'depositErc20',
      args: [depositor as `0x${string}`, parties.usdc, id, minimum, maxUint256],
    }),
  )
const payThief = call(
  encodeFunctionData({
    abi,
    functionName: 'cleanupErc20s',
    args: [[parties.usdc], [thief], [0n]],
  }),
)

const swapThen = (calls: Parameters<typeof runStep>[1], options: object = {}) =>
  fallbackTo(
    quoteAnswer({
      steps: [approveStep(parties.proxy), runStep('deposit', calls, options)],
    }),
  ).quote()

it('passes on a swap by a configured router that deposits for the order', async () => {
  expect(await failureOf(swapThen([depositCall()]))).toBe('passed on')
})

it.each([
  ['a payment to a thief', [payThief, depositCall()], {}, 'a call pays another account'],
  ['a deposit of less', [depositCall(99_499_999n)], {}, 'or too little'],
  ['another order', [depositCall(undefined, `0x${'6'.repeat(64)}`)], {}, 'for another order'],
  ['another’s deposit', [depositCall(undefined, undefined, thief)], {}, 'for another order'],
  ['no deposit', [], {}, 'does not end with one payment'],
  ['two deposits', [depositCall(), depositCall()], {}, 'does not end with one payment'],
  ['a foreign contract', [{ ...depositCall(), target: thief }], {}, 'not configured'],
  ['a call that may fail', [{ ...depositCall(), allowFailure: true }], {}, 'a call may fail'],
  ['an unknown call', [call('0x12345678'), depositCall()], {}, 'uses an unknown function'],
  [
    'the rest to a thief',
    [depositCall()],
    { refundTo: thief },
    'the rest of the swap goes to another account',
  ],
  ['more than the input', [depositCall()], { amount: maxUint256 }, 'of another currency or amount'],
])('refuses a swap with %s', async (_, calls, options, problem) => {
  expect(await failureOf(swapThen(calls, options))).toContain(problem)
})
