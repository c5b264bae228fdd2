import type { MultiInputAnswer, QuotedStep } from '#src/operations/operations.ts'
import type { Leg } from '#src/pricing/price.ts'
import { toAmount } from '#src/units/amount.ts'
import { toBps } from '#src/units/bps.ts'
import { toUsd } from '#src/units/usd.ts'
import {
  address,
  amountOf,
  blockOn,
  ether,
  otherEther,
  otherUsdc,
  usdc,
} from './cannedCurrencies.ts'

const requestId = `0x${'cd'.repeat(32)}` as const
const [user, partner] = [address('11'), address('33')]

/** Without a swap. */
const legOf = (input: Leg['input'], output = input): Leg => ({
  input,
  output,
  route: undefined,
  router: 'relay',
  swapSources: [],
})

const usdcIn = amountOf(usdc, 500_000_000n, 500_000_000n)
const etherIn = amountOf(otherEther, 10n ** 18n, 3_000_000_000n)
const paidOut = amountOf(otherUsdc, 3_490_000_000n, 3_490_000_000n)

const transaction = { maxFeePerGas: 15n, maxPriorityFeePerGas: 1n } as const
const step = {
  action: 'Confirm transaction in your wallet',
  kind: 'transaction',
  requestId,
} as const
const deposit = {
  ...step,
  id: 'deposit',
  description: 'Depositing funds to the relayer to execute the swap for USDC',
  depositAddress: '',
} as const

const steps: readonly QuotedStep[] = [
  {
    ...step,
    id: 'approve',
    description: 'Sign an approval for USDC',
    items: [
      {
        status: 'incomplete',
        data: {
          ...transaction,
          from: user,
          to: usdc.address,
          data: '0x095ea7b3',
          value: 0n,
          chainId: usdc.chainId,
          gas: async () => 60_000n,
        },
      },
    ],
  },
  {
    ...deposit,
    items: [
      {
        status: 'incomplete',
        data: {
          ...transaction,
          from: user,
          to: address('e1'),
          data: '0xe8017952',
          value: 0n,
          chainId: usdc.chainId,
          gas: async () => undefined,
        },
      },
    ],
  },
  {
    ...deposit,
    items: [
      {
        status: 'incomplete',
        data: {
          ...transaction,
          from: partner,
          to: address('e1'),
          data: '0x49290c1c',
          value: 10n ** 18n,
          chainId: otherEther.chainId,
          gas: async () => 50_000n,
        },
        check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' },
      },
    ],
  },
]

/** Two accounts on two chains pay for one swap, one of them after an approval. */
export const cannedMultiInput: MultiInputAnswer = {
  operation: 'swap',
  sender: user,
  recipient: address('22'),
  currencyIn: amountOf(otherUsdc, 3_500_000_000n, 3_500_000_000n),
  currencyOut: { ...paidOut, minimumAmount: toAmount(3_472_550_000n) },
  fees: {
    gas: amountOf(otherEther, 2_000_000_000_000_000n, 6_000_000n),
    relayer: amountOf(otherUsdc, 1_000_000n, 1_000_000n),
    relayerGas: amountOf(otherUsdc, 400_000n, 400_000n),
    relayerService: amountOf(otherUsdc, 600_000n, 600_000n),
    app: amountOf(otherUsdc, 0n, 0n),
    subsidized: amountOf(otherUsdc, 0n, 0n),
  },
  totalImpact: { usd: toUsd(-10_000_000n), percentHundredths: -29n },
  swapImpact: { usd: toUsd(-9_000_000n), percentHundredths: -26n },
  rate: '0.997142857142857143',
  slippageBps: toBps(50n),
  slippageTolerance: {
    origin: { value: toAmount(0n), usd: toUsd(0n), percentHundredths: 0n },
    destination: { value: toAmount(17_450_000n), usd: undefined, percentHundredths: 50n },
  },
  timeEstimate: 14,
  destination: legOf(paidOut),
  blocks: [blockOn(990001), blockOn(990002)],
  order: {
    user,
    recipient: address('22'),
    origins: [
      { user, refundTo: user, currency: usdc, amount: usdcIn.amount },
      { user: partner, refundTo: partner, currency: otherEther, amount: etherIn.amount },
    ],
    destination: otherUsdc,
    originGasOverhead: 0n,
    txs: [],
  },
  fundings: [
    {
      user,
      refundTo: user,
      leg: legOf(usdcIn),
      tradeType: 'EXACT_INPUT',
      explicitDeposit: true,
      payoutAmount: toAmount(499_000_000n),
    },
    {
      user: partner,
      refundTo: partner,
      leg: legOf(etherIn),
      tradeType: 'EXACT_INPUT',
      explicitDeposit: true,
      payoutAmount: toAmount(2_991_000_000n),
    },
  ],
  breakdown: [
    { value: toAmount(2_991_000_000n), timeEstimate: 3 },
    { value: toAmount(499_000_000n), timeEstimate: 14 },
  ],
  worthOf: (_, amount) => amount,
  userBalance: async () => toAmount(7_000_000_000n),
  requestId: async () => requestId,
  steps: async () => steps,
  depositDeadline: async () => 1_700_001_800,
}

/** An input that passes, as a client sends it. */
export const multiInputExample = {
  user,
  origins: [
    { chainId: ether.chainId, currency: usdc.address, amount: '500000000' },
    {
      chainId: otherEther.chainId,
      currency: otherEther.address,
      amount: '1000000000000000000',
      user: partner,
    },
  ],
  destinationChainId: otherUsdc.chainId,
  destinationCurrency: otherUsdc.address,
  tradeType: 'EXACT_INPUT',
} as const
