import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocks } from '#test/support/clients/documents.ts'

const project = mkdtempSync(join(tmpdir(), 'codegen-'))
afterAll(() => rmSync(project, { recursive: true }))

/** Sends the steps of a quote with viem, and reads amounts, without a single cast. */
const usage = `import type { ResultOf } from '@graphql-typed-document-node/core'
import type { Account, Chain, Transport, WalletClient } from 'viem'
import { graphql } from './gql'

const quoteDocument = graphql(\`
  query Quote($input: QuoteInput!) {
    quote(input: $input) {
      id
      requestId
      steps { name items { data { to data value chainId gas maxFeePerGas maxPriorityFeePerGas } } }
      details { userBalance currencyOut { amount amountUsd currency { address priceUsd } } }
    }
    prices(inputs: []) { ... on Price { details { rate } } ... on Failure { code issues { path } } }
  }
\`)

export async function execute(
  wallet: WalletClient<Transport, Chain, Account>,
  { quote }: ResultOf<typeof quoteDocument>,
): Promise<bigint> {
  for (const { name, items } of quote?.steps ?? [])
    for (const { data } of items)
      if (name !== 'APPROVE' || data.chainId === wallet.chain.id)
        await wallet.sendTransaction({
          to: data.to,
          data: data.data,
          value: BigInt(data.value),
          maxFeePerGas: BigInt(data.maxFeePerGas),
          ...(data.gas != null && { gas: BigInt(data.gas) }),
        })
  const requestId: \`0x\${string}\` | undefined = quote?.requestId
  const address: \`0x\${string}\` | undefined = quote?.details.currencyOut.currency.address
  return BigInt(quote?.details.userBalance ?? requestId ?? address ?? 0)
}
`

beforeAll(() => {
  const config = codeBlocks('ts', ['docs/frontends.md']).find(({ text }) =>
    text.includes('CodegenConfig'),
  )
  if (config === undefined) throw new Error('docs/frontends.md shows no codegen.ts')
  mkdirSync(join(project, 'src'))
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  const schema = resolve('schema.graphql')
  const files = {
    'codegen.ts': config.text.replace('http://localhost:4000/graphql', schema),
    'src/usage.ts': usage,
    'package.json': JSON.stringify({ type: 'module' }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        noUncheckedIndexedAccess: true,
        exactOptionalPropertyTypes: true,
        module: 'esnext',
        moduleResolution: 'bundler',
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        skipLibCheck: true,
      },
      include: ['src'],
    }),
  }
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text)
})

it('the documented codegen.ts generates types that compile in strict mode and fit viem', async () => {
  const run = async (bin: string, args: readonly string[]) =>
    promisify(execFile)(process.execPath, [resolve(`node_modules/${bin}`), ...args], {
      cwd: project,
    }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(`${stdout}${stderr}`)
    })
  await run('.bin/graphql-codegen', ['--config', 'codegen.ts'])
  expect((await run('.bin/tsc', ['-p', '.'])).stdout).toBe('')
})
