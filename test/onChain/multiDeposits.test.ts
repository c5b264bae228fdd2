import { parseAbi, parseEventLogs } from 'viem'
import { expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { users } from '#src/devnet/accounts.ts'
import { graphql } from '#test/generated/gql.ts'
import { bnb, ethereum, rollup, units, useQuotes } from '#test/support/gateways/useQuotes.ts'
import { createWallet } from '#test/support/wallets/wallet.ts'

const { stack, settled, routerBalances } = useQuotes()

const toDeposit = graphql(`
  query ToDeposit($input: MultiInputQuoteInput!) {
    multiInputQuote(input: $input) {
      requestId
      depositDeadline
      steps {
        id
        requestId
        items {
          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }
          check { endpoint method }
        }
      }
    }
  }
`)

const depositEvents = parseAbi([
  'event RelayNativeDeposit(address from, uint256 amount, bytes32 id)',
  'event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)',
])

const [user, second, third] = users
const wallets = () =>
  new Map(
    [user, second, third].map((each) => [
      each.address,
      createWallet(stack().devnet.description, each),
    ]),
  )

it.each([
  ['EXACT_INPUT', undefined],
  ['EXACT_OUTPUT', units('4000', 6)],
] as const)(
  '%s: three users on three chains make the deposits of one order',
  async (tradeType, amount) => {
    await settled()
    const originOf = (chainId: number, symbol: string, amount: string, from: string) => {
      return { chainId, currency: stack().currencyOn(chainId, symbol), amount, user: from }
    }
    const input = {
      user: user.address,
      origins: [
        originOf(ethereum, 'ACORN', units('8000', 18), user.address),
        originOf(rollup, 'ETH', units('1', 18), second.address),
        originOf(bnb, 'USDC', units('900', 6), third.address),
        originOf(bnb, 'BIRCH', units('10', 8), user.address),
      ],
      destinationChainId: rollup,
      destinationCurrency: stack().currencyOn(rollup, 'USDC'),
      tradeType,
      ...(amount !== undefined && { amount }),
    }
    const { data, errors } = await stack().query(toDeposit, { input })
    expect(errors).toBeUndefined()
    if (!data?.multiInputQuote) throw new Error('No quote')
    const { requestId, steps, depositDeadline } = data.multiInputQuote
    const request = await stack().store.find(requestId)
    if (request?.execution !== 'solver') throw new Error('The solver fills it')
    expect(request.funding).toEqual({ depositDeadline, partial: false })
    expect(request.inputs.length).toBeGreaterThan(2)

    const receipts = []
    const signers = wallets()
    for (const step of steps) {
      const from = step.items[0]?.data.from as typeof user.address
      const own = (await signers.get(from)?.execute([step])) ?? []
      const chainId = toChainId(step.items[0]?.data.chainId ?? 0)
      receipts.push(...own.map((receipt) => ({ chainId, receipt })))
    }
    expect(receipts).toHaveLength(steps.length)
    expect(receipts.map(({ receipt }) => receipt.status)).not.toContain('reverted')
    const deposits = receipts.flatMap(({ chainId, receipt: { logs } }) =>
      parseEventLogs({ abi: depositEvents, logs }).map(({ args }) => ({
        chainId,
        user: toAddress(args.from),
        depositCurrency: 'token' in args ? toAddress(args.token) : nativeAddress,
        depositAmount: args.amount,
        id: args.id,
      })),
    )
    expect(deposits).toEqual(
      request.inputs.map(({ chainId, user, depositCurrency, depositAmount }) => {
        return { chainId, user, depositCurrency, depositAmount, id: request.orderId }
      }),
    )
    for (const chainId of [ethereum, rollup, bnb]) expect(await routerBalances(chainId)).toEqual([])
  },
)
