import { afterEach, beforeEach, expect, test } from 'vitest'
import { svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import { unsignedTransaction } from '#src/protocol/svm/transaction.ts'
import {
  addressOf,
  base64,
  callNode,
  initialLamports,
  startTestNode,
  type TestNode,
} from '#test/support/svm/testNode.ts'

const user = svmSigner('user 1')
let running: TestNode
beforeEach(async () => {
  running = await startTestNode({ users: [user] })
})
afterEach(() => running.stop())

test('signs for its users, so that a page needs no key', async () => {
  const { node, rpc, other, latestBlockhash } = running
  expect(await callNode(node.url, 'devnet_accounts')).toMatchObject({ result: [user.pubkey] })
  const unsigned = unsignedTransaction({
    payer: user.pubkey,
    instructions: [transferLamports({ from: user.pubkey, to: other.pubkey, lamports: 7n })],
    lifetime: await latestBlockhash(),
  })
  const { result } = await callNode(node.url, 'devnet_signTransaction', base64(unsigned))
  await rpc.sendTransaction(result as ReturnType<typeof base64>, { encoding: 'base64' }).send()
  node.warp({ slots: 1 })
  const { value } = await rpc.getBalance(addressOf(other), { commitment: 'processed' }).send()
  expect(value).toBe(initialLamports + 7n)
})

test('signs for nobody else', async () => {
  const { node, other, latestBlockhash } = running
  const message = { payer: other.pubkey, instructions: [], lifetime: await latestBlockhash() }
  const unsigned = base64(unsignedTransaction(message))
  const answer = await callNode(node.url, 'devnet_signTransaction', unsigned)
  expect(answer).toMatchObject({ result: unsigned })
})
