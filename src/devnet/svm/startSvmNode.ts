import type { Log } from '#src/config/log.ts'
import { type Blockhash, toBlockhash } from '#src/core/units/svm/blockhash.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'
import { accountMethods } from './methods/accountMethods.ts'
import { clusterMethods } from './methods/clusterMethods.ts'
import { historyMethods } from './methods/historyMethods.ts'
import type { Method } from './methods/params.ts'
import { startRpcServer } from './methods/rpcServer.ts'
import { sendMethods } from './methods/sendMethods.ts'
import type { ReachedBlocks } from './methods/subscriptions.ts'
import { userMethods } from './methods/userMethods.ts'
import { Bank } from './node/bank.ts'
import type { Block, Commitment } from './node/blockList.ts'
import { type DecodedTransaction, decodeTransaction } from './node/decodedTransaction.ts'
import { createFaucet } from './node/faucet.ts'
import type { Account } from './node/runtime.ts'
import { TransactionPool } from './node/transactionPool.ts'

/** A number of slots, or a time. */
type Passing = Readonly<{ slots: number } | { seconds: number }>

/** A transaction to sign. The first signer pays. */
export type Unsigned = Readonly<{
  signers: readonly [SvmSigner, ...SvmSigner[]]
  instructions: readonly Instruction[]
}>

/** A running node. */
export type SvmNode = Readonly<{
  url: string
  wsUrl: string
  genesisHash: Blockhash
  /** The newest block. */
  tip: () => Block
  finalSlot: () => number
  /**
   * Lets time pass. `slots` makes a block in each slot. `seconds` skips slots, but for the last 300, so that block
   * hashes of before are too old after a minute.
   */
  warp: (passing: Passing) => void
  /**
   * Discards the newest blocks with their transactions, which may be sent again. Later blocks have other hashes.
   * @throws RangeError if one of them is final.
   */
  fork: (blocks: number) => void
  /** Runs `act`. During it no transaction gets into a block, and the node sends each again as often as it was told. */
  loseTransactions: <Value>(act: () => Promise<Value> | Value) => Promise<Value>
  /**
   * Makes a block of these transactions, before others that wait, and never loses them.
   * @throws Error if one of them fails.
   */
  land: (transactions: readonly Unsigned[]) => Promise<void>
  /** Lamports below which an account with so many bytes of data may not fall. */
  rentMinimum: (dataBytes: number) => bigint
  /** Lets a slot pass every `slotMilliseconds`, from now on. */
  startClock: (slotMilliseconds: number) => void
  /** Resolves when the port is free. May be called twice. */
  stop: () => Promise<void>
}>

export type SvmNodeArgs = Readonly<{
  log: Log
  /** 0: any free port. */
  port: number
  /** Unix time of the first block. Absent: now. */
  genesisSeconds?: number
  genesisAccounts?: readonly Account[]
  /** Accounts that the node signs for. Absent: none. */
  users?: readonly SvmSigner[]
  /** Blocks after which a block is confirmed. Absent: 1. */
  confirmedAfter?: number
  /** Blocks after which a block is final. Absent: 2. Before Alpenglow, mainnet needed 32. */
  finalizedAfter?: number
  /** Bytes for transactions. Older ones are forgotten. Absent: 32 MB. */
  maxHistoryBytes?: number
}>

/** Duration of a slot. */
export const slotMilliseconds = 400

const slotsPerMinute = 150

/**
 * Starts a Solana chain in this process. Time stands still until `startClock` or `warp`.
 * @throws Error if the port is taken.
 */
