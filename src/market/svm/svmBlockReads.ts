import type { AccountsAt } from '#src/chains/svm/svmAnswers.ts'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { ChainMarket, SettlementState, SettlementStop } from '#src/core/pricing/market.ts'
import type { SvmGasMarket } from '#src/core/pricing/svm/svmGas.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { divUp } from '#src/core/units/arithmetic.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { decodeTokenAccount, tokensIn } from '#src/protocol/svm/accounts.ts'
import { decodeClock } from '#src/protocol/svm/clock.ts'
import {
  configAddress,
  ledgerAddress,
  vaultAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import {
  decodeDepositoryConfig,
  decodeDepositoryLedger,
} from '#src/protocol/svm/depository/depositoryState.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { sysvars } from '#src/protocol/svm/programIds.ts'

/** The solver's accounts on a chain, and the currencies that it takes and pays out there. */
export type SvmSolver = Readonly<{
  address: Pubkey
  /** Signs payouts of the program. */
  allocator: Pubkey
}>

/** What is read at every block. */
export type SvmBlockReads = Readonly<{
  block: ChainMarket['block']
  /** The newest final slot. */
  finalSlot: bigint
  gas: SvmGasMarket
  /** What the solver can pay out of each currency. */
  solverBalances: ReadonlyMap<Account, Amount>
  /** Undefined without a program. */
  settlement: Omit<SettlementState, 'unsettled'> | undefined
}>

type Args = Readonly<{
  program: Pubkey | undefined
  /** Undefined: the chain has prices only. */
  solver: SvmSolver | undefined
  /** The native currency and the mints of all assets. */
  currencies: readonly Pubkey[]
}>

/** Slots after which priority fees are read again: 10 s. */
const feeSlots = 25n
/** Slots after which the price of rent is read again: about an hour. A vote of the cluster may change it. */
const rentSlots = 9_000n

/**
 * Reads a chain at `confirmed`: one request for all accounts, and one each for the block hash and the final slot.
 * @throws RpcUnavailableError or RpcRefusedError if no node answers
 */
export function createSvmBlockReads(client: SvmClient, args: Args): () => Promise<SvmBlockReads> {
  const { program, solver, currencies } = args
  const keys = keysOf(args)
  const accounts = [
    sysvars.clock,
    ...(solver === undefined ? [] : [solver.address, ...keys.tokens]),
    ...(program === undefined
      ? []
      : [configAddress(program), ...keys.ledgers, ...keys.vaultTokens]),
  ]
  const hotAccounts = [...(program === undefined ? [] : [vaultAddress(program)])]
  const fee = cached(feeSlots, () => readPriorityFee(client, hotAccounts))
  const emptyRent = cached(rentSlots, () => client.getRent(0))

  return async () => {
    const [found, { blockhash }, finalSlot] = await Promise.all([
      client.getAccounts(accounts, 'confirmed'),
      client.getLatestBlockhash('confirmed'),
      client.getSlot('finalized'),
    ])
    const at = new Map(accounts.map((account, place) => [account, found.accounts[place]]))
    const { slot } = found
    const [microLamportsPerUnit, rent] = [await fee(slot), await emptyRent(slot)]
    const timestamp = timeOf(at.get(sysvars.clock))
    return {
      block: { number: slot, hash: blockhash, timestamp },
      finalSlot,
      gas: {
        vmType: 'svm',
        lamportsPerSignature,
        microLamportsPerUnit,
        lamportsPerByte: divUp(rent, emptyBytes),
      },
      solverBalances: solver === undefined ? new Map() : balancesOf(solver, currencies, at, rent),
      settlement: program && settlementOf({ program, solver, currencies }, at, timestamp),
    }
  }
}

/** @source agave: DEFAULT_TARGET_LAMPORTS_PER_SIGNATURE, which no cluster has changed */
const lamportsPerSignature = 5_000n
/** @source solana-rent: ACCOUNT_STORAGE_OVERHEAD */
const emptyBytes = 128n

function keysOf({ program, solver, currencies }: Args) {
  const mints = currencies.filter((each) => each !== svmNative)
  return {
    tokens:
      solver === undefined ? [] : mints.map((mint) => associatedTokenAddress(solver.address, mint)),
    ledgers: program === undefined ? [] : currencies.map((each) => ledgerAddress(program, each)),
    vaultTokens:
      program === undefined
        ? []
        : mints.map((mint) => associatedTokenAddress(vaultAddress(program), mint)),
  }
}

/** A value that is read again once `slots` have passed. */
function cached<Value>(slots: bigint, ask: () => Promise<Value>): (slot: bigint) => Promise<Value> {
  let last: Readonly<{ slot: bigint; value: Value }> | undefined
  return async (slot) => {
    if (last === undefined || slot >= last.slot + slots || slot < last.slot)
      last = { slot, value: await ask() }
    return last.value
  }
}

/** In millionths of a lamport: 400 to 80,000 lamports for the largest transaction of the solver. */
const feeBounds = { min: 5_000n, max: 1_000_000n } as const

/**
 * Millionths of a lamport for each compute unit: the upper quartile of the recent blocks, within bounds. A block without
 * a transaction counts as 0.
 * @param accounts those that the transactions write to
 */
export async function readPriorityFee(
  client: Pick<SvmClient, 'getPriorityFees'>,
  accounts: readonly Pubkey[],
): Promise<bigint> {
  const sorted = (await client.getPriorityFees(accounts))
    .map(({ microLamports }) => microLamports)
    .sort((one, other) => Number(one > other) - Number(one < other))
  const found = sorted[Math.floor((sorted.length * 3) / 4)] ?? 0n
  if (found < feeBounds.min) return feeBounds.min
  return found > feeBounds.max ? feeBounds.max : found
}

type Accounts = ReadonlyMap<Pubkey, AccountsAt['accounts'][number]>

/** @throws Error without the clock of the cluster */
function timeOf(clock: AccountsAt['accounts'][number]): bigint {
  const time = clock && decodeClock(clock)
  if (time === undefined) throw new Error('The node has no clock')
  return time
}

/** SOL less the rent that the account itself needs. A frozen token account pays nothing. */
function balancesOf(
  { address }: SvmSolver,
  currencies: readonly Pubkey[],
  at: Accounts,
  rent: bigint,
): ReadonlyMap<Account, Amount> {
  const lamports = (at.get(address)?.lamports ?? 0n) - rent
  const amountOf = (currency: Pubkey): bigint =>
    currency === svmNative
      ? lamports
      : tokensIn(at.get(associatedTokenAddress(address, currency)), currency)
  return new Map(
    currencies.map((currency) => {
      const amount = amountOf(currency)
      return [currency, toAmount(amount < 0n ? 0n : amount)]
    }),
  )
}

/** What the program says about payouts to the solver. The issuer of a currency can freeze the vault's tokens. */
function settlementOf(
  { program, solver, currencies }: Args & Readonly<{ program: Pubkey }>,
  at: Accounts,
  time: bigint,
): Omit<SettlementState, 'unsettled'> {
  const account = at.get(configAddress(program))
  const config = account && decodeDepositoryConfig(program, account)
  const stopOf = (): SettlementStop | undefined => {
    if (config === undefined) return 'unread'
    if (config.allocator !== solver?.allocator) return 'otherAllocator'
    const isChanged = config.payeeAt !== 0n && config.payeeAt <= time
    const payee = isChanged ? config.pendingPayee : config.payee
    return payee === solver.address ? undefined : 'notAPayee'
  }
  const outflowLimits = currencies.map((currency) => {
    const ledger = at.get(ledgerAddress(program, currency))
    const hourly = (ledger && decodeDepositoryLedger(program, ledger))?.hourly ?? 0n
    const tokens = at.get(associatedTokenAddress(vaultAddress(program), currency))
    const isFrozen = tokens !== undefined && decodeTokenAccount(tokens)?.isFrozen === true
    return [currency, toAmount(isFrozen ? 0n : hourly)] as const
  })
  return { stopped: stopOf(), outflowLimits: new Map(outflowLimits) }
}
