import { address } from '@solana/kit'
import { type Blockhash, toBlockhash } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { systemProgram } from '#src/devnet/svm/node/addresses.ts'
import { svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import { decodeNonceAccount } from '#src/protocol/svm/accounts.ts'
import type { Message } from '#src/protocol/svm/message.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { createAccount, initializeNonce } from '#src/protocol/svm/systemProgram.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'
import { loadPeer } from './peers.ts'
import { addressOf, initialLamports, startTestNode } from './testNode.ts'

/** A chain with two accounts that hold SOL, and a nonce account of the first one. */
export type Ledger = Readonly<{
  nonce: () => Promise<Blockhash>
  /** In lamports. */
  balance: (account: Pubkey) => Promise<bigint>
  /** Offers transactions of one signer in this order, and ends the block. */
  addBlock: (messages: readonly Message[]) => Promise<void>
}>

/** Both hold `initialLamports` at first. The first one makes the nonce account, and may use it. */
export const ledgerUsers = [svmSigner('user 1'), svmSigner('user 2')] as const
const [user] = ledgerUsers
export const nonceAccount = svmSigner('nonce')

/** The signed transaction, by those of the ledger's accounts that must sign. */
const sign = async (message: Message): Promise<Uint8Array> =>
  (await signTransaction(message, [...ledgerUsers, nonceAccount])).bytes

/** Rent minimum of the 80 bytes of a nonce account. */
const nonceLamports = 1_447_680n

const creation = (lifetime: Blockhash): Message => ({
  payer: user.pubkey,
  lifetime,
  instructions: [
    createAccount({
      payer: user.pubkey,
      account: nonceAccount.pubkey,
      lamports: nonceLamports,
      space: 80n,
      owner: programIds.system,
    }),
    initializeNonce({ nonceAccount: nonceAccount.pubkey, authority: user.pubkey }),
  ],
})

function nonceIn(data: Uint8Array): Blockhash {
  const found = decodeNonceAccount({ owner: programIds.system, data })
  if (found === undefined) throw new Error('There is no nonce account')
  return found.nonce
}

export async function startDevnetLedger(): Promise<
  Ledger & Readonly<{ stop: () => Promise<void> }>
> {
  const { node, rpc, send, latestBlockhash, stop } = await startTestNode()
  const atTip = { commitment: 'processed', encoding: 'base64' } as const
  await send(await sign(creation(await latestBlockhash())))
  node.warp({ slots: 1 })
  return {
    nonce: async () => {
      const { value } = await rpc.getAccountInfo(addressOf(nonceAccount), atTip).send()
      return nonceIn(new Uint8Array(Buffer.from(value?.data[0] ?? '', 'base64')))
    },
    balance: async (account) =>
      (await rpc.getBalance(address(account), { commitment: 'processed' }).send()).value,
    addBlock: async (messages) => {
      for (const each of messages) await send(await sign(each))
      node.warp({ slots: 1 })
    },
    stop,
  }
}

/** The parts of `@solana/web3.js` and `solana-bankrun` that are used here. */
type Web3 = Readonly<{
  PublicKey: new (base58: string) => unknown
  VersionedTransaction: Readonly<{ deserialize: (bytes: Uint8Array) => unknown }>
}>
type Bankrun = Readonly<{
  start: (
    programs: readonly [],
    accounts: readonly Readonly<{ address: unknown; info: object }>[],
  ) => Promise<
    Readonly<{
      lastBlockhash: string
      warpToSlot: (slot: bigint) => void
      banksClient: Readonly<{
        getAccount: (address: unknown) => Promise<Readonly<{ data: Uint8Array }> | null>
        getBalance: (address: unknown) => Promise<bigint>
        getSlot: () => Promise<bigint>
        tryProcessTransaction: (
          transaction: unknown,
        ) => Promise<Readonly<{ result: string | null }>>
      }>
    }>
  >
}>

/** A Bank of Agave in this process. It ends with the process. */
export async function startBankrun(): Promise<Ledger> {
  const [{ PublicKey, VersionedTransaction }, { start }] = await Promise.all([
    loadPeer<Web3>('@solana/web3.js/lib/index.cjs.js'),
    loadPeer<Bankrun>('solana-bankrun/dist/index.js'),
  ])
  const keyOf = (account: Pubkey) => new PublicKey(account)
  const info = {
    lamports: Number(initialLamports),
    owner: new PublicKey(systemProgram),
    data: new Uint8Array(),
    executable: false,
  }
  const context = await start(
    [],
    ledgerUsers.map(({ pubkey }) => ({ address: keyOf(pubkey), info })),
  )
  const { banksClient } = context
  const offer = async (message: Message) =>
    banksClient.tryProcessTransaction(VersionedTransaction.deserialize(await sign(message)))
  const endBlock = async () => context.warpToSlot((await banksClient.getSlot()) + 1n)
  const { result } = await offer(creation(toBlockhash(context.lastBlockhash)))
  if (result !== null) throw new Error(`The Bank made no nonce account: ${result}`)
  await endBlock()
  return {
    nonce: async () => {
      const account = await banksClient.getAccount(keyOf(nonceAccount.pubkey))
      return nonceIn(account?.data ?? new Uint8Array())
    },
    balance: (account) => banksClient.getBalance(keyOf(account)),
    addBlock: async (messages) => {
      for (const each of messages) await offer(each)
      await endBlock()
    },
  }
}
