// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Extsload} from "@uniswap/v4-core/src/Extsload.sol";
import {Pool} from "@uniswap/v4-core/src/libraries/Pool.sol";
import {Test} from "forge-std/Test.sol";
import {ManagedTickReader, PoolManagerStorage} from "#contracts/ManagedTickReader.sol";

/// The ticks of Uniswap v4 pools, set at will, laid out in storage as their manager lays them out.
contract TickManager is Extsload {
    uint256[6] private before;
    mapping(bytes32 id => Pool.State) private pools;

    /// The first slot of a pool's state.
    function stateOf(bytes32 id) external pure returns (bytes32) {
        return keccak256(abi.encode(id, 6));
    }

    /// `compressed` is the tick divided by the tick spacing.
    function initialise(bytes32 id, int24 compressed, int24 tickSpacing, uint128 gross, int128 net) external {
        // As TickBitmap.flipTick of v4-core.
        pools[id].tickBitmap[int16(compressed >> 8)] |= 1 << uint256(uint8(int8(compressed % 256)));
        pools[id].ticks[compressed * tickSpacing] = Pool.TickInfo(gross, net, 1, 1);
    }

    function tickOf(bytes32 id, int24 index) external view returns (uint128 gross, int128 net) {
        Pool.TickInfo storage tick = pools[id].ticks[index];
        return (tick.liquidityGross, tick.liquidityNet);
    }
}

contract ManagedTickReaderTest is Test {
    ManagedTickReader private immutable reader = new ManagedTickReader();
    TickManager private immutable manager = new TickManager();

    function read(bytes32 id, int24 tickSpacing, int16 first, int16 last)
        private
        view
        returns (ManagedTickReader.Tick[] memory)
    {
        return reader.read(PoolManagerStorage(address(manager)), manager.stateOf(id), tickSpacing, first, last);
    }

    function test_aPoolWithoutTicksHasNone() external view {
        assertEq(read("pool", 1, -3, 3).length, 0);
    }

    function testFuzz_readsEachTickOnceAndInOrder(bytes32 id, uint256 seed, uint8 count, uint8 spacing) external {
        int24 tickSpacing = int24(uint24(bound(spacing, 1, 200)));
        uint256 distinct;
        for (uint256 i; i < count % 24; i++) {
            uint256 word = uint256(keccak256(abi.encode(seed, i)));
            int24 compressed = int24(int256(word % 2_048)) - 1_024;
            (uint128 gross,) = manager.tickOf(id, compressed * tickSpacing);
            if (gross == 0) distinct++;
            manager.initialise(id, compressed, tickSpacing, uint128(word >> 128) | 1, int128(uint128(word >> 64)));
        }
        ManagedTickReader.Tick[] memory found = read(id, tickSpacing, -4, 3);
        assertEq(found.length, distinct);
        for (uint256 i; i < found.length; i++) {
            (uint128 gross, int128 net) = manager.tickOf(id, found[i].index);
            assertGt(gross, 0);
            assertEq(found[i].liquidityGross, gross);
            assertEq(found[i].liquidityNet, net);
            if (i > 0) assertGt(found[i].index, found[i - 1].index);
        }
    }

    function test_readsOnlyTheWordsInQuestion() external {
        int24[4] memory compressed = [int24(-257), -256, 255, 256];
        for (uint256 i; i < 4; i++) manager.initialise("pool", compressed[i], 60, 5, -5);
        ManagedTickReader.Tick[] memory found = read("pool", 60, -1, 0);
        assertEq(found.length, 2);
        assertEq(found[0].index, -256 * 60);
        assertEq(found[1].index, 255 * 60);
    }

    function test_readsThePoolInQuestionAlone() external {
        manager.initialise("pool", 3, 60, 6, -6);
        manager.initialise("other", 4, 60, 7, -7);
        ManagedTickReader.Tick[] memory found = read("other", 60, 0, 0);
        assertEq(found.length, 1);
        assertEq(found[0].index, 240);
        assertEq(found[0].liquidityNet, -7);
    }

    function test_anAddressThatIsNoManagerIsAnError() external {
        vm.expectRevert();
        reader.read(PoolManagerStorage(address(this)), 0, 1, 0, 0);
    }
}
