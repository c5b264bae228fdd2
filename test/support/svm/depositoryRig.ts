import { keccak256, stringToHex } from 'viem'
import { type Pubkey, pubkeyBytes, svmNative } from '#src/core/units/svm/pubkey.ts'
import { initializeMint, mintTo } from '#src/devnet/svm/deployment/mintInstructions.ts'
import { accountSizes } from '#src/protocol/svm/accounts.ts'
import { type DepositCall, depositCall } from '#src/protocol/svm/depository/depositCalls.ts'
import {
  configAddress,
  type DepositKey,
  depositAddress,
  ledgerAddress,
  recordAddress,
  vaultAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import {
  type DepositoryConfig,
  type DepositoryLedger,
  type DepositoryRecord,
  decodeDepositoryConfig,
  decodeDepositoryLedger,
  decodeDepositoryRecord,
} from '#src/protocol/svm/depository/depositoryState.ts'
import { initializeCall, setLimitCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import type { PayoutCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { createAccount, transferLamports } from '#src/protocol/svm/systemProgram.ts'
import { createTokenAccount } from '#src/protocol/svm/tokenProgram.ts'
import { named, ProgramChain } from './programChain.ts'

export const owner = named('owner')
export const allocator = named('allocator')
export const payee = named('payee')
export const user = named('user')
export const depositor = named('depositor')
export const payer = named('payer')
export const mallory = named('mallory')

/** Two currencies with limits; the third one has no ledger. */
export const [usd, eur, unlisted] = ['usd', 'eur', 'unlisted'].map(named) as [
  Pubkey,
  Pubkey,
  Pubkey,
]

export const exitSeconds = 86_400n
export const hourly = 10_000_000_000n
/** Tokens of every account that has some. */
const initialTokens = 1_000_000_000_000n

export const orderId = (name: string) => keccak256(stringToHex(name))

/** A chain on which the depository is ready, and everybody has money. */
export class DepositoryRig extends ProgramChain {
  readonly config = configAddress(this.program)
  readonly vault = vaultAddress(this.program)

  constructor(mints: readonly Pubkey[] = [usd, eur, unlisted]) {
    super()
    const everyone = [owner, allocator, payee, user, depositor, payer, mallory]
    for (const account of everyone) this.fund(account)
    this.initialize()
    for (const mint of mints) this.#createMint(mint, [...everyone, this.vault])
    for (const currency of [svmNative, ...mints.filter((mint) => mint !== unlisted)])
      this.succeed([setLimitCall(this.program, { owner, currency, hourly })])
  }

  initialize(): void {
    const { authority, program } = this
    this.succeed([initializeCall(program, { owner, allocator, payee, exitSeconds, authority })])
  }

  /** Sends what has to succeed. @returns its compute units */
  succeed(instructions: Parameters<ProgramChain['send']>[0]): bigint {
    const { error, units, logs } = this.send(instructions)
    if (error !== undefined) throw new Error(`${error}\n${logs.join('\n')}`)
    return units
  }

  configState(): DepositoryConfig {
    return known(decodeDepositoryConfig(this.program, known(this.account(this.config))))
  }

  ledger(currency: Pubkey): DepositoryLedger {
    const account = known(this.account(ledgerAddress(this.program, currency)))
    return known(decodeDepositoryLedger(this.program, account))
  }

  /** Undefined if it is closed, or was never made. */
  record(key: DepositKey): DepositoryRecord | undefined {
    const account = this.account(recordAddress(this.program, key))
    return account && decodeDepositoryRecord(this.program, account)
  }

  /** What the vault holds of a currency. */
  held(currency: Pubkey): bigint {
    return this.balance(this.vault, currency)
  }

  balance(account: Pubkey, currency: Pubkey): bigint {
    return currency === svmNative
      ? this.lamports(account)
      : this.tokens(associatedTokenAddress(account, currency))
  }

  /** Pays a deposit address as anyone can: without the program. */
  payAddress(order: Pick<DepositKey, 'id' | 'depositor'>, currency: Pubkey, amount: bigint): void {
    const to = depositAddress(this.program, order)
    if (currency === svmNative) {
      this.succeed([transferLamports({ from: user, to, lamports: amount })])
      return
    }
    const tokenAccount = associatedTokenAddress(to, currency)
    this.succeed([
      createTokenAccount({ payer: user, owner: to, mint: currency }),
      mintTo({ mint: currency, tokenAccount, authority: this.authority, amount }),
    ])
  }

  /** Makes a deposit, and a payout of it that would succeed. */
  deposited(changes: Partial<DepositCall> = {}): DepositCall & PayoutCall {
    const deposit = { ...plainDeposit, ...changes }
    this.succeed([depositCall(this.program, deposit)])
    this.advance(1n)
    return this.payoutOf(deposit)
  }

  payoutOf<Deposit extends DepositKey>(deposit: Deposit): Deposit & PayoutCall {
    const { owed, slot, rentPayer } = known(this.record(deposit))
    return { ...deposit, allocator, payee, rentPayer, owed, slot }
  }

  #createMint(mint: Pubkey, holders: readonly Pubkey[]): void {
    const { authority } = this
    const space = BigInt(accountSizes.mint)
    const lamports = this.rentMinimum(accountSizes.mint)
    this.succeed([
      createAccount({ payer: authority, account: mint, lamports, space, owner: programIds.token }),
      initializeMint(mint, { decimals: 6, authority }),
    ])
    for (const holder of holders) {
      const tokenAccount = associatedTokenAddress(holder, mint)
      const amount = holder === this.vault ? 0n : initialTokens
      this.succeed([
        createTokenAccount({ payer: authority, owner: holder, mint }),
        mintTo({ mint, tokenAccount, authority, amount }),
      ])
    }
  }
}

/** A deposit of SOL that would succeed. */
export const plainDeposit: DepositCall = {
  id: orderId('order'),
  depositor,
  currency: svmNative,
  sender: user,
  nonce: 0n,
  amount: 5_000_000_000n,
  payer,
}

export function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('It is missing')
  return value
}

/** The bytes of a token account, for those that no program would make. @source spl-token-interface: Account */
export function tokenAccountData(mint: Pubkey, holder: Pubkey, amount: bigint): Uint8Array {
  const data = new Uint8Array(accountSizes.token)
  data.set(pubkeyBytes(mint), 0)
  data.set(pubkeyBytes(holder), 32)
  new DataView(data.buffer).setBigUint64(64, amount, true)
  data[108] = 1
  return data
}
