// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IUniswapV3PoolTicks {
    function tickBitmap(int16 wordPosition) external view returns (uint256);
    function ticks(int24 tick) external view returns (uint128 liquidityGross, int128 liquidityNet);
}

/// Reads the initialised ticks of a Uniswap v3 pool in one call. Not deployed: an eth_call runs its code, so that the
/// thousands of empty bitmap words of a pool with tick spacing 1 are not sent over the network.
contract TickReader {
    struct Tick {
        int24 index;
        int128 liquidityNet;
        uint128 liquidityGross;
    }

    /// The initialised ticks in the bitmap words from `firstWord` to `lastWord`, ascending.
    function read(IUniswapV3PoolTicks pool, int24 tickSpacing, int16 firstWord, int16 lastWord)
        external
        view
        returns (Tick[] memory found)
    {
        uint256[] memory words = new uint256[](uint256(int256(lastWord) - firstWord + 1));
        uint256 count;
        for (uint256 i; i < words.length; i++) {
            uint256 word = pool.tickBitmap(int16(int256(firstWord) + int256(i)));
            words[i] = word;
            for (; word != 0; word &= word - 1) count++;
        }
        found = new Tick[](count);
        uint256 filled;
        for (uint256 i; filled < count; i++) {
            uint256 word = words[i];
            for (uint256 bit; word != 0; (bit++, word >>= 1)) {
                if (word & 1 == 0) continue;
                int24 index = int24(((int256(firstWord) + int256(i)) * 256 + int256(bit)) * tickSpacing);
                (uint128 liquidityGross, int128 liquidityNet) = pool.ticks(index);
                found[filled++] = Tick(index, liquidityNet, liquidityGross);
            }
        }
    }
}
