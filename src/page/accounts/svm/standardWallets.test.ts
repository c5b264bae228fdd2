import { bytesToHex } from 'viem'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toBlockhash } from '#src/core/units/svm/blockhash.ts'
import { pubkeyOf } from '#src/core/units/svm/pubkey.ts'
import type { Wallet } from '#src/page/accounts/injectedWallets.js'
import type { Chain } from '#src/page/api/answers.ts'
import { memo } from '#src/protocol/svm/memo.ts'
import { decodeTransaction, unsignedTransaction } from '#src/protocol/svm/transaction.ts'

const payer = pubkeyOf(new Uint8Array(32).fill(5))
const lifetime = toBlockhash('4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi')
const instructions = [memo('a deposit')]
const transaction = {
  chainId: 792703809,
  payer,
  instructions: instructions.map(({ data, ...each }) => ({
    ...each,
    data: bytesToHex(data).slice(2),
  })),
}
const mainnet = { chainId: 792703809, displayName: 'Main', rpcUrl: 'https://rpc.example' } as Chain

const signature = new Uint8Array(64).fill(7)
let sent: { transaction: Uint8Array; chain: string }[]
const walletWith = (features: object) => ({
  name: 'Wallet',
  icon: '',
  chains: ['solana:mainnet'],
  features: {
    'standard:connect': { connect: async () => ({ accounts: [{ address: payer }] }) },
    ...features,
  },
})
const sending = {
  'solana:signAndSendTransaction': {
    signAndSendTransaction: async (input: (typeof sent)[number]) => {
      sent.push(input)
      return [{ signature }]
    },
  },
}

beforeEach(() => {
  sent = []
  vi.stubGlobal('location', { origin: 'http://gateway.example' })
  const answer = { data: { chain: { head: { hash: lifetime } } } }
  vi.stubGlobal('fetch', async () => Response.json(answer))
})
afterEach(() => void vi.unstubAllGlobals())

/** The wallets that the page finds. `early` ones wait for the page, `late` ones announce themselves. */
async function discover(early: object[], late: object[] = []): Promise<Wallet[]> {
  const { discoverStandardWallets } = await import('#src/page/accounts/svm/standardWallets.js')
  vi.stubGlobal('window', new EventTarget())
  const found: Wallet[] = []
  window.addEventListener('wallet-standard:app-ready', (event) =>
    (event as CustomEvent).detail.register(...early),
  )
  const stop = discoverStandardWallets((wallet) => found.push(wallet))
  const detail = ({ register }: { register: (...all: object[]) => void }) => register(...late)
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
  stop()
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
  return found
}

it('finds each wallet that sends transactions once', async () => {
  const [one, other] = [walletWith(sending), walletWith(sending)]
  expect(await discover([one], [other, one])).toHaveLength(2)
  expect(await discover([walletWith({}), { ...one, chains: ['other:mainnet'] }])).toEqual([])
})

it('has a wallet sign and send on mainnet, with a recent block hash', async () => {
  const [wallet] = await discover([walletWith(sending)])
  const account = await wallet?.connect()
  if (account?.vmType !== 'svm') throw new Error('The wallet is of another virtual machine')
  expect(account.address).toBe(payer)
  const hash = await account.send(transaction, mainnet)
  expect(sent).toMatchObject([{ chain: 'solana:mainnet', account: { address: payer } }])
  const bytes = sent[0]?.transaction ?? new Uint8Array()
  expect(bytes).toEqual(unsignedTransaction({ payer, instructions, lifetime }))
  expect(
    decodeTransaction(Uint8Array.from([1, ...signature, ...bytes.slice(65)])).signatures,
  ).toEqual([hash])
  const elsewhere = { ...mainnet, chainId: 1, displayName: 'Other' }
  await expect(account.send(transaction, elsewhere)).rejects.toThrow('cannot send on Other')
})
