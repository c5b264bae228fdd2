import { address, createSolanaRpc } from '@solana/kit'
import { LiteSVM } from 'litesvm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { toBlockhash } from '#src/core/units/svm/blockhash.ts'
import { memo } from '#src/protocol/svm/memo.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'
import { base64 } from '#test/support/svm/testNode.ts'
import { type SvmChain, startSvmChain } from './startSvmChain.ts'
import { svmOwner } from './svmAccounts.ts'

/** Any program will do: this one logs its data. */
function memoCode(): Uint8Array {
  const account = new LiteSVM().getAccount(address(programIds.memo))
  if (!account.exists) throw new Error('LiteSVM has the memo program')
  return new Uint8Array(account.data)
}

const start = (hasClock: boolean) =>
  startSvmChain({
    log: createLog('silent'),
    port: 0,
    genesisSeconds: 1_800_000_000,
    code: memoCode(),
    hasClock,
  })

let chain: SvmChain
beforeAll(async () => {
  chain = await start(false)
})
afterAll(() => chain.stop())

test('has always the same addresses', () => {
  const { rpcUrl, wsUrl, ...description } = chain.description
  expect(description).toMatchInlineSnapshot(`
    {
      "chainId": 990004,
      "displayName": "Devnet Solana",
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

test('its program was deployed by transactions, and can be called', async () => {
  const { rpcUrl, programId } = chain.description
  const rpc = createSolanaRpc(rpcUrl)
  const at = { commitment: 'processed', encoding: 'base64' } as const
  const { value } = await rpc.getAccountInfo(address(programId), at).send()
  expect(value).toMatchObject({ executable: true, owner: programIds.upgradeableLoader })
  const latest = await rpc.getLatestBlockhash({ commitment: 'processed' }).send()
  const lifetime = toBlockhash(latest.value.blockhash)
  const call = { ...memo('hello'), programId }
  const message = { payer: svmOwner.pubkey, instructions: [call], lifetime }
  const { bytes } = await signTransaction(message, [svmOwner])
  const done = await rpc.simulateTransaction(base64(bytes), at).send()
  expect(done.value).toMatchObject({ err: null })
  expect(done.value.logs?.join()).toContain('hello')
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
