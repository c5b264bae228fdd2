import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toPips } from '#src/core/units/pips.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { toOrderData } from '#src/protocol/order/protocolOrder.ts'
import type { PriceAnswer, QuoteAnswer } from '#src/service/answers.ts'
import {
  address,
  amountOf,
  blockOn,
  ether,
  otherEther,
  otherUsdc,
  usdc,
} from './cannedCurrencies.ts'
import { cannedMultiInput, multiOrderId } from './cannedMultiInput.ts'

const hop = {
  pool: {
    kind: 'constantProduct',
    chainId: ether.chainId,
    address: address('c1'),
    source: 'uniswap-v2',
    currency0: address('a1'),
    currency1: address('d1'),
    fee: toPips(3000),
    reserve0: 10n ** 12n,
    reserve1: 10n ** 21n,
  },
  zeroForOne: false,
  amountIn: toAmount(10n ** 18n),
  amountOut: toAmount(2_991_000_000n),
  ticksCrossed: 0,
} as const

/** A cross-chain price with every optional field. */
export const cannedPrice: PriceAnswer = {
  operation: 'swap',
  sender: address('11'),
  recipient: address('22'),
  currencyIn: amountOf(ether, 10n ** 18n, 3_000_000_000n),
  currencyOut: {
    ...amountOf(otherUsdc, 2_990_000_000n, 2_990_000_000n),
    minimumAmount: toAmount(2_975_050_000n),
  },
  fees: {
    gas: amountOf(ether, 2_000_000_000_000_000n, 6_000_000n),
    relayer: amountOf(usdc, 1_000_000n, 1_000_000n),
    relayerGas: amountOf(usdc, 400_000n, 400_000n),
    relayerService: amountOf(usdc, 600_000n, 600_000n),
    app: amountOf(usdc, 0n, 0n),
    subsidized: amountOf(usdc, 0n, 0n),
  },
  totalImpact: { usd: toUsd(-10_000_000n), percentHundredths: -33n },
  swapImpact: { usd: toUsd(-9_000_000n), percentHundredths: -30n },
  rate: '2990',
  slippageBps: toBps(50n),
  slippageTolerance: {
    origin: { value: toAmount(14_955_000n), usd: toUsd(14_955_000n), percentHundredths: 50n },
    destination: { value: toAmount(14_950_000n), usd: undefined, percentHundredths: 50n },
  },
  timeEstimate: 13,
  origin: {
    input: amountOf(ether, 10n ** 18n, 3_000_000_000n),
    output: amountOf(usdc, 2_991_000_000n, 2_991_000_000n),
    route: {
      input: address('d1'),
      output: address('a1'),
      amountIn: hop.amountIn,
      amountOut: hop.amountOut,
      paths: [{ amountIn: hop.amountIn, amountOut: hop.amountOut, hops: [hop] }],
    },
    router: 'uniswap-v2',
    swapSources: ['uniswap-v2'],
  },
  destination: {
    input: amountOf(otherUsdc, 2_990_000_000n, 2_990_000_000n),
    output: amountOf(otherUsdc, 2_990_000_000n, 2_990_000_000n),
    route: undefined,
    router: 'relay',
    swapSources: [],
  },
  blocks: [blockOn(990001), blockOn(990002)],
  awaitsLiquidity: false,
  refundCurrency: amountOf(usdc, 2_991_000_000n, 2_991_000_000n),
  currencyGasTopup: amountOf(otherEther, 666_666_666_666_666n, 1_999_999n),
  expandedPriceImpact: {
    swap: toUsd(-9_000_000n),
    execution: toUsd(-420_000n),
    service: toUsd(-580_000n),
    app: toUsd(0n),
    sponsored: toUsd(0n),
  },
  isFixedRate: false,
  fixedRateFee: undefined,
  userBalance: async () => toAmount(5n * 10n ** 18n),
  warnings: async () => [
    {
      code: 'HIGH_FEES',
      severity: 'WARNING',
      message: 'All fees together are $90.000000: 3.00% of the input’s value.',
      data: { usd: '90.000000', percent: '3.00' },
    },
  ],
  issues: {
    balance: async () => undefined,
    allowance: async () => ({
      currency: ether,
      expected: toAmount(10n ** 18n),
      actual: toAmount(0n),
      spender: address('a1'),
    }),
  },
}

const requestId = `0x${'cd'.repeat(32)}` as const
const orderId = `0x${'ef'.repeat(32)}` as const

const transaction = {
  from: address('11'),
  chainId: ether.chainId,
  maxFeePerGas: 15n,
  maxPriorityFeePerGas: 1n,
}

/**
 * The same as a quote. It has an approval, which can be simulated, and a deposit, which cannot be simulated
 * before the approval.
 */
export const cannedQuote: QuoteAnswer = {
  ...cannedPrice,
  issues: {
    balance: async () => undefined,
    allowance: async () => undefined,
    gas: async () => ({ reason: 'EARLIER_TRANSACTION' }),
  },
  deadline: 1_700_604_800,
  refreshAfter: 1_700_000_024,
  requestId: async () => requestId,
  quoteId: async () => orderId,
  steps: async () => [
    {
      id: 'approve',
      action: 'Confirm transaction in your wallet',
      description: 'Sign an approval for USDC',
      kind: 'transaction',
      requestId,
      items: [
        {
          status: 'incomplete',
          data: {
            ...transaction,
            to: address('a1'),
            data: '0x095ea7b3',
            value: 0n,
            gas: async () => 60_000n,
          },
        },
      ],
    },
    {
      id: 'deposit',
      action: 'Confirm transaction in your wallet',
      description: 'Depositing funds to the relayer to execute the swap for USDC',
      kind: 'transaction',
      requestId,
      depositAddress: '',
      items: [
        {
          status: 'incomplete',
          data: {
            ...transaction,
            to: address('e1'),
            data: '0x49290c1c',
            value: 10n ** 18n,
            gas: async () => undefined,
          },
          check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' },
        },
      ],
    },
  ],
  protocol: async () => ({
    orderId,
    orderData: toOrderData({
      version: 'v1',
      solverChainId: 'chain-1',
      solver: address('55'),
      salt: 7n,
      inputs: [],
      output: { chainId: 'chain-2', payments: [], deadline: 1, calls: [], extraData: '0x' },
      fees: [],
    }),
    payment: {
      chainName: 'chain-1',
      depository: address('e1'),
      currency: address('a1'),
      amount: toAmount(2_991_000_000n),
    },
  }),
}

/** The stored requests of the canned quotes. */
export const cannedStoredQuotes = [cannedQuote, cannedMultiInput].map((answer) => {
  const { requestId, quoteId, steps } = answer
  const isMulti = answer === cannedMultiInput
  const id = isMulti ? multiOrderId : orderId
  return {
    id,
    quote: {
      storedAs: isMulti ? ('MultiInputQuote' as const) : ('Quote' as const),
      requestId,
      quoteId,
      steps,
      protocol: cannedQuote.protocol,
      depositDeadline: cannedMultiInput.depositDeadline,
    },
  }
})
