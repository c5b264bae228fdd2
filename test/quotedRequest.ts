import type { ProtocolOrder } from '#src/execution/protocolOrder.ts'
import type { StepItem } from '#src/execution/step.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { nativeAddress, toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'
import { toUsd } from '#src/units/usd.ts'

const user = toAddress('0x70997970c51812dc3a010c7d01b50e0d17dc79c8')
const solver = toAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')
const currency = toAddress('0x5fbdb2315678afecb367f032d93f642f64180aa3')
const amount = 1_000_000_000_000_000_000n
const deadline = 1_800_000_000

const order: ProtocolOrder = {
  version: 'v1',
  solverChainId: 'one',
  solver,
  salt: 2n ** 255n,
  inputs: [
    {
      payment: { chainId: 'one', currency, amount, weight: 1n },
      refunds: [
        {
          chainId: 'one',
          recipient: user,
          currency,
          minimumAmount: 0n,
          deadline,
          extraData: '0x',
        },
      ],
    },
  ],
  output: {
    chainId: 'two',
    payments: [
      { recipient: user, currency: nativeAddress, minimumAmount: amount, expectedAmount: amount },
    ],
    deadline,
    calls: [],
    extraData: '0x',
  },
  fees: [],
}

const item = (data: `0x${string}`): StepItem => ({
  status: 'incomplete',
  data: {
    from: user,
    to: currency,
    data,
    value: 0n,
    chainId: toChainId(990001),
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
    isFirst: false,
  },
})

const text = { action: 'Confirm transaction in your wallet', kind: 'transaction' } as const

/** An approval and a deposit behind a swap, of about the size that quotes have. */
export const quotedRequest = (requestId: `0x${string}`): QuotedRequest => ({
  requestId,
  execution: 'solver',
  orderId: requestId,
  order,
  inputs: [
    {
      chainId: toChainId(990001),
      user,
      refundTo: user,
      currency,
      amount: toAmount(amount),
      depositCurrency: currency,
      depositAmount: toAmount(amount),
      leastDeposit: toAmount(amount),
      payoutAmount: toAmount(amount),
    },
  ],
  fill: {
    payoutCurrency: nativeAddress,
    payoutAmount: toAmount(amount),
    mostPayout: toAmount(amount),
    excludedSwapSources: [],
    enableTrueExactOutput: false,
  },
  user,
  recipient: user,
  refundTo: user,
  originChainId: toChainId(990001),
  destinationChainId: toChainId(990002),
  originCurrency: currency,
  destinationCurrency: nativeAddress,
  tradeType: 'EXACT_INPUT',
  amountIn: toAmount(amount),
  amountOut: toAmount(amount),
  minimumAmountOut: toAmount(amount),
  steps: [
    {
      ...text,
      id: 'approve',
      description: 'Sign an approval for USDC',
      requestId,
      items: [item(`0x${'ab'.repeat(68)}`)],
    },
    {
      ...text,
      id: 'deposit',
      description: 'Depositing funds to the relayer to execute the swap for ETH',
      requestId,
      depositAddress: '',
      items: [item(`0x${'cd'.repeat(1_000)}`)],
    },
  ],
  referrer: 'a frontend',
  subsidizedUsd: toUsd(0n),
  createdAt: 1_790_000_000_000,
  deadline,
})
