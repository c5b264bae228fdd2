import { setTimeout as pause } from 'node:timers/promises'
import {
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  type Hex,
  keccak256,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { trader } from '#src/devnet/accounts.ts'
import type { World } from './world.ts'

export type Call = Readonly<{ to?: Address; data?: Hex; value?: bigint; gas?: bigint }>

export const newAddress = (): Address =>
  toAddress(privateKeyToAddress(generatePrivateKey()).toLowerCase())

/** Somebody with a key. Sends one transaction at a time on each chain, and waits until it is mined. */
export function createActor({ on }: World, privateKey: Hex = generatePrivateKey()) {
  const account = privateKeyToAccount(privateKey)
  const address = toAddress(account.address.toLowerCase())
  const queues = new Map<number, Promise<unknown>>()

  async function sign(chainId: number, call: Call, nonce: number): Promise<Hex> {
    const { baseFeePerGas } = await on(chainId).getBlock()
    return account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      gas: 3_000_000n,
      ...call,
      maxFeePerGas: 4n * (baseFeePerGas ?? 0n) + 2n * 10n ** 9n,
      maxPriorityFeePerGas: 10n ** 8n,
    })
  }

  async function sendNext(chainId: number, call: Call): Promise<TransactionReceipt> {
    const client = on(chainId)
    const nonce = await client.getTransactionCount({ address })
    const raw = await sign(chainId, call, nonce)
    const hash = keccak256(raw)
    for (let tries = 0; tries < 1_200; tries += 1) {
      // Anvil sometimes loses a transaction that arrives while it mines.
      if (tries % 40 === 0)
        await client.sendRawTransaction({ serializedTransaction: raw }).catch(ignoreKnown)
      const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
      if (receipt !== undefined) return receipt
      await pause(25)
    }
    throw new Error(`The transaction ${hash} is in no block`)
  }

  const send = (chainId: number, call: Call): Promise<TransactionReceipt> => {
    const sent = (queues.get(chainId) ?? Promise.resolve()).then(() => sendNext(chainId, call))
    queues.set(
      chainId,
      sent.catch(() => undefined),
    )
    return sent
  }

  return {
    address,
    sign,
    send,
    /** Deploys this runtime code. Returns its address. */
    async deploy(chainId: number, runtime: Hex): Promise<Address> {
      const { contractAddress } = await send(chainId, { data: creationCode(runtime) })
      return toAddress((contractAddress ?? nativeAddress).toLowerCase())
    },
    /** Address of the contract that the actor's next transaction deploys. */
    nextContract: async (chainId: number): Promise<Address> => {
      const nonce = BigInt(await on(chainId).getTransactionCount({ address }))
      return toAddress(getContractAddress({ from: address, nonce }).toLowerCase())
    },
  }
}

export type Actor = ReturnType<typeof createActor>

/** Code that returns `runtime` as the contract's code. */
function creationCode(runtime: Hex): Hex {
  const length = (runtime.length / 2 - 1).toString(16).padStart(4, '0')
  // PUSH2 length, DUP1, PUSH1 10, PUSH0, CODECOPY, PUSH0, RETURN
  return `0x61${length}80600a5f395ff3${runtime.slice(2)}`
}

function ignoreKnown(error: Error): void {
  if (!/already (known|imported)|nonce too low/i.test(error.message)) throw error
}

const funders = new WeakMap<World, Actor>()

/** The account that funds the others. There is one, so that its transactions wait for each other. */
export function funderOf(world: World): Actor {
  const funder = funders.get(world) ?? createActor(world, trader.privateKey)
  funders.set(world, funder)
  return funder
}

/** Gives accounts of their own what attackers and users need on every chain. */
export async function fund(
  world: World,
  actors: readonly Actor[],
  symbols: Readonly<Record<string, bigint>>,
): Promise<void> {
  await Promise.all(
    world.devnet.description.chains.map(async ({ id }) => {
      const client = world.on(id)
      const funder = funderOf(world)
      for (const { address } of actors) {
        await client.setBalance({ address, value: 100n * 10n ** 18n })
        for (const [symbol, amount] of Object.entries(symbols)) {
          const args = [address, amount] as const
          const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
          const { status } = await funder.send(id, { to: world.currencyOn(id, symbol), data })
          if (status !== 'success') throw new Error(`Nobody funds ${address} with ${symbol}`)
        }
      }
    }),
  )
}
