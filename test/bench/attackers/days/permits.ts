import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { toAddress } from '#src/core/units/address.ts'
import { type Attack, type Day, inTurn } from '#test/bench/attackers/attack.ts'
import type { Trade } from '#test/bench/attackers/trade.ts'
import { ethereum, rollup } from '#test/bench/attackers/world.ts'

/** Signed payments, whose gas the solver pays first. */
export const permits: Day = {
  name: 'signed payments',
  strategies: [
    { name: 'many signatures on one balance', run: signOneBalance },
    { name: 'signed payments that are refunded', run: inTurn(signRefunded) },
  ],
}

const amount = 50n * 10n ** 6n
const patienceSeconds = 60
/** One of them is paid: the others cost the solver more than the fees of a day. */
const fewest = 10

/** A new account that the attacker gives this amount of USDC, and quotes that it pays by signature. */
async function openPayer({ actor, addresses, quote, world }: Attack) {
  const privateKey = generatePrivateKey()
  const account = privateKeyToAccount(privateKey)
  const user = toAddress(account.address.toLowerCase())
  addresses.add(user)
  const transfer = { abi: erc20Abi, functionName: 'transfer', args: [user, amount] } as const
  await actor.send(ethereum, {
    to: world.currencyOn(ethereum, 'USDC'),
    data: encodeFunctionData(transfer),
  })
  return {
    ask: (change: Readonly<Record<string, unknown>> = {}) =>
      quote([ethereum, 'USDC'], [rollup, 'USDC'], amount, {
        user,
        usePermit: true,
        ...change,
      }),
    sign: ({ quoted }: Trade): Promise<Hex> => {
      const signature = quoted.steps.at(-1)?.signature
      if (signature == null) throw new Error(`Request ${quoted.requestId} asks for no signature`)
      return account.signTypedData(signature as never)
    },
  }
}

const handDocument = `mutation Hand($requestId: RequestId!, $kind: PermitKind!, $signature: Hex!) {
  executePermit(requestId: $requestId, kind: $kind, signature: $signature) { message } }`

/** Gives a signature to the solver, unless it is refused. */
async function hand(attack: Attack, { quoted }: Trade, signature: Hex): Promise<void> {
  const kind = quoted.steps.at(-1)?.signature?.kind
  const variables = { requestId: quoted.requestId, kind, signature }
  const { data } = await attack.world.query<object>(handDocument, variables, 'anonymous')
  if (data == null) attack.refused()
}

async function signOneBalance(attack: Attack, count: number): Promise<void> {
  const payer = await openPayer(attack)
  const signed: (readonly [Trade, Hex])[] = []
  for (let at = 0; at < Math.max(count, fewest); at += 1) {
    const trade = await payer.ask()
    if (trade !== undefined) signed.push([trade, await payer.sign(trade)])
  }
  await Promise.all(signed.map(([trade, signature]) => hand(attack, trade, signature)))
  await Promise.all(signed.slice(0, 1).map(([trade]) => attack.trading.ended(trade, 20)))
}

async function signRefunded(attack: Attack): Promise<void> {
  const payer = await openPayer(attack)
  const trade = await payer.ask({ referrer: 'debug-force-refund' })
  if (trade === undefined) return
  await hand(attack, trade, await payer.sign(trade))
  await attack.trading.ended(trade, patienceSeconds)
}
