import type { Address } from '@solana/kit'
import { z } from 'zod'
import type { Bank } from '#src/devnet/svm/node/bank.ts'
import type { Block, Commitment } from '#src/devnet/svm/node/blockList.ts'
import type { LandedTransaction } from '#src/devnet/svm/node/history.ts'
import { accountJson, type DataOptions, dataOptions } from './accountJson.ts'
import {
  address,
  commitment,
  inContext,
  type Method,
  method,
  options,
  signature,
  whole,
} from './params.ts'
import { invalidParams, RpcError } from './rpcError.ts'

/** Sends a notification to the client. */
type Send = (message: unknown) => void

type Subscription = Readonly<
  | { kind: 'slot' }
  | { kind: 'signature'; commitment: Commitment; signature: string }
  | { kind: 'account'; commitment: Commitment; address: Address; format: DataOptions }
  | { kind: 'logs'; commitment: Commitment; mentions: Address | undefined }
>

/** The subscriptions of one client. */
export type ClientSubscriptions = Readonly<{
  methods: Readonly<Record<string, Method>>
  /** Tells the client what a new block has changed. */
  publish: (reached: ReachedBlocks) => void
}>

/** The blocks that have reached each commitment just now. */
export type ReachedBlocks = Readonly<Record<Commitment, readonly Block[]>>

/** A cluster limits them as well. */
const maxSubscriptions = 10_000

const atCommitment = { commitment: commitment.nullish() }
const accountOptions = options({ ...atCommitment, encoding: dataOptions.encoding })

const logsFilter = z.union([
  z.enum(['all', 'allWithVotes']),
  z.strictObject({
    mentions: z.array(address).length(1, 'Invalid Request: Only 1 address supported'),
  }),
])

const kinds = ['slot', 'signature', 'account', 'logs'] as const

export function createClientSubscriptions(bank: Bank, send: Send): ClientSubscriptions {
  const subscriptions = new Map<number, Subscription>()
  let lastId = 0
  const add = (subscription: Subscription): number => {
    if (subscriptions.size >= maxSubscriptions)
      throw new RpcError(-32_006, 'Too many subscriptions')
    lastId += 1
    subscriptions.set(lastId, subscription)
    return lastId
  }
  const notify = (kind: Subscription['kind'], subscription: number, result: unknown): void =>
    send({ jsonrpc: '2.0', method: `${kind}Notification`, params: { subscription, result } })
  const notifySignature = (id: number, landed: LandedTransaction, block: Block): void => {
    subscriptions.delete(id)
    notify('signature', id, inContext(block, { err: landed.err }))
  }
  const remove = (kind: Subscription['kind']): Method =>
    method(z.tuple([whole]), ([id]) => {
      if (subscriptions.get(id)?.kind !== kind) throw invalidParams('Invalid subscription id.')
      return subscriptions.delete(id)
    })

  return {
    methods: {
      ...Object.fromEntries(kinds.map((kind) => [`${kind}Unsubscribe`, remove(kind)])),
      slotSubscribe: method(z.tuple([]), () => add({ kind: 'slot' })),
      signatureSubscribe: method(z.tuple([signature, options(atCommitment)]), ([wanted, read]) => {
        const level = read?.commitment ?? 'finalized'
        const id = add({ kind: 'signature', commitment: level, signature: wanted })
        // A client drops notifications that come before the answer with the number of its subscription.
        setImmediate(() => {
          const landed = bank.history.find(wanted)
          const block = bank.blocks.at(level)
          if (landed !== undefined && landed.height <= block.height && subscriptions.has(id))
            notifySignature(id, landed, block)
        })
        return id
      }),
      accountSubscribe: method(z.tuple([address, accountOptions]), ([wanted, read]) =>
        add({
          kind: 'account',
          commitment: read?.commitment ?? 'finalized',
          address: wanted,
          format: { encoding: read?.encoding },
        }),
      ),
      logsSubscribe: method(z.tuple([logsFilter, options(atCommitment)]), ([filter, read]) =>
        add({
          kind: 'logs',
          commitment: read?.commitment ?? 'finalized',
          mentions: typeof filter === 'string' ? undefined : filter.mentions[0],
        }),
      ),
    },
    publish: (reached) => {
      for (const [id, each] of subscriptions) {
        if (each.kind === 'slot')
          for (const { slot, parentSlot } of reached.processed)
            notify('slot', id, { slot, parent: parentSlot, root: bank.blocks.at('finalized').slot })
        else
          for (const block of reached[each.commitment])
            publishBlock(bank, each, block, {
              notify: (result) => notify(each.kind, id, inContext(block, result)),
              notifySignature: (landed) => notifySignature(id, landed, block),
            })
      }
    },
  }
}

type Notifiers = Readonly<{
  notify: (result: unknown) => void
  notifySignature: (landed: LandedTransaction) => void
}>

function publishBlock(
  bank: Bank,
  subscription: Exclude<Subscription, { kind: 'slot' }>,
  block: Block,
  { notify, notifySignature }: Notifiers,
): void {
  switch (subscription.kind) {
    case 'signature': {
      const landed = bank.history.find(subscription.signature)
      if (landed !== undefined && landed.height <= block.height) notifySignature(landed)
      return
    }
    case 'account': {
      if (!block.changed.has(subscription.address)) return
      const { get } = bank.accountsAt(block)
      notify(accountJson(get(subscription.address), subscription.format, get) ?? noAccount)
      return
    }
    case 'logs': {
      const { mentions } = subscription
      for (const { transaction, err, logs, keys } of block.transactions)
        if (mentions === undefined || keys.includes(mentions))
          notify({ signature: transaction.signature, err, logs })
    }
  }
}

/** What a node says of an account that was closed. */
const noAccount = {
  lamports: 0,
  owner: '11111111111111111111111111111111',
  data: ['', 'base64'],
  executable: false,
  rentEpoch: 0,
  space: 0,
}
