import { expect, it } from 'vitest'
import { AppError } from '#src/errors.ts'
import { toAmount } from '#src/units/amount.ts'
import { address, ether } from '#test/support/canned/cannedCurrencies.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import { serveGateway } from '#test/support/gateways/serveGateway.ts'

const user = address('11')
const document = `query ($user: Address!) {
  chain(chainId: ${ether.chainId}) { nativeCurrency { symbol balance(user: $user) } }
}`

it('a balance is read at the newest block, and is null where no node reports it', async () => {
  const asked: unknown[] = []
  const answers = [
    () => Promise.resolve(toAmount(7n)),
    () => Promise.reject(new AppError('RPC_HTTP_ERROR', 'The node is down')),
    () => new Promise<never>(() => {}),
  ]
  const gateway = await serveGateway({
    loaders: () => ({
      ...cannedOperations.loaders(),
      balance: (currency, account, blockHash) => {
        asked.push([currency.symbol, account, blockHash])
        return (answers.shift() ?? (() => Promise.resolve(toAmount(0n))))()
      },
    }),
  })
  const balances: unknown[] = []
  for (const _ of answers.slice()) {
    const { data } = await gateway.query<
      { chain: { nativeCurrency: { balance: string } } },
      object
    >(document, { user })
    balances.push(data?.chain.nativeCurrency.balance)
  }
  expect(balances).toEqual(['7', null, null])
  expect(asked[0]).toEqual(['ETH', user, cannedOperations.chain(ether.chainId)?.head?.hash])
  await gateway.close()
})

it('indexTransaction stores a hint, and names what is wrong with one', async () => {
  const hints: unknown[] = []
  const gateway = await serveGateway({
    indexTransaction: async (hint) => {
      hints.push(hint)
    },
  })
  const index = `mutation ($txHash: Hex!) { indexTransaction(chainId: 990001, txHash: $txHash) }`
  const txHash = `0x${'ab'.repeat(32)}`
  expect(await gateway.query(index, { txHash })).toEqual({ data: { indexTransaction: true } })
  expect(hints).toEqual([{ chainId: 990001, txHash }])
  const { errors } = await gateway.query(index, { txHash: '0xab' })
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_REQUEST' })
  expect(hints).toHaveLength(1)
  await gateway.close()
})
