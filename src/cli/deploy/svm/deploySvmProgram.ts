import { hexToBytes, sha256, stringToBytes } from 'viem'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { exitSeconds } from '#src/protocol/contracts/protocolContracts.ts'
import type { AccountData } from '#src/protocol/svm/accounts.ts'
import {
  configAddress,
  ledgerAddress,
  programDataAddress,
  vaultAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import {
  type DepositoryConfig,
  decodeDepositoryConfig,
} from '#src/protocol/svm/depository/depositoryState.ts'
import {
  configureCall,
  type DepositoryRoles,
  initializeCall,
  setLimitCall,
} from '#src/protocol/svm/depository/ownerCalls.ts'
import { bufferedCode, setUpgradeAuthority } from '#src/protocol/svm/loaderProgram.ts'
import { decodeProgramData, type ProgramData } from '#src/protocol/svm/programData.ts'
import {
  bufferInstructions,
  programInstructions,
  writeInstructions,
} from '#src/protocol/svm/programDeployment.ts'
import { keySigner, type SvmSigner } from '#src/protocol/svm/signer.ts'
import { createTokenAccount } from '#src/protocol/svm/tokenProgram.ts'
import { type Call, landTransactions } from './landTransactions.ts'

export type SvmTarget = Readonly<{
  client: SvmClient
  /** Pays, and owns the program until it has its limits. */
  payer: SvmSigner
  program: SvmSigner
  /** An ELF file. */
  code: Uint8Array
  roles: DepositoryRoles
  /** What can be deposited, with the most that is paid out within an hour. */
  limits: readonly Readonly<{ currency: Pubkey; hourly: bigint }>[]
  /** Called with a line for each step. */
  report: (line: string) => void
}>

/** Each step is sent until it has landed. With fewer rounds, lost transactions could end a deployment. */
const maxRounds = 30

/**
 * Deploys the depository, and sets it up. What an earlier run has done is not done again.
 * @throws Error if another program is there, a transaction fails, or transactions do not land
 */
export async function deploySvmProgram(target: SvmTarget): Promise<void> {
  const buffer = await bufferSigner(target.program)
  for (let round = 0; round < maxRounds; round += 1) {
    const step = await nextStep(target, buffer)
    if (step === undefined) return
    target.report(step.line)
    await landTransactions(target.client, target.payer, step.calls)
  }
  throw new Error('The transactions do not land. Run the command again: it continues.')
}

/** The buffer of a program has always the same key, so that another run finds it. */
async function bufferSigner(program: SvmSigner): Promise<SvmSigner> {
  const signature = await program.sign(stringToBytes('crossquote buffer'))
  return keySigner(hexToBytes(sha256(signature)))
}

type Step = Readonly<{ line: string; calls: readonly Call[] }>

/** Undefined if nothing is left to do. */
async function nextStep(target: SvmTarget, buffer: SvmSigner): Promise<Step | undefined> {
  const { client, program, limits, roles } = target
  const asked = [
    programDataAddress(program.pubkey),
    configAddress(program.pubkey),
    buffer.pubkey,
    ...limits.map(({ currency }) => ledgerAddress(program.pubkey, currency)),
  ]
  const { accounts } = await client.getAccounts(asked, 'confirmed')
  const [data, config, buffered, ...ledgers] = accounts
  const deployed = data && decodeProgramData(data)
  if (deployed === undefined) return deployStep(target, buffer, buffered)
  checkCode(deployed, target.code)
  const set = config && decodeDepositoryConfig(program.pubkey, config)
  if (set === undefined) return initializeStep(target)
  const missing = limits.filter((_, at) => ledgers[at] === undefined)
  return ownerStep(target, set, missing) ?? upgradeStep(target, deployed, roles)
}

/** The next step to the code on chain: a buffer, its content, the program. */
async function deployStep(
  { client, payer, program, code }: SvmTarget,
  buffer: SvmSigner,
  buffered: AccountData | undefined,
): Promise<Step> {
  const deployment = {
    ...{ payer: payer.pubkey, program: program.pubkey },
    ...{ buffer: buffer.pubkey, code },
  }
  const written = buffered && bufferedCode(buffered)
  if (written === undefined) {
    await checkBalance(client, payer.pubkey, code.length)
    const instructions = await bufferInstructions(deployment, client.getRent)
    return { line: 'creating a buffer', calls: [{ signers: [buffer], instructions }] }
  }
  const missing = writeInstructions(deployment, written)
  if (missing.length > 0)
    return {
      line: `writing ${missing.length} parts of the program`,
      calls: missing.map((each) => ({ instructions: [each] })),
    }
  const instructions = await programInstructions(deployment, client.getRent)
  const line = `deploying the program to ${program.pubkey}`
  return { line, calls: [{ signers: [program], instructions }] }
}

/** Lamports for fees, and the rent of the smaller accounts. */
const spareLamports = 50_000_000n

/** The buffer's rent is paid back into the program when it is deployed. */
async function checkBalance(client: SvmClient, payer: Pubkey, codeBytes: number): Promise<void> {
  const needed = (await client.getRent(codeBytes)) + spareLamports
  const balance = await client.getBalance(payer, 'confirmed')
  if (balance < needed)
    throw new Error(`${payer} holds ${balance} lamports, and the deployment needs ${needed}`)
}

function checkCode({ code: found }: ProgramData, code: Uint8Array): void {
  const isSame = found.every((byte, at) => byte === (code[at] ?? 0))
  if (!isSame || found.length < code.length)
    throw new Error('The program on the chain is not the one of this version')
}

/** The payer is the first owner, so that it can set limits. */
function initializeStep({ payer, program, roles }: SvmTarget): Step {
  const authority = payer.pubkey
  const call = { ...roles, owner: authority, authority, exitSeconds: BigInt(exitSeconds) }
  return {
    line: 'initializing the program',
    calls: [{ instructions: [initializeCall(program.pubkey, call)] }],
  }
}

/** What the owner has to do: limits, then another owner. Only reported if the owner is not the payer. */
function ownerStep(
  { payer, program, roles, report }: SvmTarget,
  set: DepositoryConfig,
  missing: SvmTarget['limits'],
): Step | undefined {
  const owner = payer.pubkey
  if (set.owner !== owner) {
    if (set.owner !== roles.owner) throw new Error(`The program belongs to ${set.owner}`)
    for (const { currency } of missing)
      report(`${currency} has no limit, so it cannot be deposited: the owner has to set it`)
    if (set.allocator !== roles.allocator || set.payee !== roles.payee)
      report(`the owner has named the allocator ${set.allocator} and the payee ${set.payee}`)
    return undefined
  }
  if (missing.length > 0)
    return {
      line: `opening the program for ${missing.map(({ currency }) => currency).join(', ')}`,
      calls: missing.map((limit) => ({
        instructions: [
          ...tokenAccounts(owner, [vaultAddress(program.pubkey), roles.payee], limit.currency),
          setLimitCall(program.pubkey, { owner, ...limit }),
        ],
      })),
    }
  if (roles.owner === owner) return undefined
  return {
    line: `handing the program over to ${roles.owner}`,
    calls: [{ instructions: [configureCall(program.pubkey, owner, roles)] }],
  }
}

const tokenAccounts = (payer: Pubkey, owners: readonly Pubkey[], mint: Pubkey) =>
  mint === svmNative ? [] : owners.map((owner) => createTokenAccount({ payer, owner, mint }))

/** Lets the owner upgrade the program, and the payer no longer. */
function upgradeStep(
  { payer, program }: SvmTarget,
  { upgradeAuthority }: ProgramData,
  { owner }: DepositoryRoles,
): Step | undefined {
  const authority = payer.pubkey
  if (upgradeAuthority !== authority || owner === authority) return undefined
  const call = setUpgradeAuthority({ program: program.pubkey, authority, next: owner })
  return { line: `letting ${owner} upgrade the program`, calls: [{ instructions: [call] }] }
}
