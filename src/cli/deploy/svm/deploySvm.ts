import { readFileSync } from 'node:fs'
import { createPublicClient, fallback, http } from 'viem'
import { z } from 'zod'
import { createSvmClient, type SvmClient } from '#src/chains/svm/svmClient.ts'
import { limitUsd } from '#src/cli/deploy/outflowLimits.ts'
import type { Config } from '#src/config/config.ts'
import { readVariables } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import { pubkey } from '#src/config/svm/svmValues.ts'
import { type Pubkey, pubkeyBytes, svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import { aggregatorV3Abi } from '#src/protocol/contracts/abis.ts'
import { decodeMint } from '#src/protocol/svm/accounts.ts'
import { isOnCurve } from '#src/protocol/svm/curve.ts'
import { keyFileSigner, type SvmSigner } from '#src/protocol/svm/signer.ts'
import { deploySvmProgram } from './deploySvmProgram.ts'

const environment = z.object({
  /** Path of the key file of the account that pays for the deployment. */
  DEPLOYER_SVM_KEYPAIR: z.string('set it: the key file of the account that pays').min(1),
  /** Path of the key file whose public key is the address of the program. */
  PROGRAM_SVM_KEYPAIR: z.string('set it: the key file of the address of the program').min(1),
  /** The account that names the other roles and may upgrade the program, such as a multisig. */
  OWNER: pubkey.optional(),
  /** The account whose signatures move deposits. The configured one by default. */
  ALLOCATOR: pubkey.optional(),
})

type Options = Readonly<{
  variables: Parameters<typeof readVariables>[1]
  /** Lets a plain account own the program. */
  devnet: boolean
  report: (line: string) => void
}>

/**
 * Deploys the depository on a Solana chain, or finds it there.
 * @returns its address
 * @throws Error with instructions for the operator
 */
export async function deploySvm(
  config: Config,
  chain: SvmChainConfig,
  { variables, devnet, report }: Options,
): Promise<Pubkey> {
  const { svm: solver } = config.solver
  if (solver === undefined)
    throw new Error('The configuration lacks solver.svm.address, which settlements are paid to')
  const given = readVariables(environment, variables)
  const payer = readKeyFile('DEPLOYER_SVM_KEYPAIR', given.DEPLOYER_SVM_KEYPAIR)
  const program = readKeyFile('PROGRAM_SVM_KEYPAIR', given.PROGRAM_SVM_KEYPAIR)
  const owner = given.OWNER ?? (devnet ? payer.pubkey : undefined)
  const allocator = given.ALLOCATOR ?? solver.allocator ?? solver.address
  if (owner === undefined)
    throw new Error('Set OWNER to the account that names the other roles, such as a multisig.')
  if (!devnet) checkOwner(owner, allocator)
  const client = createSvmClient(chain, createLog('silent'))
  try {
    const code = readFileSync(
      new URL(import.meta.resolve('#src/protocol/svm/program/depository.so')),
    )
    await deploySvmProgram({
      ...{ client, payer, program, code, report },
      roles: { owner, allocator, payee: solver.address },
      limits: await limitsOf(client, config, chain),
    })
  } finally {
    client.close()
  }
  return program.pubkey
}

function readKeyFile(variable: string, path: string): SvmSigner {
  try {
    return keyFileSigner(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === undefined ? (error as Error).message : `it cannot be read (${code})`
    throw new Error(`${variable} ${path}: ${reason}`)
  }
}

function checkOwner(owner: Pubkey, allocator: Pubkey): void {
  if (owner === allocator)
    throw new Error(
      `${owner} would be both owner and allocator: a thief of its key could take all deposits`,
    )
  if (isOnCurve(pubkeyBytes(owner)))
    throw new Error(
      `OWNER ${owner} is a plain key. Use an account of a program such as a multisig; only a devnet (--devnet) may do otherwise.`,
    )
}

/** Limits worth `limitUsd` for SOL and the mints of the assets, by the prices of their feeds, rounded down. */
async function limitsOf(client: SvmClient, config: Config, chain: SvmChainConfig) {
  const mints = config.assets.flatMap(({ currencies }) =>
    currencies
      .filter(({ chainId, address }) => chainId === chain.id && address !== svmNative)
      .map(({ address }) => toPubkey(address)),
  )
  const { accounts } = await client.getAccounts(mints, 'confirmed')
  const decimals = mints.map((mint, at) => {
    const answer = decodeMint(accounts[at])
    if (answer.kind === 'refused') throw new Error(`${mint}: ${answer.reason}`)
    return answer.mint.decimals
  })
  const currencies = [
    { currency: svmNative, decimals: chain.nativeCurrency.decimals },
    ...mints.map((currency, at) => ({ currency, decimals: decimals[at] ?? 0 })),
  ]
  return Promise.all(
    currencies.map(async (each) => {
      const { price, scale } = await priceOf(config, chain, each.currency)
      const hourly = (limitUsd * 10n ** BigInt(each.decimals + scale)) / price
      return { currency: each.currency, hourly }
    }),
  )
}

/** The answer of a currency's first feed, in US dollars times 10^`scale`. */
async function priceOf({ chains }: Config, { priceFeeds }: SvmChainConfig, currency: Pubkey) {
  const feed = priceFeeds.find((each) => each.currency === currency)
  const rpcUrls = chains.find(({ id }) => id === feed?.chainId)?.rpcUrls ?? []
  if (feed === undefined) throw new Error(`${currency} has no price feed`)
  const evm = createPublicClient({ transport: fallback(rpcUrls.map((url) => http(url))) })
  const contract = { address: feed.aggregator, abi: aggregatorV3Abi } as const
  const [scale, [, price]] = await Promise.all([
    evm.readContract({ ...contract, functionName: 'decimals' }),
    evm.readContract({ ...contract, functionName: 'latestRoundData' }),
  ])
  if (price <= 0n) throw new Error(`Price feed ${feed.aggregator} has no price`)
  return { price, scale }
}
