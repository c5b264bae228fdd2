import {
  concatHex,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  stringToHex,
} from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { solver, trader, users } from '#src/devnet/accounts.ts'
import { allowanceCurrency } from '#src/devnet/artifacts/allowanceCurrency.ts'
import { bytes32Currency } from '#src/devnet/artifacts/bytes32Currency.ts'
import { permitCurrency } from '#src/devnet/artifacts/permitCurrency.ts'
import { standardCurrency } from '#src/devnet/artifacts/standardCurrency.ts'
import { taxedCurrency } from '#src/devnet/artifacts/taxedCurrency.ts'
import { tetherCurrency } from '#src/devnet/artifacts/tetherCurrency.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import {
  type CurrencyPlan,
  type DeployedCurrency,
  taxBps,
  worth,
} from '#src/devnet/plan/chainPlan.ts'
import { wrappedNativeAbi } from '#src/protocol/contracts/abis.ts'
import { publishedCode } from './publishedCode.ts'

/** Initial value of each balance of an account, in US dollars. */
const initialValues: readonly Readonly<{
  holder: Address
  dollars: bigint
  hasLongTail: boolean
}>[] = [
  ...users.map(({ address }) => ({ holder: address, dollars: 1_000_000n, hasLongTail: true })),
  { holder: solver.address, dollars: 5_000_000n, hasLongTail: false },
  { holder: trader.address, dollars: 50_000_000n, hasLongTail: true },
]

/** Value of each of the deployer's balances, from which the pools get their liquidity. */
const deployerDollars = 1_000_000_000n

/** Queues each currency and its initial balances. `flush` of the queue deploys them. */
export const deployCurrencies = (
  queue: TransactionQueue,
  plans: readonly CurrencyPlan[],
): readonly DeployedCurrency[] =>
  plans.map((plan) => ({ ...plan, address: deployCurrency(queue, plan) }))

function deployCurrency(queue: TransactionQueue, plan: CurrencyPlan): Address {
  const { name, symbol, decimals } = plan
  const balances = initialBalances(plan, queue.account)
  switch (plan.contract) {
    case 'standard':
      return queue.deploy(
        encodeDeployData({ ...standardCurrency, args: [name, symbol, decimals, balances] }),
      )
    case 'permit':
      return queue.deploy(
        encodeDeployData({ ...permitCurrency, args: [name, symbol, decimals, balances] }),
      )
    case 'allowance':
      return queue.deploy(
        encodeDeployData({ ...allowanceCurrency, args: [name, symbol, decimals, balances] }),
      )
    case 'tether':
      return queue.deploy(
        encodeDeployData({ ...tetherCurrency, args: [name, symbol, decimals, balances] }),
      )
    case 'bytes32': {
      const word = (text: string) => stringToHex(text, { size: 32 })
      const args = [word(name), word(symbol), decimals, balances] as const
      return queue.deploy(encodeDeployData({ ...bytes32Currency, args }))
    }
    case 'taxed': {
      const args = [name, symbol, decimals, balances, taxBps, queue.account] as const
      return queue.deploy(encodeDeployData({ ...taxedCurrency, args }))
    }
    case 'wrappedNative':
      return deployWrappedNative(queue, balances)
  }
}

type Balance = Readonly<{ holder: Address; amount: Amount }>

const initialBalances = (plan: CurrencyPlan, deployer: Address): readonly Balance[] => [
  ...initialValues
    .filter(({ hasLongTail }) => hasLongTail || plan.hasFeed || plan.contract === 'wrappedNative')
    .map(({ holder, dollars }) => ({ holder, amount: worth(dollars, plan) })),
  { holder: deployer, amount: worth(deployerDollars, plan) },
]

function deployWrappedNative(queue: TransactionQueue, balances: readonly Balance[]): Address {
  const address = queue.deploy(publishedCode('wrappedNative', []))
  const value = balances.reduce((sum, { amount }) => sum + amount, 0n)
  const abi = wrappedNativeAbi
  queue.send({ to: address, data: encodeFunctionData({ abi, functionName: 'deposit' }), value })
  for (const { holder, amount } of balances) {
    const transfer = { abi: erc20Abi, functionName: 'transfer', args: [holder, amount] } as const
    queue.send({ to: address, data: encodeFunctionData(transfer) })
  }
  return address
}

/** Overwrites the name and symbol of WETH9 (slots 0 and 1), which are those of Wrapped Ether on every chain. */
export async function nameWrappedNative(
  client: AnvilClient,
  { address, name, symbol }: DeployedCurrency,
): Promise<void> {
  for (const [slot, text] of [name, symbol].entries())
    await client.setStorageAt({ address, index: slot, value: shortString(text) })
}

/** A string of up to 31 bytes in storage: left-aligned, twice its length in the last byte. */
const shortString = (text: string): Hex =>
  concatHex([stringToHex(text, { size: 31 }), numberToHex(text.length * 2, { size: 1 })])
