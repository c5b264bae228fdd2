import { address } from '@solana/kit'
import { computeBudgetProgram, systemProgram, upgradeableLoader } from './addresses.ts'
import { type DecodedMessage, programOf } from './decodedTransaction.ts'

/** In lamports. */
const signatureFee = 5000n

const precompiles: ReadonlySet<string> = new Set([
  address('Ed25519SigVerify111111111111111111111111111'),
  address('KeccakSecp256k11111111111111111111111111111'),
  address('Secp256r1SigVerify1111111111111111111111111'),
])

/** Programs of the runtime itself: an instruction reserves fewer compute units. */
const builtins: ReadonlySet<string> = new Set([
  systemProgram,
  computeBudgetProgram,
  upgradeableLoader,
  address('Vote111111111111111111111111111111111111111'),
  address('BPFLoader1111111111111111111111111111111111'),
  address('BPFLoader2111111111111111111111111111111111'),
  address('LoaderV411111111111111111111111111111111111'),
  address('Ed25519SigVerify111111111111111111111111111'),
  address('KeccakSecp256k11111111111111111111111111111'),
])

const builtinUnits = 3000n
const programUnits = 200_000n
const maxUnits = 1_400_000n

/** Instructions of the compute budget program. */
const setUnitLimit = 2
const setUnitPrice = 3

/** Price of a compute unit in millionths of a lamport. */
export function unitPrice(message: DecodedMessage): bigint {
  const data = budgetInstruction(message, setUnitPrice)
  return data === undefined || data.length < 9 ? 0n : data.readBigUInt64LE(1)
}

function unitLimit(message: DecodedMessage): bigint {
  const data = budgetInstruction(message, setUnitLimit)
  const asked =
    data === undefined || data.length < 5
      ? programsOf(message)
          .map((program) => (builtins.has(program ?? '') ? builtinUnits : programUnits))
          .reduce((sum, units) => sum + units, 0n)
      : BigInt(data.readUInt32LE(1))
  return asked < maxUnits ? asked : maxUnits
}

/** The fee of a transaction in lamports, rounded up: it depends on nothing but the message. */
export function feeOf(message: DecodedMessage): bigint {
  const { instructions, header } = message.compiled
  const verified = instructions.filter(({ programAddressIndex }) =>
    precompiles.has(programOf(message.compiled, programAddressIndex) ?? ''),
  )
  const signatures = verified.reduce(
    (sum, { data }) => sum + BigInt(data?.[0] ?? 0),
    BigInt(header.numSignerAccounts),
  )
  const priority = (unitPrice(message) * unitLimit(message) + 999_999n) / 1_000_000n
  return signatures * signatureFee + priority
}

const programsOf = ({ compiled }: DecodedMessage) =>
  compiled.instructions.map(({ programAddressIndex }) => programOf(compiled, programAddressIndex))

function budgetInstruction({ compiled }: DecodedMessage, kind: number): Buffer | undefined {
  const found = compiled.instructions.find(
    ({ programAddressIndex, data }) =>
      programOf(compiled, programAddressIndex) === computeBudgetProgram && data?.[0] === kind,
  )
  return found?.data === undefined ? undefined : Buffer.from(found.data)
}
