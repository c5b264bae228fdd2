import {
  BaseError,
  concatHex,
  createPublicClient,
  encodeDeployData,
  fallback,
  formatUnits,
  getContractAddress,
  getCreate2Address,
  type Hex,
  http,
  InsufficientFundsError,
  type PublicClient,
  stringToHex,
  type TransactionSerializable,
} from 'viem'
import type { Signer } from '#src/config/keys/signer.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depositAddressFactory } from '#src/protocol/contracts/artifacts/depositAddressFactory.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import { exitSeconds, type ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { type LimitedCurrency, reportChainName, reportLimits } from './outflowLimits.ts'

type Target = Readonly<{
  chain: Readonly<{
    id: number
    name: string
    displayName: string
    rpcUrls: readonly string[]
    nativeCurrency: Readonly<{ symbol: string; decimals: number }>
  }>
  /** Pays for the deployment. */
  account: Signer
  roles: Roles
  /** Whether a plain key may own the depository, and be its allocator too. Only for devnets. */
  allowsPlainOwner: boolean
  /** Currencies whose settlements need a limit. */
  limited: readonly LimitedCurrency[]
  /** Called with a line for each step. */
  report: (line: string) => void
}>

/**
 * Deploys those of our contracts that are not yet on the chain.
 * @returns the value of `chains[].contracts` in the configuration.
 * @throws Error with instructions for the operator.
 */
export async function deployContracts(target: Target): Promise<ProtocolContracts> {
  const { chain, roles, report } = target
  const client = clientOf(chain)
  const found = await client.getChainId()
  if (found !== chain.id)
    throw new Error(
      `The endpoints of ${chain.displayName} belong to chain ${found}, not to chain ${chain.id}`,
    )
  const codeOf = async (address: Address) => (await client.getCode({ address })) ?? '0x'
  const hasCode = async (address: Address) => (await codeOf(address)) !== '0x'
  await checkOpcodes(client, chain)
  if (!target.allowsPlainOwner) checkOwner(roles, await codeOf(roles.owner))

  const plan = planDeployment(roles)
  for (const [name, { address, data }] of Object.entries(plan)) {
    if (await hasCode(address)) {
      report(`${name} is already deployed at ${address}`)
      continue
    }
    if (!(await hasCode(deterministicDeployer))) throw noDeployerError(chain)
    report(`deploying ${name} to ${address}`)
    await send(client, target, data)
    if (!(await hasCode(address)))
      throw new Error(`The deployment left no code for ${name} at ${address}`)
  }
  for (const [name, { address, artifact }] of Object.entries(plan))
    checkCode(name, artifact, await codeOf(address))
  await checkWiring(client, target, plan)
  await reportChainName(client, plan.depository.address, target)
  await reportLimits(client, plan.depository.address, target)
  return {
    depository: plan.depository.address,
    router: routerOf(plan.approvalProxy.address),
    approvalProxy: plan.approvalProxy.address,
    depositAddressFactory: plan.depositAddressFactory.address,
  }
}

const transportOf = ({ rpcUrls }: Target['chain']) => fallback(rpcUrls.map((url) => http(url)))

const clientOf = (chain: Target['chain']) =>
  createPublicClient({ transport: transportOf(chain), pollingInterval: 500 })

type Client = ReturnType<typeof clientOf>

/** Sends a transaction to the deterministic deployer and waits until it is mined. */
async function send(client: Client, { chain, account }: Target, data: Hex): Promise<void> {
  try {
    const request = await client.prepareTransactionRequest({
      account: account.address,
      chain: null,
      chainId: chain.id,
      to: deterministicDeployer,
      data,
    })
    // The type of a prepared request is too wide: only its signature is missing.
    const serializedTransaction = await account.signTransaction(request as TransactionSerializable)
    const hash = await client.sendRawTransaction({ serializedTransaction })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status === 'reverted') throw new Error(`Transaction ${hash} reverted`)
  } catch (error) {
    if (!isShortOfFunds(error)) throw error
    const { symbol, decimals } = chain.nativeCurrency
    const balance = formatUnits(await client.getBalance(account), decimals)
    throw new Error(
      `${account.address} holds ${balance} ${symbol} on ${chain.displayName}: too little for the deployment`,
    )
  }
}

/**
 * Checks the roles of the deployed contracts. Another allocator is only reported, because the owner may have changed it.
 * @throws Error if the owner or the router's depository differs from the plan.
 */
async function checkWiring(
  client: Client,
  { chain, roles, report }: Target,
  plan: ReturnType<typeof planDeployment>,
): Promise<void> {
  const deployed = { address: plan.depository.address, abi: depository.abi } as const
  const owner = await client.readContract({ ...deployed, functionName: 'owner' })
  const allocator = await client.readContract({ ...deployed, functionName: 'allocator' })
  const router = await client.readContract({
    address: plan.approvalProxy.address,
    abi: approvalProxy.abi,
    functionName: 'router',
  })
  const paidInto = await client.readContract({
    address: router,
    abi: routerArtifact.abi,
    functionName: 'depository',
  })
  if (toAddress(owner) !== roles.owner || toAddress(paidInto) !== deployed.address)
    throw new Error(
      `The contracts on ${chain.displayName} do not have the planned owner or depository`,
    )
  if (toAddress(allocator) !== roles.allocator)
    report(`the owner has changed the allocator of the depository to ${allocator}`)
}

