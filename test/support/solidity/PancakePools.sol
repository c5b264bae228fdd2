// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface PancakePool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function initialize(uint160 sqrtPriceX96) external;
    function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data)
        external
        returns (uint256 amount0, uint256 amount1);
    function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data)
        external
        returns (int256 amount0, int256 amount1);
}

interface Erc20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// Creates pools of PancakeSwap v3 from their published code, and provides and trades their liquidity from its own
/// balances.
contract PancakePools {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    /// A pool reads them from its creator in its constructor.
    Parameters public parameters;

    event PoolCreated(
        address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool
    );

    function create(
        bytes memory code,
        address token0,
        address token1,
        uint24 fee,
        int24 tickSpacing,
        uint160 sqrtPriceX96
    ) external {
        parameters = Parameters(address(this), token0, token1, fee, tickSpacing);
        address pool;
        assembly {
            pool := create(0, add(code, 32), mload(code))
        }
        require(pool != address(0), "not created");
        emit PoolCreated(token0, token1, fee, tickSpacing, pool);
        PancakePool(pool).initialize(sqrtPriceX96);
    }

    function mint(PancakePool pool, int24 tickLower, int24 tickUpper, uint128 liquidity) external {
        pool.mint(address(this), tickLower, tickUpper, liquidity, "");
    }

    function swap(PancakePool pool, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96)
        external
        returns (int256 amount0, int256 amount1)
    {
        return pool.swap(address(this), zeroForOne, amountSpecified, sqrtPriceLimitX96, "");
    }

    /// The callbacks of mints and swaps. Pay the amounts that the pool demands.
    fallback() external {
        (int256 owed0, int256 owed1) = abi.decode(msg.data[4:68], (int256, int256));
        PancakePool pool = PancakePool(msg.sender);
        if (owed0 > 0) Erc20(pool.token0()).transfer(msg.sender, uint256(owed0));
        if (owed1 > 0) Erc20(pool.token1()).transfer(msg.sender, uint256(owed1));
    }
}
