import { address } from '@solana/kit'
import type { Log } from '#src/config/log.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { createMints } from './deployment/createMints.ts'
import { deployProgram } from './deployment/deployProgram.ts'
import { systemProgram } from './node/addresses.ts'
import type { Account } from './node/runtime.ts'
import { type SvmNode, type SvmNodeArgs, slotMilliseconds, startSvmNode } from './startSvmNode.ts'
import {
  type SvmAccount,
  svmAllocator,
  svmOwner,
  svmSigner,
  svmSolver,
  svmUsers,
} from './svmAccounts.ts'

/** What the chain has, for people with a wallet and for scripts. */
type SvmChainDescription = Readonly<{
  chainId: number
  /** Name of the chain in orders, in lower case. */
  name: string
  displayName: string
  rpcUrl: string
  wsUrl: string
  nativeCurrency: Readonly<{ symbol: string; name: string; decimals: number }>
  /** The depository. */
  programId: Pubkey
  mints: readonly Readonly<{ address: Pubkey; symbol: string; name: string; decimals: number }>[]
  keys: Readonly<{
    /** Accounts for people. They hold every currency. */
    users: readonly SvmAccount[]
    solver: SvmAccount
    /** Signs payouts of the depository. */
    allocator: SvmAccount
    /** Owns the depository, and can mint. */
    owner: SvmAccount
  }>
}>

export type SvmChain = Readonly<{
  description: SvmChainDescription
  node: SvmNode
  /** Resolves when the port is free. May be called twice. */
  stop: () => Promise<void>
}>

type SvmChainArgs = Pick<SvmNodeArgs, 'port' | 'genesisSeconds' | 'finalizedAfter'> &
  Readonly<{
    log: Log
    /** The depository, as an ELF file. */
    code: Uint8Array
    /** Whether slots pass with the time. Otherwise only `warp` makes them pass. */
    hasClock: boolean
  }>

const svmChainId = 990_004

const mints = [
  { symbol: 'USDC', name: 'USD Coin', decimals: 6, signer: svmSigner('mint USDC') },
  { symbol: 'USDT', name: 'Tether USD', decimals: 6, signer: svmSigner('mint USDT') },
]

const program = svmSigner('depository program')
const buffer = svmSigner('depository buffer')

/** In lamports: 10,000 SOL. */
const initialLamports = 10_000_000_000_000n

/** In whole units of each mint. */
const initialTokens = 1_000_000n

/**
 * Starts a Solana chain in this process with the depository, currencies and funded accounts, always at the same
 * addresses.
 * @throws Error if it cannot listen, or a transaction fails. Nothing then runs.
 */
export async function startSvmChain({ code, hasClock, ...args }: SvmChainArgs): Promise<SvmChain> {
  const funded = [...svmUsers, svmSolver, svmAllocator, svmOwner].map(fundedAccount)
  const node = await startOnPort({ ...args, genesisAccounts: funded })
  try {
    await deployProgram(node, { owner: svmOwner, program, buffer, code })
    const holders = [...svmUsers, svmSolver].map(({ pubkey }) => pubkey)
    await createMints(node, svmOwner, mints, { holders, amount: initialTokens })
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

const describe = ({ url, wsUrl }: SvmNode): SvmChainDescription => ({
  chainId: svmChainId,
  name: 'devnet-solana',
  displayName: 'Devnet Solana',
  rpcUrl: url,
  wsUrl,
  nativeCurrency: { symbol: 'SOL', name: 'Solana', decimals: 9 },
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
