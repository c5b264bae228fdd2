import DataLoader from 'dataloader'
import { expect, it } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { createLoaders } from './loaders.ts'

const frozen = toChainId(1)
const account = nativeAddress
const etherOn = (chainId: number) => ({ chainId, address: nativeAddress }) as Currency

it('waits for no other chain with a balance', async () => {
  let loaders = 0
  const balanceLoader = () => {
    loaders += 1
    return new DataLoader<{ chainId: number }, ReturnType<typeof toAmount>>((keys) =>
      keys.some(({ chainId }) => chainId === frozen)
        ? new Promise(() => {})
        : Promise.resolve(keys.map(() => toAmount(5n))),
    )
  }
  const currencyLoader = () => new DataLoader<object, Currency | undefined>(async () => [])
  const { balance, allowance } = createLoaders(
    { balanceLoader, currencyLoader } as unknown as Parameters<typeof createLoaders>[0],
    {} as Parameters<typeof createLoaders>[1],
    { balance: async () => toAmount(7n) },
  )
  void balance(etherOn(frozen), account, '0x01')
  void allowance({ currency: etherOn(frozen), account, spender: account }, '0x01')
  expect(await balance(etherOn(2), account, '0x02')).toBe(5n)
  expect(loaders).toBe(2)
})
