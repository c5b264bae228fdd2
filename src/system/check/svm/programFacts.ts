import { readFileSync } from 'node:fs'
import { sha256 } from 'viem'
import type { Config } from '#src/config/config.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { exitSeconds } from '#src/protocol/contracts/protocolContracts.ts'
import { type AccountData, decodeTokenAccount } from '#src/protocol/svm/accounts.ts'
import {
  configAddress,
  ledgerAddress,
  programDataAddress,
  vaultAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import {
  type DepositoryConfig,
  decodeDepositoryConfig,
  decodeDepositoryLedger,
} from '#src/protocol/svm/depository/depositoryState.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { decodeProgramData } from '#src/protocol/svm/programData.ts'
import { type Fact, shorten } from '#src/system/check/fact.ts'

/** Our program as the configuration has it. */
type SetUp = Readonly<{
  program: Pubkey
  solver: NonNullable<Config['solver']['svm']>
  /** What users deposit: SOL and mints. */
  currencies: readonly Pubkey[]
}>

type Found = ReadonlyMap<Pubkey, AccountData | undefined>

/** The accounts that `programFacts` looks at. */
export const accountsOf = ({ program, solver, currencies }: SetUp): readonly Pubkey[] => [
  programDataAddress(program),
  configAddress(program),
  ...currencies.map((currency) => ledgerAddress(program, currency)),
  ...tokenAccountsOf(program, solver.address, currencies).map(({ account }) => account),
]

/** @param now Unix time in milliseconds */
export function programFacts(setUp: SetUp, found: Found, now: number): readonly Fact[] {
  const { program, solver, currencies } = setUp
  const data = found.get(programDataAddress(program))
  const deployed = data && decodeProgramData(data)
  const expected = describeCode(committedCode())
  if (deployed === undefined)
    return [{ name: 'program code', state: 'wrong', found: 'no program', expected }]
  const account = found.get(configAddress(program))
  const config = account && decodeDepositoryConfig(program, account)
  return [
    fact('program code', describeCode(deployed.code), expected),
    ...(config === undefined
      ? [fact('program configuration', 'none: initialize the program', 'roles and exit time')]
      : roleFacts(config, solver, BigInt(Math.floor(now / 1000)))),
    ...currencies.map((currency) => limitFact(program, currency, found)),
    ...tokenAccountsOf(program, solver.address, currencies).map((each) =>
      tokenAccountFact(each, found),
    ),
  ]
}

function roleFacts(
  { owner, allocator, payee, pendingPayee, payeeAt, exitSeconds: exit }: DepositoryConfig,
  solver: SetUp['solver'],
  now: bigint,
): readonly Fact[] {
  const signers = [solver.address, solver.allocator ?? solver.address]
  const isDue = payeeAt !== 0n && payeeAt <= now
  const isPending = payeeAt !== 0n && !isDue && pendingPayee !== solver.address
  return [
    fact('program allocator', allocator, solver.allocator ?? solver.address),
    fact('program payee', isDue ? pendingPayee : payee, solver.address),
    ...(isPending ? [warning('program pending payee', pendingPayee, solver.address)] : []),
    ...(signers.includes(owner)
      ? [warning('program owner', owner, 'an account that is not online')]
      : []),
    {
      name: 'program exit time',
      state: exit >= BigInt(exitSeconds) ? 'ok' : 'wrong',
      found: `${exit} s`,
      expected: `at least ${exitSeconds} s`,
    },
  ]
}

/** Without a limit the program takes no deposit of the currency. */
function limitFact(program: Pubkey, currency: Pubkey, found: Found): Fact {
  const account = found.get(ledgerAddress(program, currency))
  const ledger = account && decodeDepositoryLedger(program, account)
  return {
    name: `program limit of ${currency === svmNative ? 'SOL' : currency}`,
    state: ledger === undefined ? 'wrong' : 'ok',
    found: ledger === undefined ? 'none' : `${ledger.hourly} an hour`,
    expected: 'a limit',
  }
}

type Holder = Readonly<{ name: string; account: Pubkey }>

/** Deposits and settlements of a mint fail without these. */
const tokenAccountsOf = (
  program: Pubkey,
  solver: Pubkey,
  currencies: readonly Pubkey[],
): readonly Holder[] =>
  currencies
    .filter((currency) => currency !== svmNative)
    .flatMap((mint) => [
      { name: `vault of ${mint}`, account: associatedTokenAddress(vaultAddress(program), mint) },
      { name: `solver’s account of ${mint}`, account: associatedTokenAddress(solver, mint) },
    ])

function tokenAccountFact({ name, account }: Holder, found: Found): Fact {
  const data = found.get(account)
  const tokens = data && decodeTokenAccount(data)
  const expected = 'a token account'
  // The issuer can do that at any time, and other currencies go on.
  if (tokens?.isFrozen) return warning(name, 'a frozen token account', expected)
  return fact(name, tokens === undefined ? 'none' : expected, expected)
}

const fact = (name: string, found: string, expected: string): Fact => ({
  name,
  state: found === expected ? 'ok' : 'wrong',
  found: shorten(found),
  expected,
})

const warning = (name: string, found: string, expected: string): Fact => ({
  ...fact(name, found, expected),
  state: 'warning',
})

/** The program that this version was made for. */
const committedCode = (): Uint8Array =>
  readFileSync(new URL(import.meta.resolve('#src/protocol/svm/program/depository.so')))

/** The hash of a program, without zeros at its end: its account may be larger. */
const describeCode = (code: Uint8Array): string =>
  `sha256 ${sha256(code.subarray(0, code.findLastIndex((byte) => byte !== 0) + 1)).slice(2, 34)}`
