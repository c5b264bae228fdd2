import { setTimeout as pause } from 'node:timers/promises'
import { erc20Abi } from 'viem'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { usdPriceDecimals } from '#src/core/units/usd.ts'
import { currencyPlans, nativePrices } from '#src/devnet/plan/chainPlan.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import type { World } from './world.ts'

/** A currency whose balances count, on one chain. */
type Counted = Readonly<{
  chainId: number
  currency: Address
  decimals: number
  /** Price in US dollars at the devnet's start. */
  price: number
  /** Symbol; that of ether for all of its forms. */
  asset: string
}>

/** The price of an asset changes by a factor, on one chain or on all: balances are valued after it. */
export type Move = Readonly<{ asset: string; chainId?: number; factor: number }>

/** Balances in smallest units, in the order of `counted`. */
export type Balances = readonly bigint[]

const toPrice = (price: bigint): number => Number(price) / 10 ** usdPriceDecimals

/** Native currencies, and those with a price feed or that wrap the native one: what the solver holds. */
function countedOf({ devnet }: World): readonly Counted[] {
  return devnet.description.chains.flatMap(({ id: chainId, nativeCurrency, currencies }) => {
    const native = nativeCurrency.symbol === 'BNB' ? 'BNB' : 'ETH'
    const plans = currencyPlans(native)
    const own: Counted = {
      chainId,
      currency: nativeAddress,
      decimals: 18,
      asset: native,
      price: toPrice(nativePrices[native]),
    }
    return [
      own,
      ...currencies.flatMap(({ symbol, address: currency, decimals }): Counted[] => {
        const plan = plans.find((each) => each.symbol === symbol)
        const counts = plan?.hasFeed === true || plan?.contract === 'wrappedNative'
        const asset = symbol === 'WETH' ? 'ETH' : symbol
        return plan !== undefined && counts
          ? [{ chainId, currency, decimals, asset, price: toPrice(plan.price) }]
          : []
      }),
    ]
  })
}

/** Reads what accounts hold from the chains. */
export function createLedger(world: World) {
  const counted = countedOf(world)

  const readBalance = (chainId: number, currency: Address, holder: Address): Promise<bigint> =>
    currency === nativeAddress
      ? world.on(chainId).getBalance({ address: holder })
      : world.on(chainId).readContract({
          address: currency,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [holder],
        })

  /** A node in the middle of a reorg cannot answer: it is asked again. */
  async function balanceOf(...place: Parameters<typeof readBalance>): Promise<bigint> {
    for (let tries = 0; tries < 20; tries += 1) {
      const held = await readBalance(...place).catch(() => undefined)
      if (held !== undefined) return held
      await pause(50)
    }
    return readBalance(...place)
  }

  const readClaimable = (chainId: number, currency: Address, account: Address): Promise<bigint> =>
    world.on(chainId).readContract({
      address: world.contractsOn(chainId).depository,
      abi: depository.abi,
      functionName: 'claimable',
      args: [currency, account],
    })

  const movedValue = (of: Counted, amount: bigint, moves: readonly Move[]): number => {
    const own = moves.filter(
      ({ asset, chainId = of.chainId }) => asset === of.asset && chainId === of.chainId,
    )
    const price = own.reduce((product, { factor }) => product * factor, of.price)
    return (Number(amount) / 10 ** of.decimals) * price
  }

  function worth(
    chainId: number,
    currency: Address,
    amount: bigint,
    moves: readonly Move[],
  ): number {
    const found = counted.find((each) => each.chainId === chainId && each.currency === currency)
    return found === undefined ? 0 : movedValue(found, amount, moves)
  }

  return {
    balanceOf,
    /** The total balances of these accounts. */
    async read(holders: Iterable<Address>): Promise<Balances> {
      const distinct = [...new Set(holders)]
      return Promise.all(
        counted.map(async ({ chainId, currency }) => {
          const held = await Promise.all(
            distinct.map((holder) => balanceOf(chainId, currency, holder)),
          )
          return held.reduce((sum, each) => sum + each, 0n)
        }),
      )
    },
    /** The gain between two readings, in US dollars. */
    gain: (before: Balances, after: Balances, moves: readonly Move[] = []): number =>
      counted.reduce(
        (sum, each, at) => sum + movedValue(each, (after[at] ?? 0n) - (before[at] ?? 0n), moves),
        0,
      ),
    /** Value of an amount in US dollars. */
    worthOf: (
      chainId: number,
      symbol: string,
      amount: bigint,
      moves: readonly Move[] = [],
    ): number => worth(chainId, world.currencyOn(chainId, symbol), amount, moves),
    worthOfNative: (chainId: number, wei: bigint, moves: readonly Move[] = []): number =>
      worth(chainId, nativeAddress, wei, moves),
    /** The claims of these accounts on the depositories, in US dollars: payments that they refused. */
    async claimable(accounts: Iterable<Address>, moves: readonly Move[] = []): Promise<number> {
      const distinct = [...new Set(accounts)]
      const values = await Promise.all(
        counted.flatMap(({ chainId, currency }) =>
          distinct.map(async (account) =>
            worth(chainId, currency, await readClaimable(chainId, currency, account), moves),
          ),
        ),
      )
      return values.reduce((sum, each) => sum + each, 0)
    },
  }
}

export type Ledger = ReturnType<typeof createLedger>