export async function startSvmNode({
  log,
  port,
  genesisSeconds = Math.floor(Date.now() / 1000),
  genesisAccounts = [],
  users = [],
  confirmedAfter = 1,
  finalizedAfter = 2,
  maxHistoryBytes = 32_000_000,
}: SvmNodeArgs): Promise<SvmNode> {
  const faucet = createFaucet()
  const bank = new Bank({
    ...{ genesisSeconds, confirmedAfter, finalizedAfter, maxHistoryBytes },
    genesisAccounts: [...genesisAccounts, faucet.account],
  })
  const pool = new TransactionPool()
  const methods: Record<string, Method> = {
    ...clusterMethods(bank),
    ...accountMethods(bank),
    ...historyMethods(bank),
    ...userMethods(users),
    ...sendMethods(bank, pool, (recipient, lamports) =>
      faucet.pay(recipient, lamports, toBlockhash(bank.blocks.tip.blockhash)),
    ),
  }
  const onBug = (error: unknown) => log.error({ err: error }, 'The devnet failed to answer a call')
  const server = await startRpcServer({ bank, methods, port, onBug })
  const reachedBefore = newlyReached(bank)
  const clock = createClock(genesisSeconds * 1000)

  const addBlock = (
    milliseconds: number,
    skippedSlots = 0,
    first: readonly DecodedTransaction[] = [],
  ): void => {
    const slot = bank.nextSlot + skippedSlots
    const isAlive = (each: DecodedTransaction) => bank.isAlive(each.message, bank.blocks.tip)
    const transactions = [...first, ...pool.take(slot, isAlive)]
    bank.produce(slot, Math.floor(clock.advance(milliseconds) / 1000), transactions)
    server.publish(reachedBefore())
  }
  const warp = (passing: Passing): void => {
    const slots = 'slots' in passing ? passing.slots : passing.seconds * (1000 / slotMilliseconds)
    const total = Math.ceil(slots)
    const skipped = 'slots' in passing ? 0 : Math.max(0, total - 2 * slotsPerMinute)
    if (skipped > 0) addBlock((skipped + 1) * slotMilliseconds, skipped)
    for (let made = skipped > 0 ? skipped + 1 : 0; made < total; made += 1)
      addBlock(slotMilliseconds)
  }
  let timer: NodeJS.Timeout | undefined
  return {
    url: server.url,
    wsUrl: server.wsUrl,
    genesisHash: toBlockhash(bank.genesisHash),
    tip: () => bank.blocks.tip,
    finalSlot: () => bank.blocks.at('finalized').slot,
    rentMinimum: (dataBytes) => bank.runtime.rentMinimum(dataBytes),
    land: async (transactions) => {
      const lifetime = toBlockhash(bank.blocks.tip.blockhash)
      const sent = await Promise.all(
        transactions.map(async ({ signers, instructions }) => {
          const message = { payer: signers[0].pubkey, instructions, lifetime }
          return decodeTransaction((await signTransaction(message, signers)).bytes)
        }),
      )
      addBlock(slotMilliseconds, 0, sent)
      for (const { signature } of sent) {
        const landed = bank.history.find(signature)
        if (landed?.err === null) continue
        const reason =
          landed === undefined
            ? 'it may not be in a block'
            : `${JSON.stringify(landed.err)} ${landed.logs.join('\n')}`
        throw new Error(`A transaction of the devnet failed: ${reason}`)
      }
    },
    warp,
    fork: (blocks) => bank.rollBack(blocks),
    loseTransactions: async (act) => {
      pool.isLosing = true
      try {
        return await act()
      } finally {
        pool.isLosing = false
      }
    },
    startClock: (every) => {
      clearInterval(timer)
      clock.follow()
      timer = setInterval(() => addBlock(0), every)
    },
    stop: async () => {
      clearInterval(timer)
      await server.stop()
    },
  }
}

/** The chain's time in milliseconds: it stands still until it follows the wall clock, and never goes back. */
function createClock(genesisMilliseconds: number) {
  let now = genesisMilliseconds
  let ahead: number | undefined
  return {
    advance: (milliseconds: number): number => {
      if (ahead !== undefined) ahead += milliseconds
      now = Math.max(now + milliseconds, ahead === undefined ? 0 : Date.now() + ahead)
      return now
    },
    follow: (): void => {
      ahead ??= Math.max(0, now - Date.now())
    },
  }
}

/** Tells which blocks have reached a commitment since the last call. After a fork others reach the same height. */
function newlyReached(bank: Bank): () => ReachedBlocks {
  const told = {
    processed: new WeakSet<Block>(),
    confirmed: new WeakSet<Block>(),
    finalized: new WeakSet<Block>(),
  }
  const reach = (commitment: Commitment): readonly Block[] => {
    const block = bank.blocks.at(commitment)
    if (told[commitment].has(block)) return []
    told[commitment].add(block)
    return [block]
  }
  const reached = () => ({
    processed: reach('processed'),
    confirmed: reach('confirmed'),
    finalized: reach('finalized'),
  })
  reached()
  return reached
}
