// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface SlipstreamPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function initialize(
        address factory,
        address token0,
        address token1,
        int24 tickSpacing,
        address factoryRegistry,
        uint160 sqrtPriceX96
    ) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
    function burn(int24 tickLower, int24 tickUpper, uint128 amount) external returns (uint256 amount0, uint256 amount1);
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

interface SlipstreamFeeModule {
    function getFee(address pool) external view returns (uint24);
}

interface Erc20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// A factory of Slipstream pools from their code. Anybody or a module sets the fee of each pool. The factory provides
/// and trades the pools' liquidity from its own balances.
contract SlipstreamPools {
    event PoolCreated(address indexed token0, address indexed token1, int24 indexed tickSpacing, address pool);

    mapping(address token0 => mapping(address token1 => mapping(int24 tickSpacing => address))) public getPool;
    mapping(address pool => uint24) private fees;
    SlipstreamFeeModule private feeModule;
    mapping(int24 tickSpacing => uint24) public tickSpacingToFee;
    /// The share of the fees of unstaked liquidity that staked liquidity receives.
    mapping(address pool => uint24) public getUnstakedFee;

    function create(bytes memory code, address token0, address token1, int24 tickSpacing, uint24 fee, uint160 sqrtPriceX96)
        external
    {
        address pool;
        assembly {
            pool := create(0, add(code, 32), mload(code))
        }
        require(pool != address(0), "not created");
        (fees[pool], getUnstakedFee[pool], tickSpacingToFee[tickSpacing]) = (fee, 100_000, fee);
        getPool[token0][token1][tickSpacing] = pool;
        SlipstreamPool(pool).initialize(address(this), token0, token1, tickSpacing, address(this), sqrtPriceX96);
        emit PoolCreated(token0, token1, tickSpacing, pool);
    }

    function setFee(address pool, uint24 fee) external {
        fees[pool] = fee;
    }

    function setFeeModule(SlipstreamFeeModule module) external {
        feeModule = module;
    }

    function getSwapFee(address pool) external view returns (uint24) {
        return address(feeModule) == address(0) ? fees[pool] : feeModule.getFee(pool);
    }

    function mint(SlipstreamPool pool, int24 tickLower, int24 tickUpper, uint128 liquidity) external {
        pool.mint(address(this), tickLower, tickUpper, liquidity, "");
    }

    function burn(SlipstreamPool pool, int24 tickLower, int24 tickUpper, uint128 liquidity) external {
        pool.burn(tickLower, tickUpper, liquidity);
    }

    function swap(SlipstreamPool pool, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96)
        external
        returns (int256 amount0, int256 amount1)
    {
        return pool.swap(address(this), zeroForOne, amountSpecified, sqrtPriceLimitX96, "");
    }

    /// The callbacks of mints and swaps. Pay the amounts that the pool demands.
    fallback() external {
        (int256 owed0, int256 owed1) = abi.decode(msg.data[4:68], (int256, int256));
        SlipstreamPool pool = SlipstreamPool(msg.sender);
        if (owed0 > 0) Erc20(pool.token0()).transfer(msg.sender, uint256(owed0));
        if (owed1 > 0) Erc20(pool.token1()).transfer(msg.sender, uint256(owed1));
    }
}
