import { address, createSolanaRpc } from '@solana/kit'
import { keccak256, stringToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { type Pubkey, svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { exitSeconds } from '#src/protocol/contracts/protocolContracts.ts'
import { depositCall, markFilledCall } from '#src/protocol/svm/depository/depositCalls.ts'
import { configAddress, ledgerAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import {
  decodeDepositoryConfig,
  decodeDepositoryLedger,
} from '#src/protocol/svm/depository/depositoryState.ts'
import { settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { genesisSeconds } from '#test/support/svm/testNode.ts'
import { type SvmChain, startSvmChain } from './startSvmChain.ts'
import { svmAllocator, svmOwner, svmSolver, svmUsers } from './svmAccounts.ts'

const start = (hasClock: boolean) =>
  startSvmChain({
    log: createLog('silent'),
    port: 0,
    genesisSeconds,
    hasClock,
  })

/** What the solver holds, in the newest block. */
async function balanceOf(currency: Pubkey): Promise<bigint> {
  const rpc = createSolanaRpc(chain.description.rpcUrl)
  const solver = svmSolver.pubkey
  const at = { commitment: 'processed' } as const
  if (currency === svmNative) return (await rpc.getBalance(address(solver), at).send()).value
  const holder = address(associatedTokenAddress(solver, currency))
  return BigInt((await rpc.getTokenAccountBalance(holder, at).send()).value.amount)
}

let chain: SvmChain
beforeAll(async () => {
  chain = await start(false)
})
afterAll(() => chain.stop())

/** The rent of a mark without data, and the fee of its transaction. */
const markCosts = 890_880n + 5_000n

test('has always the same addresses', () => {
  const { rpcUrl, wsUrl, ...description } = chain.description
  expect(description).toMatchInlineSnapshot(`
    {
      "displayName": "Devnet Solana",
      "genesisHash": "2G6u1GfLgfyUwKrupxb2N1ix5Mj5ppbR4Nycsj36wsJM",
      "id": 990004,
      "keys": {
        "allocator": {
          "address": "BVBprwRtn1eaZwTc3URe2y6Waf11oJxYefKCg7DDMp6j",
          "privateKey": "2mswVg4NeRMC4Cjs5Kh6ZdLd7kxzL1j3RudGsNyUAFgmMMWUDxdRXd7jp3nUXkPRYSB9n4pp9G5QP42QoZeqTDG3",
        },
        "owner": {
          "address": "H3n2GgZYpXEgnbFqengJi3RvR3CTuxbN51aB8Vgeaxha",
          "privateKey": "3dSrUQxMdoy12wySncUGDvqTGDnYtNAuev3aaMdA3ZNEkhjennQSuk5YB8ubJ7AjgdkBTqZh4mns1CYnWFLqTfTS",
        },
        "solver": {
          "address": "E2QQxpPwLAwdPinvatATMZ3RSUSPpVwi7MmR6cqjTBqk",
          "privateKey": "4LrG3GLJGAEYypYBP3cSr1x8fEYp1vcyfCAvQk8B73VdUNL9WTX6vp4yjt5RTVjrgAU9Hy8Xx2j1EDX8ft9jZyhL",
        },
        "users": [
          {
            "address": "9aDDEH2WbsRi4B5E8FwynCroHbFcJKm3FhKc3m23csKC",
            "privateKey": "559MQWTgZDNvcxrfKiUAsaFfyQdzNixH4jAS58eVqV4DhpN8SWGiK8PomUyJ4LoiSnVGrdJwzMwBnXsVaBunZtq4",
          },
          {
            "address": "3gTkgBvSjqTnybfBHNMhgVwWr6UkvJk8NSi4qkuB2ES7",
            "privateKey": "R9niqtKbnEroKEeookPX5222MRtYsxzjiFanoZZZU4E5dxj8YTJXgKETCjrU4RAWt1DHCyEALmnnHyF6mESZo4w",
          },
          {
            "address": "A9ERdcsxbKCMuJvPeYPVGiZ8spXtD6zG5ANVkA8JD46c",
            "privateKey": "2jsWUK5JQrXEFXGdKhs2ZAr8b1Bf3xTCqYL83qDbLcCMU61QFisujpG7nBeK4FPEPcCyUjGZMmHpuSL7X1caDoeQ",
          },
          {
            "address": "7SnmYHrnK3KHzfPUhLYzMmfZs8TtJasqbB3Lsu7QEFMD",
            "privateKey": "46jmHDEypr3rhFAy2mjxPggBFtbcksPbaACTjzHAyQA8u7rGaVn1vaWJaYp891HgBdDhLzLbyTUmojqbtBxN8cb",
          },
          {
            "address": "ByoUhSoL7fdbz1cDX8umdFUqi5KpJTcmJcXhguJ5frUK",
            "privateKey": "5GhPbXzGhxACY4mSNaDbopKZVJwS7Jxv9riPFFsdshYifyuAGBTwAMTKwmjWWj6JUEc8EbEktge3xVcWXJ1g2gTm",
          },
        ],
      },
      "mints": [
        {
          "address": "HitZZtab6PCtXwQG5EQXH4SKkqgtPWZVkuFFrkzoss4b",
          "decimals": 6,
          "name": "USD Coin",
          "symbol": "USDC",
        },
        {
          "address": "4pJ8Qcs64xu89LwVDMdeVhvoLqsPabSBnrmMNVU3BfRM",
          "decimals": 6,
          "name": "Tether USD",
          "symbol": "USDT",
        },
      ],
      "name": "devnet-solana",
      "nativeCurrency": {
        "decimals": 9,
        "name": "Solana",
        "symbol": "SOL",
      },
      "programId": "5tBZMcVDMRHEsbGpYfJeNL7WLHuKZ8HRUttpS3v91kPw",
      "vmType": "svm",
    }
  `)
})

test('funds its accounts at once, also for clients that read final blocks', async () => {
  const { rpcUrl, keys, mints } = chain.description
  const rpc = createSolanaRpc(rpcUrl)
  for (const account of [...keys.users, keys.solver]) {
    const owner = address(account.address)
    const { value } = await rpc.getBalance(owner, { commitment: 'finalized' }).send()
    expect(value).toBe(10_000_000_000_000n)
    for (const mint of mints) {
      const options = { encoding: 'jsonParsed', commitment: 'finalized' } as const
      const filter = { mint: address(mint.address) }
      const held = await rpc.getTokenAccountsByOwner(owner, filter, options).send()
      expect(held.value[0]?.account.data.parsed.info.tokenAmount).toMatchObject({
        amount: '1000000000000',
        decimals: mint.decimals,
      })
    }
  }
})

test('its depository takes deposits of every currency, and pays the solver, who marks fills', async () => {
  const { node, description } = chain
  const { programId: program, mints } = description
  const [user] = svmUsers
  if (user === undefined) throw new Error('The devnet has users')
  for (const currency of [svmNative, ...mints.map(({ address: mint }) => mint)]) {
    const id = keccak256(stringToHex(currency))
    const sender = user.pubkey
    const key = { id, depositor: sender, currency, sender, nonce: 0n }
    const deposit = { ...key, amount: 1_000_000n, payer: sender }
    await node.land([{ signers: [user], instructions: [depositCall(program, deposit)] }])
    const { slot } = node.tip()
    node.warp({ slots: 1 })
    const before = await balanceOf(currency)
    const payout = { owed: deposit.amount, slot: BigInt(slot), rentPayer: sender }
    const settlement = {
      ...key,
      ...payout,
      allocator: svmAllocator.pubkey,
      payee: svmSolver.pubkey,
    }
    const mark = { solver: svmSolver.pubkey, id, deadline: BigInt(genesisSeconds + 3600) }
    await node.land([
      { signers: [user, svmAllocator], instructions: [settleCall(program, settlement)] },
      { signers: [svmSolver], instructions: [markFilledCall(program, mark)] },
    ])
    const spent = currency === svmNative ? markCosts : 0n
    expect((await balanceOf(currency)) - before).toBe(deposit.amount - spent)
  }
})

test('its depository has the exit time and the hourly limits of the EVM chains', async () => {
  const { programId: program, mints } = chain.description
  const stateOf = async (account: Pubkey) => {
    const at = { commitment: 'processed', encoding: 'base64' } as const
    const { value } = await createSolanaRpc(chain.description.rpcUrl)
      .getAccountInfo(address(account), at)
      .send()
    if (value === null) throw new Error(`There is no account ${account}`)
    return { owner: toPubkey(value.owner), data: Buffer.from(value.data[0], 'base64') }
  }
  const config = decodeDepositoryConfig(program, await stateOf(configAddress(program)))
  expect(config).toMatchObject({
    owner: svmOwner.pubkey,
    allocator: svmAllocator.pubkey,
    payee: svmSolver.pubkey,
    exitSeconds: BigInt(exitSeconds),
  })
  const limits = await Promise.all(
    [svmNative, ...mints.map(({ address: mint }) => mint)].map(
      async (currency) =>
        decodeDepositoryLedger(program, await stateOf(ledgerAddress(program, currency)))?.hourly,
    ),
  )
  // A million dollars each.
  expect(limits).toEqual([6_666_666_666_667n, 1_000_000_000_000n, 1_000_000_000_000n])
})

test('time passes by itself with a clock', async () => {
  const ticking = await start(true)
  try {
    const { slot } = ticking.node.tip()
    await expect.poll(() => ticking.node.tip().slot, { timeout: 60_000 }).toBeGreaterThan(slot)
  } finally {
    await ticking.stop()
  }
})
