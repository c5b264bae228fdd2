import { concatHex, encodeFunctionData, maxUint256 } from 'viem'
import { expect, it } from 'vitest'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { orderIdOf } from '#src/protocol/order/orderId.ts'
import {
  answerFor,
  approveStep,
  depositStep,
  destination,
  order,
  parties,
  paymentOf,
  protocolOf,
  quoteAnswer,
  stepOf,
} from '#test/support/fixtures/upstreamAnswer.ts'
import { failureOf, fallbackTo } from '#test/support/rigs/fallbackRig.ts'

const { thief, user } = parties

const withOutput = (change: Partial<typeof order.output>) =>
  answerFor({ ...order, output: { ...order.output, ...change } })

const transferToThief = stepOf('deposit', {
  to: parties.usdc,
  data: concatHex(['0xa9059cbb', `0x${'0'.repeat(24)}`, thief, `0x${'0'.repeat(64)}`]),
})

it.each([
  ['an approval to a thief', { steps: [approveStep(thief), depositStep()] }, 'a spender is not'],
  [
    'an approval of more',
    { steps: [approveStep(parties.depository, maxUint256), depositStep()] },
    'an approval is not for the exact input',
  ],
  [
    'an approval of another currency',
    {
      steps: [approveStep(parties.depository, undefined, { to: parties.farUsdc }), depositStep()],
    },
    'an approval is not for the input',
  ],
  [
    'an approval that is a transfer',
    { steps: [{ ...transferToThief, id: 'approve' }, depositStep()] },
    'a step calls an unknown function',
  ],
  [
    'an approval that sends native currency',
    { steps: [approveStep(parties.depository, undefined, { value: '1' }), depositStep()] },
    'an approval is not for the input',
  ],
  ['a call of the currency', { steps: [transferToThief] }, 'a contract that is not configured'],
  [
    'native currency on top of the input',
    { steps: [depositStep({}, { value: '1' })] },
    'a step sends another native value',
  ],
  ['another chain', { steps: [depositStep({}, { chainId: destination })] }, 'on another chain'],
  ['another sender', { steps: [depositStep({}, { from: thief })] }, 'not sent by the user'],
  [
    'an unknown function',
    { steps: [depositStep({}, { data: '0x12345678' })] },
    'a step calls an unknown function',
  ],
  ['no calldata', { steps: [depositStep({}, { data: '0x' })] }, 'calls an unknown function'],
  [
    'a deposit of more',
    { steps: [depositStep({ amount: 100_000_001n })] },
    'the deposit is of another currency or amount',
  ],
  [
    'a deposit of another’s',
    { steps: [depositStep({ depositor: thief })] },
    'the deposit is for another account',
  ],
  [
    'a deposit for another order',
    { steps: [depositStep({ id: `0x${'6'.repeat(64)}` })] },
    'the deposit is for another order',
  ],
  [
    'a deposit of all that was ever approved',
    {
      steps: [
        depositStep(
          {},
          {
            data: encodeFunctionData({
              abi: depository.abi,
              functionName: 'depositErc20',
              args: [user, parties.usdc, orderIdOf(order)],
            }),
          },
        ),
      ],
    },
    'a step calls an unknown function',
  ],
  [
    'a signature',
    { steps: [{ ...depositStep(), kind: 'signature' }] },
    'wrong or unknown: steps.0.kind',
  ],
  ['an unknown step', { steps: [{ ...depositStep(), id: 'authorize1' }] }, 'steps.0.id'],
  ['a deposit address', { steps: [{ ...depositStep(), depositAddress: thief }] }, 'depositAddress'],
  ['no steps', { steps: [] }, 'steps'],
  ['a last step that approves', { steps: [approveStep(parties.depository)] }, 'the last step'],
  ['two deposits', { steps: [depositStep(), depositStep()] }, 'is not an approval'],
  [
    'two requests',
    {
      steps: [
        approveStep(parties.depository),
        { ...depositStep(), requestId: `0x${'4'.repeat(64)}` },
      ],
    },
    'belong to several requests',
  ],
  [
    'a tip for the miner',
    { steps: [depositStep({}, { maxPriorityFeePerGas: `${10n ** 13n}` })] },
    'pays too much for gas',
  ],
  ['invalid hex', { steps: [depositStep({}, { data: '0xzz' })] }, 'steps.0.items.0.data.data'],
  ['no order', { protocol: undefined }, 'its deposit has no order'],
  [
    'an order with another id',
    { protocol: { v2: { ...protocolOf().v2, orderId: `0x${'6'.repeat(64)}` } } },
    'does not have the id',
  ],
  [
    'an order that pays a thief',
    withOutput({ payments: [{ ...paymentOf(99_100_000n), recipient: thief }] }),
    'the order pays another recipient',
  ],
  [
    'an order that pays a thief too',
    withOutput({ payments: [paymentOf(99_100_000n), { ...paymentOf(1n), recipient: thief }] }),
    'the order pays another recipient',
  ],
  [
    'an order that promises less',
    withOutput({ payments: [paymentOf(99_099_999n)] }),
    'the order promises less than the details',
  ],
  ['an order on another chain', withOutput({ chainId: 'near' }), 'the order pays on another chain'],
  ['an order with calls', withOutput({ calls: ['0x00'] }), 'the order makes other calls'],
  [
    'an order that refunds a thief',
    answerFor({
      ...order,
      inputs: order.inputs.map((each) => ({
        ...each,
        refunds: each.refunds.map((refund) => ({ ...refund, recipient: thief })),
      })),
    }),
    'the order refunds another account',
  ],
  [
    'an order with a fee for a thief',
    answerFor({
      ...order,
      fees: [
        {
          recipientChainId: 'near',
          recipient: thief,
          currencyChainId: 'near',
          currency: parties.usdc,
          amount: 1n,
        },
      ],
    }),
    'pays a fee that nobody asked for',
  ],
  ['an expired order', withOutput({ deadline: 1_600_000_000 }), 'its order has expired'],
])('refuses a quote with %s', async (_, change, problem) => {
  const { quote, stored } = fallbackTo(quoteAnswer(change))
  const failure = await failureOf(quote())
  expect(failure).toContain('SWAP_QUOTE_FAILED: ')
  expect(failure).toContain(problem)
  expect(stored).toEqual([])
})
