import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createPublicClient, http } from 'viem'
import { afterAll, expect, test, vi } from 'vitest'
import { isListening } from '#test/support/clients/isListening.ts'
import { patience } from '#test/support/patience.ts'
import { type Anvil, startAnvil } from './anvilProcess.ts'

const started: Anvil[] = []
afterAll(() => Promise.all(started.map((each) => each.stop())))

async function start(args: Parameters<typeof startAnvil>[0]): Promise<Anvil> {
  const anvil = await startAnvil(args)
  started.push(anvil)
  return anvil
}

test('two chains run side by side on ports of the system’s choice', async () => {
  const [one, other] = await Promise.all([start({ chainId: 990001 }), start({ chainId: 990002 })])
  const ids = await Promise.all(
    [one, other].map((anvil) => createPublicClient({ transport: http(anvil.rpcUrl) }).getChainId()),
  )
  expect(ids).toEqual([990001, 990002])
})

test('mines at the interval asked for', async () => {
  const anvil = await start({ chainId: 990001, blockSeconds: 0.1 })
  const client = createPublicClient({ transport: http(anvil.rpcUrl), cacheTime: 0 })
  await vi.waitUntil(async () => (await client.getBlockNumber()) > 2n, patience)
})

test('passes further options on', async () => {
  const anvil = await start({ chainId: 990001, options: ['--block-base-fee-per-gas', '7'] })
  const client = createPublicClient({ transport: http(anvil.rpcUrl) })
  expect((await client.getBlock()).baseFeePerGas).toBe(7n)
})

test('says why anvil did not start', async () => {
  const { port } = await start({ chainId: 990001 })
  await expect(startAnvil({ chainId: 990001, port })).rejects.toThrow('Address already in use')
})

test('is gone once stopped, however often', async () => {
  const anvil = await start({ chainId: 990001 })
  expect(await isListening(anvil.port)).toBe(true)
  await Promise.all([anvil.stop(), anvil.stop()])
  await anvil.stop()
  expect(await isListening(anvil.port)).toBe(false)
})

test('does not outlive a parent that is killed outright', async () => {
  const module = fileURLToPath(new URL('./anvilProcess.ts', import.meta.url))
  const program = `import { startAnvil } from ${JSON.stringify(module)}
    console.log((await startAnvil({ chainId: 990001 })).port)`
  const parent = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(parent.stdout, 'data')
  expect(await isListening(Number(port))).toBe(true)

  parent.kill('SIGKILL')
  await once(parent, 'exit')

  await vi.waitUntil(async () => !(await isListening(Number(port))), patience)
})