const isShortOfFunds = (error: unknown): boolean =>
  error instanceof BaseError &&
  (error.walk((each) => each instanceof InsufficientFundsError) !== null ||
    /insufficient funds/i.test(error.message))

const noDeployerError = ({ displayName, nativeCurrency: { symbol } }: Target['chain']): Error =>
  new Error(
    `${displayName} has no deterministic deployer at ${deterministicDeployer}. To deploy it, send 0.01 ${symbol} to ` +
      '0x3fab184622dc19b6109349b94811493bf45362e6 and then broadcast the presigned transaction of ' +
      'https://github.com/Arachnid/deterministic-deployment-proxy. If the chain refuses transactions ' +
      'without a chain id (EIP-155), only its operators can deploy it.',
  )

/** Creation code that runs the newest opcodes of our contracts: PUSH0, TSTORE, TLOAD and MCOPY, all of Cancun. */
const opcodeProbe = '0x5f5f5d5f5c505f5f5f5e00'

/** @throws Error if the chain cannot run our contracts. */
async function checkOpcodes(
  client: PublicClient,
  { displayName }: Readonly<{ displayName: string }>,
): Promise<void> {
  try {
    await client.call({ data: opcodeProbe })
  } catch {
    throw new Error(
      `${displayName} does not run our contracts: it lacks opcodes of the Cancun upgrade (PUSH0, TSTORE, TLOAD, MCOPY)`,
    )
  }
}

/** A key that delegates to code (EIP-7702) has 23 bytes of code, which begin so. */
const delegation = /^0xef0100/i

/** @throws Error if the owner of the depository would be a plain key or its allocator. */
function checkOwner({ owner, allocator }: Roles, code: Hex): void {
  if (owner === allocator)
    throw new Error(
      `${owner} would be both owner and allocator: a thief of its key could take all deposits`,
    )
  if (code === '0x' || delegation.test(code))
    throw new Error(
      `OWNER ${owner} is a plain key on this chain. Use a contract such as a multisig; only a devnet (--devnet) may do otherwise.`,
    )
}

/**
 * Compares the deployed code with the compiled one, except the values of the constructor.
 * @throws Error if they differ.
 */
function checkCode(name: string, { deployedBytecode, immutables }: Artifact, code: Hex): void {
  const masked = (bytes: Hex) =>
    immutables.reduce((text, [start, length]) => {
      const [from, to] = [2 + 2 * start, 2 + 2 * (start + length)]
      return text.slice(0, from) + '0'.repeat(2 * length) + text.slice(to)
    }, bytes.toLowerCase())
  if (masked(code) !== masked(deployedBytecode))
    throw new Error(`The code of ${name} on the chain is not the compiled one`)
}

/**
 * Deploys by CREATE2 from a salt and creation code. It has the same address on every chain.
 * @source https://github.com/Arachnid/deterministic-deployment-proxy
 */
const deterministicDeployer = toAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c')

const salt = stringToHex('crossquote', { size: 32 })

type Roles = Readonly<{
  owner: Address
  allocator: Address
  /** The zero address: nobody can pause payouts. */
  guardian: Address
  /** The first account that settlements pay. */
  payee: Address
}>

/** @source src/protocol/contracts/artifacts */
type Artifact = Readonly<{
  deployedBytecode: Hex
  immutables: readonly (readonly [start: number, length: number])[]
}>

type Deployment = Readonly<{
  address: Address
  artifact: Artifact
  /** Calldata for the deterministic deployer. */
  data: Hex
}>

/**
 * The addresses of our contracts. They depend only on the code and the roles, so they are equal on all chains. The
 * approval proxy deploys the router, the router the implementation of its executors, and the factory that of deposit
 * addresses.
 */
export function planDeployment({ owner, allocator, guardian, payee }: Roles) {
  // The owner sets the chain's name and the outflow limits: they differ from chain to chain, and would give each
  // depository its own address.
  const args = [owner, allocator, guardian, [payee], BigInt(exitSeconds), '', []] as const
  const placedDepository = place(depository, encodeDeployData({ ...depository, args }))
  return {
    depository: placedDepository,
    approvalProxy: place(
      approvalProxy,
      encodeDeployData({ ...approvalProxy, args: [placedDepository.address] }),
    ),
    depositAddressFactory: place(
      depositAddressFactory,
      encodeDeployData({ ...depositAddressFactory, args: [placedDepository.address] }),
    ),
  } as const satisfies Record<string, Deployment>
}

/** The router that an approval proxy deploys in its constructor: its first and only CREATE. */
const routerOf = (approvalProxy: Address): Address =>
  toAddress(getContractAddress({ from: approvalProxy, nonce: 1n }))

const place = (artifact: Artifact, creationCode: Hex): Deployment => ({
  artifact,
  address: toAddress(
    getCreate2Address({ from: deterministicDeployer, salt, bytecode: creationCode }),
  ),
  data: concatHex([salt, creationCode]),
})
