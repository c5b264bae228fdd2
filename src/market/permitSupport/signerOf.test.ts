import { concatHex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { contractWallet } from '#test/support/artifacts/contractWallet.ts'
import { delegatedWallet } from '#test/support/artifacts/delegatedWallet.ts'
import { type DeployedTestChain, startDeployedChain } from '#test/support/chains/deployedChain.ts'
import { silentLog } from '#test/support/store/storeHome.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'
import { signerOf } from './signerOf.ts'

const [plan] = chainPlans

let chain: DeployedTestChain
let client: ChainClient
beforeAll(async () => {
  chain = await startDeployedChain(plan)
  client = createChainClient(
    {
      id: toChainId(plan.id),
      displayName: 'Test',
      rpcUrls: [chain.client.transport.url ?? ''],
      wsUrl: undefined,
      multicall3: toAddress('0xca11bde05977b3631167028862be2a173976ca11'),
      nativeCurrency: { symbol: 'ETH', name: 'Ether', decimals: 18 },
    },
    silentLog,
  )
})
afterAll(async () => {
  client.close()
  await chain.stop()
})

type Hex = `0x${string}`

/** An account with this code. */
async function accountWith(bytecode: Hex): Promise<Hex> {
  const address = newAccount()
  await chain.client.setCode({ address, bytecode })
  return address
}

const delegating = async (bytecode: Hex): Promise<Hex> =>
  accountWith(concatHex(['0xef0100', await accountWith(bytecode)]))

async function signer(account: Hex) {
  const { hash } = await chain.client.getBlock()
  if (hash === null) throw new Error('The block is pending')
  return signerOf(client, toAddress(account), hash)
}

/** Accepts every call and returns nothing: STOP. */
const silent = '0x00'
/** Reverts every call: PUSH0 PUSH0 REVERT. */
const reverting = '0x5f5ffd'

it('names the key of an account without code', async () => {
  expect(await signer(newAccount())).toBe('key')
})

it('names the key of an account that delegates to a wallet which accepts its plain signature', async () => {
  expect(await signer(await delegating(delegatedWallet.deployedBytecode))).toBe('key')
})

it.each([
  ['wants the signature of another owner', contractWallet.deployedBytecode],
  ['reverts', reverting],
  ['answers nothing', silent],
  ['does not exist', '0x'],
] as const)('finds no signer of an account that delegates to code that %s', async (_, bytecode) => {
  expect(await signer(await delegating(bytecode))).toBe('none')
})

it('names the contract of a contract wallet, also if it reverts for a wrong signature', async () => {
  expect(await signer(await accountWith(contractWallet.deployedBytecode))).toBe('contract')
  expect(await signer(await accountWith(reverting))).toBe('contract')
})

it('finds no signer of a contract that accepts every call without an answer', async () => {
  expect(await signer(await accountWith(silent))).toBe('none')
})
