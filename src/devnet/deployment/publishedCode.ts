import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { concatHex, type Hex, isHex, pad } from 'viem'
import type { Address } from '#src/core/units/address.ts'

const require = createRequire(import.meta.url)

/** Files of npm packages with the creation code of third-party contracts. */
const artifacts = {
  uniswapV2Factory: '@uniswap/v2-core/build/UniswapV2Factory.json',
  uniswapV2Router02: '@uniswap/v2-periphery/build/UniswapV2Router02.json',
  wrappedNative: '@uniswap/v2-periphery/build/WETH9.json',
  uniswapV3Factory:
    '@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json',
  uniswapV3SwapRouter: '@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json',
  nonfungiblePositionManager:
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  quoterV2: '@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json',
  tickLens: '@uniswap/v3-periphery/artifacts/contracts/lens/TickLens.sol/TickLens.json',
} as const

/** Creation code with the constructor's address arguments appended in order. */
export function publishedCode(name: keyof typeof artifacts, addresses: readonly Address[]): Hex {
  const { bytecode } = require(artifacts[name]) as { bytecode: string }
  const code = toCode(name, bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`)
  return concatHex([code, ...addresses.map((address) => pad(address))])
}

/** Multicall3's creation code. viem contains it but does not export it, hence the path. */
export function multicall3Code(): Hex {
  const contracts = join(dirname(require.resolve('viem')), 'constants/contracts.js')
  const { multicall3Bytecode } = require(contracts) as { multicall3Bytecode: string }
  return toCode('multicall3', multicall3Bytecode)
}

/** @throws Error if the package has no valid code: code with library placeholders is not hexadecimal. */
function toCode(name: string, bytecode: string): Hex {
  if (!isHex(bytecode) || bytecode.length < 1000) throw new Error(`No bytecode of ${name}`)
  return bytecode
}

/**
 * Permit2's code as it is on Ethereum, compiled from its published source (MIT). It contains that chain's id and domain
 * separator; on other chains it computes its own.
 */
export const permit2Code = (): Hex =>
  toCode(
    'permit2',
    readFileSync(new URL('../bytecode/permit2.hex', import.meta.url), 'utf8').trim(),
  )
