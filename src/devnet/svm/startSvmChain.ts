import { readFileSync } from 'node:fs'
import { address } from '@solana/kit'
import type { Log } from '#src/config/log.ts'
import { svmNative } from '#src/core/units/svm/pubkey.ts'
import { svmPrices } from '#src/devnet/plan/chainPlan.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { createMints } from './deployment/createMints.ts'
import { deployProgram } from './deployment/deployProgram.ts'
import { initializeDepository } from './deployment/initializeDepository.ts'
import { systemProgram } from './node/addresses.ts'
import type { Account } from './node/runtime.ts'
import { type SvmNode, type SvmNodeArgs, slotMilliseconds, startSvmNode } from './startSvmNode.ts'
import { svmAllocator, svmOwner, svmSigner, svmSolver, svmUsers } from './svmAccounts.ts'
import type { SvmChainDescription } from './svmChainDescription.ts'

export type SvmChain = Readonly<{
  description: SvmChainDescription
  node: SvmNode
  /** Resolves when the port is free. May be called twice. */
  stop: () => Promise<void>
}>

type SvmChainArgs = Pick<SvmNodeArgs, 'port' | 'genesisSeconds' | 'finalizedAfter'> &
  Readonly<{
    log: Log
    /** Whether slots pass with the time. Otherwise only `warp` makes them pass. */
    hasClock: boolean
  }>

const svmChainId = 990_004

const mints = [
  { symbol: 'USDC', name: 'USD Coin', decimals: 6, signer: svmSigner('mint USDC') },
  { symbol: 'USDT', name: 'Tether USD', decimals: 6, signer: svmSigner('mint USDT') },
] as const

const nativeCurrency = { symbol: 'SOL', name: 'Solana', decimals: 9 } as const

/** What the depository takes. */
const currencies = [
  { address: svmNative, ...nativeCurrency, price: svmPrices.SOL },
  ...mints.map((mint) => ({ ...mint, address: mint.signer.pubkey, price: svmPrices[mint.symbol] })),
]

const program = svmSigner('depository program')
const buffer = svmSigner('depository buffer')

/** The depository, as an ELF file. */
const programCode = () =>
  readFileSync(new URL(import.meta.resolve('#src/protocol/svm/program/depository.so')))

/** In lamports: 10,000 SOL. */
const initialLamports = 10_000_000_000_000n

/** In whole units of each mint. */
const initialTokens = 1_000_000n

/**
 * Starts a Solana chain in this process with the depository, currencies and funded accounts, always at the same
 * addresses. The payee of the depository is the solver.
 * @throws Error if it cannot listen, or a transaction fails. Nothing then runs.
 */
export async function startSvmChain({ hasClock, ...args }: SvmChainArgs): Promise<SvmChain> {
  const funded = [...svmUsers, svmSolver, svmAllocator, svmOwner].map(fundedAccount)
  const node = await startOnPort({ ...args, genesisAccounts: funded, users: svmUsers })
  try {
    await deployProgram(node, { owner: svmOwner, program, buffer, code: programCode() })
    const holders = [...svmUsers, svmSolver].map(({ pubkey }) => pubkey)
    await createMints(node, svmOwner, mints, { holders, amount: initialTokens })
    const roles = { allocator: svmAllocator.pubkey, payee: svmSolver.pubkey }
    await initializeDepository(node, svmOwner, { ...roles, program: program.pubkey, currencies })
    // Clients that read final blocks see all of it at once.
    const { slot } = node.tip()
    while (node.finalSlot() < slot) node.warp({ slots: 1 })
    if (hasClock) node.startClock(slotMilliseconds)
    return { description: describe(node), node, stop: node.stop }
  } catch (error) {
    await node.stop()
    throw error
  }
}

const describe = ({ url, wsUrl, genesisHash }: SvmNode): SvmChainDescription => ({
  vmType: 'svm',
  id: svmChainId,
  name: 'devnet-solana',
  displayName: 'Devnet Solana',
  rpcUrl: url,
  wsUrl,
  genesisHash,
  nativeCurrency,
  programId: program.pubkey,
  mints: mints.map(({ signer, ...mint }) => ({ address: signer.pubkey, ...mint })),
  keys: {
    users: svmUsers.map(({ account }) => account),
    solver: svmSolver.account,
    allocator: svmAllocator.account,
    owner: svmOwner.account,
  },
})

/** Starts on `port`, or on any free port if it cannot listen there. */
async function startOnPort(args: SvmNodeArgs): Promise<SvmNode> {
  if (args.port === 0) return startSvmNode(args)
  try {
    return await startSvmNode(args)
  } catch (error) {
    const { port, log } = args
    log.warn(
      { chain: svmChainId, port, reason: (error as Error).message },
      'The chain uses another port',
    )
    return startSvmNode({ ...args, port: 0 })
  }
}

const fundedAccount = (signer: SvmSigner): Account => ({
  address: address(signer.pubkey),
  lamports: initialLamports,
  owner: systemProgram,
  data: new Uint8Array(),
  isExecutable: false,
})
