import { parseAbi } from 'viem'

/** @source Uniswap v2-core 1.0.1, IUniswapV2Factory */
export const uniswapV2FactoryAbi = parseAbi([
  'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 length)',
  'function getPair(address tokenA, address tokenB) view returns (address pair)',
  'function allPairs(uint256 index) view returns (address pair)',
  'function allPairsLength() view returns (uint256)',
  'function createPair(address tokenA, address tokenB) returns (address pair)',
])

/** @source Uniswap v2-core 1.0.1, IUniswapV2Pair. */
export const uniswapV2PairAbi = parseAbi([
  'event Sync(uint112 reserve0, uint112 reserve1)',
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Mint(address indexed sender, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
  'function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes data)',
  'function mint(address to) returns (uint256 liquidity)',
  'function burn(address to) returns (uint256 amount0, uint256 amount1)',
])

/** @source Uniswap v4-core 1.0.2, IPoolManager, IProtocolFees and IExtsload. */
export const poolManagerAbi = parseAbi([
  'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
  'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)',
  'event ModifyLiquidity(bytes32 indexed id, address indexed sender, int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt)',
  'event ProtocolFeeUpdated(bytes32 indexed id, uint24 protocolFee)',
  'event Donate(bytes32 indexed id, address indexed sender, uint256 amount0, uint256 amount1)',
  'function extsload(bytes32 startSlot, uint256 nSlots) view returns (bytes32[] values)',
])

/** @source Uniswap v3-core 1.0.1, IUniswapV3Factory. */
export const uniswapV3FactoryAbi = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  'function getPool(address tokenA, address tokenB, uint24 fee) view returns (address pool)',
  'function feeAmountTickSpacing(uint24 fee) view returns (int24)',
  'function enableFeeAmount(uint24 fee, int24 tickSpacing)',
])

/** @source Uniswap v3-core 1.0.1, IUniswapV3Pool. */
export const uniswapV3PoolAbi = parseAbi([
  'event Initialize(uint160 sqrtPriceX96, int24 tick)',
  'event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function fee() view returns (uint24)',
  'function tickSpacing() view returns (int24)',
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
  'function liquidity() view returns (uint128)',
  'function tickBitmap(int16 wordPosition) view returns (uint256)',
  'function ticks(int24 tick) view returns (uint128 liquidityGross, int128 liquidityNet, uint256 feeGrowthOutside0X128, uint256 feeGrowthOutside1X128, int56 tickCumulativeOutside, uint160 secondsPerLiquidityOutsideX128, uint32 secondsOutside, bool initialized)',
])

/** The only event that differs from Uniswap's. @source PancakeSwap v3-core 1.0.2, IPancakeV3PoolEvents. */
export const pancakeV3SwapAbi = parseAbi([
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint128 protocolFeesToken0, uint128 protocolFeesToken1)',
])

/** Beside what is Uniswap v3's. @source Slipstream ICLPoolState */
export const slipstreamPoolAbi = parseAbi([
  'function slot0() view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, bool unlocked)',
  'function fee() view returns (uint24)',
])

/** @source Slipstream ICLFactory; the hook: of its next version */
export const slipstreamFactoryAbi = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool)',
  'function getPool(address tokenA, address tokenB, int24 tickSpacing) view returns (address)',
  'function tickSpacingToFee(int24 tickSpacing) view returns (uint24)',
  'function getPoolSwapHook(address pool) view returns (address)',
])

/** Pools of Velodrome v2 and Aerodrome. @source Aerodrome IPool */
export const solidlyPoolAbi = parseAbi([
  'event Sync(uint256 reserve0, uint256 reserve1)',
  'function metadata() view returns (uint256 decimals0, uint256 decimals1, uint256 reserve0, uint256 reserve1, bool stable, address token0, address token1)',
])

/** @source Aerodrome IPoolFactory */
export const solidlyFactoryAbi = parseAbi([
  'event PoolCreated(address indexed token0, address indexed token1, bool indexed stable, address pool, uint256 count)',
  'function getPool(address tokenA, address tokenB, bool stable) view returns (address)',
  'function getFee(address pool, bool stable) view returns (uint256)',
  'function isPaused() view returns (bool)',
  'function volatileFee() view returns (uint256)',
  'function stableFee() view returns (uint256)',
])

/** @source Chainlink AggregatorV3Interface: `answer` is USD at `decimals` decimals, `updatedAt` seconds since 1970. */
export const aggregatorV3Abi = parseAbi([
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])

/** Address of GasPriceOracle on every OP-stack chain. @source Optimism, Predeploys.sol */
export const gasPriceOracleAddress = '0x420000000000000000000000000000000000000f'

/** Fees in wei, scalars with 6 decimals. @source Optimism, GasPriceOracle.sol since Fjord */
export const gasPriceOracleAbi = parseAbi([
  'function l1BaseFee() view returns (uint256)',
  'function blobBaseFee() view returns (uint256)',
  'function baseFeeScalar() view returns (uint32)',
  'function blobBaseFeeScalar() view returns (uint32)',
  'function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)',
])

/** Address of ArbGasInfo on every Arbitrum chain. @source Nitro, ArbGasInfo.sol */
export const arbGasInfoAddress = '0x000000000000000000000000000000000000006c'

/** All prices in wei. @source Nitro, ArbGasInfo.sol */
export const arbGasInfoAbi = parseAbi([
  'function getPricesInWei() view returns (uint256 perL2Tx, uint256 perL1CalldataByte, uint256 perStorageAllocation, uint256 perArbGasBase, uint256 perArbGasCongestion, uint256 perArbGasTotal)',
])

/** @source WETH9.sol */
export const wrappedNativeAbi = parseAbi([
  'event Deposit(address indexed dst, uint256 wad)',
  'event Withdrawal(address indexed src, uint256 wad)',
  'function deposit() payable',
  'function withdraw(uint256 wad)',
])
