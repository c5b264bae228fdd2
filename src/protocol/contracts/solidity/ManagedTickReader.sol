// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface PoolManagerStorage {
    function extsload(bytes32[] calldata slots) external view returns (bytes32[] memory values);
}

/// Reads the initialised ticks of a Uniswap v4 pool from the storage of its manager, as `TickReader` does for pools of
/// Uniswap v3. Not deployed: an eth_call runs its code.
/// @custom:source Uniswap v4-core 1.0.2: PoolManager._pools, Pool.State, Pool.TickInfo
contract ManagedTickReader {
    struct Tick {
        int24 index;
        int128 liquidityNet;
        uint128 liquidityGross;
    }

    uint256 private constant ticksSlot = 4;
    uint256 private constant bitmapSlot = 5;

    /// The initialised ticks in the bitmap words from `firstWord` to `lastWord`, ascending.
    /// @param state The first slot of the pool's state.
    function read(PoolManagerStorage manager, bytes32 state, int24 tickSpacing, int16 firstWord, int16 lastWord)
        external
        view
        returns (Tick[] memory found)
    {
        bytes32[] memory slots = new bytes32[](uint256(int256(lastWord) - firstWord + 1));
        for (uint256 i; i < slots.length; i++) {
            slots[i] = slotOf(state, bitmapSlot, int256(firstWord) + int256(i));
        }
        int24[] memory indexes = indexesOf(manager.extsload(slots), firstWord, tickSpacing);
        slots = new bytes32[](indexes.length);
        for (uint256 i; i < slots.length; i++) slots[i] = slotOf(state, ticksSlot, indexes[i]);
        bytes32[] memory values = manager.extsload(slots);
        found = new Tick[](indexes.length);
        for (uint256 i; i < found.length; i++) {
            found[i] = Tick(indexes[i], int128(int256(uint256(values[i])) >> 128), uint128(uint256(values[i])));
        }
    }

    function indexesOf(bytes32[] memory words, int256 firstWord, int256 tickSpacing)
        private
        pure
        returns (int24[] memory indexes)
    {
        uint256 count;
        for (uint256 i; i < words.length; i++) {
            for (uint256 word = uint256(words[i]); word != 0; word &= word - 1) count++;
        }
        indexes = new int24[](count);
        uint256 filled;
        for (uint256 i; filled < count; i++) {
            uint256 word = uint256(words[i]);
            for (uint256 bit; word != 0; (bit++, word >>= 1)) {
                if (word & 1 == 0) continue;
                indexes[filled++] = int24(((firstWord + int256(i)) * 256 + int256(bit)) * tickSpacing);
            }
        }
    }

    /// The slot of a value in one of the pool's mappings.
    function slotOf(bytes32 state, uint256 mappingSlot, int256 key) private pure returns (bytes32) {
        return keccak256(abi.encode(key, uint256(state) + mappingSlot));
    }
}
