import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { newAddress } from '#test/bench/attackers/actor.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import { bnb, ethereum, rollup } from '#test/bench/attackers/world.ts'

/** Requests that ask for more than was quoted: a larger deposit, a second one, calls that use all gas. */
export const overpayments: Day = {
  name: 'surplus, second deposits, calls',
  strategies: [
    { name: 'deposits of 500 times the quote', run: inTurn(surplus) },
    { name: 'two deposits for one quote', run: inTurn(depositTwice) },
    { name: 'calls that use 5 million gas in odd blocks', run: inTurn(burnGas) },
  ],
}

/** The frontend is the attacker's own: its app fee is a gain too. */
async function surplus({ actor, addresses, quote, trades, world }: Attack): Promise<void> {
  const recipient = newAddress()
  addresses.add(recipient)
  const appFees = [{ recipient, fee: '100' }]
  const quoted = await quote([bnb, 'USDC'], [rollup, 'USDC'], 10n * 10n ** 6n, { appFees })
  const orderId = quoted?.quoted.orderId
  if (quoted === undefined || orderId === undefined) return
  const amount = quoted.amount * 500n
  const currency = world.currencyOn(bnb, 'USDC')
  const { depository: to } = world.contractsOn(bnb)
  const approve = { abi: erc20Abi, functionName: 'approve', args: [to, amount] } as const
  await actor.send(bnb, { to: currency, data: encodeFunctionData(approve) })
  const args = [actor.address, currency, amount, orderId] as const
  const { status } = await actor.send(bnb, {
    to,
    data: encodeFunctionData({ abi: depository.abi, functionName: 'depositErc20', args }),
  })
  if (status === 'success') trades.push({ ...quoted, amount })
}

async function depositTwice({ deposit, quote, trading, actor }: Attack): Promise<void> {
  const trade = await quote([ethereum, 'ETH'], [rollup, 'ETH'], 10n ** 17n)
  if (trade === undefined) return
  await deposit(trade)
  await trading.deposit(actor, trade)
}

/** NUMBER PUSH1 1 AND: loops until the gas is used up in every second block. */
const burnsInOddBlocks: Hex = '0x43600116600857005b600856'

async function burnGas({ actor, deposit, quote }: Attack): Promise<void> {
  const to = await actor.nextContract(ethereum)
  await actor.deploy(ethereum, burnsInOddBlocks)
  const trade = await quote([rollup, 'ETH'], [ethereum, 'ETH'], 10n ** 17n, {
    txs: [{ to, value: '0', data: '0x' }],
    txsGasLimit: 5_000_000,
  })
  if (trade !== undefined) await deposit(trade)
}
