// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IUniswapV3PoolTicks {
    function tickBitmap(int16 wordPosition) external view returns (uint256);
    function ticks(int24 tick) external view returns (uint128 liquidityGross, int128 liquidityNet);
}

/// Reads the initialised ticks of Uniswap v3 pools in one call. Not deployed: an eth_call runs its code. This way the
/// thousands of empty bitmap words of a pool with tick spacing 1 are not sent over the network.
contract TickReader {
    struct Query {
        IUniswapV3PoolTicks pool;
        int24 tickSpacing;
        int16 firstWord;
        int16 lastWord;
    }

    struct Tick {
        int24 index;
        int128 liquidityNet;
        uint128 liquidityGross;
    }

    /// For each query, the initialised ticks in the bitmap words from `firstWord` to `lastWord`, ascending.
    function read(Query[] calldata queries) external view returns (Tick[][] memory found) {
        found = new Tick[][](queries.length);
        for (uint256 i; i < queries.length; i++) found[i] = readOne(queries[i]);
    }

    function readOne(Query calldata query) private view returns (Tick[] memory found) {
        (IUniswapV3PoolTicks pool, int256 firstWord) = (query.pool, query.firstWord);
        uint256[] memory words = new uint256[](uint256(query.lastWord - firstWord + 1));
        uint256 count;
        for (uint256 i; i < words.length; i++) {
            uint256 word = pool.tickBitmap(int16(firstWord + int256(i)));
            words[i] = word;
            for (; word != 0; word &= word - 1) count++;
        }
        found = new Tick[](count);
        uint256 filled;
        for (uint256 i; filled < count; i++) {
            uint256 word = words[i];
            for (uint256 bit; word != 0; (bit++, word >>= 1)) {
                if (word & 1 == 0) continue;
                int24 index = int24(((firstWord + int256(i)) * 256 + int256(bit)) * query.tickSpacing);
                (uint128 liquidityGross, int128 liquidityNet) = pool.ticks(index);
                found[filled++] = Tick(index, liquidityNet, liquidityGross);
            }
        }
    }
}
