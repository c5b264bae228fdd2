// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {IUniswapV3PoolTicks, TickReader} from "#contracts/TickReader.sol";

/// The ticks of a Uniswap v3 pool, set at will.
contract TickPool {
    struct TickInfo {
        uint128 liquidityGross;
        int128 liquidityNet;
        uint256 feeGrowthOutside0X128;
    }

    mapping(int16 wordPosition => uint256) public tickBitmap;
    mapping(int24 tick => TickInfo) public ticks;

    /// `compressed` is the tick divided by the tick spacing.
    function initialise(int24 compressed, int24 tickSpacing, uint128 gross, int128 net) external {
        // As TickBitmap.position of v3-core.
        tickBitmap[int16(compressed >> 8)] |= 1 << uint256(uint8(int8(compressed % 256)));
        ticks[compressed * tickSpacing] = TickInfo(gross, net, 1);
    }
}

contract TickReaderTest is Test {
    TickReader private immutable reader = new TickReader();
    TickPool private immutable pool = new TickPool();

    function read(int24 tickSpacing, int16 first, int16 last) private view returns (TickReader.Tick[] memory) {
        TickReader.Query[] memory queries = new TickReader.Query[](1);
        queries[0] = queryOf(pool, tickSpacing, first, last);
        return reader.read(queries)[0];
    }

    function queryOf(TickPool of_, int24 tickSpacing, int16 first, int16 last)
        private
        pure
        returns (TickReader.Query memory)
    {
        return TickReader.Query(IUniswapV3PoolTicks(address(of_)), tickSpacing, first, last);
    }

    function test_aPoolWithoutTicksHasNone() external view {
        assertEq(read(1, -3, 3).length, 0);
    }

    function testFuzz_readsEachTickOnceAndInOrder(uint256 seed, uint8 count, uint8 spacing) external {
        int24 tickSpacing = int24(uint24(bound(spacing, 1, 200)));
        (int16 first, int16 last) = (-4, 3);
        uint256 distinct;
        for (uint256 i; i < count % 24; i++) {
            uint256 word = uint256(keccak256(abi.encode(seed, i)));
            int24 compressed = int24(int256(word % 2_048)) - 1_024;
            (uint128 gross,,) = pool.ticks(compressed * tickSpacing);
            if (gross == 0) distinct++;
            pool.initialise(compressed, tickSpacing, uint128(word >> 128) | 1, int128(uint128(word >> 64)));
        }
        TickReader.Tick[] memory found = read(tickSpacing, first, last);
        assertEq(found.length, distinct);
        for (uint256 i; i < found.length; i++) {
            (uint128 gross, int128 net,) = pool.ticks(found[i].index);
            assertGt(gross, 0);
            assertEq(found[i].liquidityGross, gross);
            assertEq(found[i].liquidityNet, net);
            if (i > 0) assertGt(found[i].index, found[i - 1].index);
        }
    }

    function test_readsOnlyTheWordsInQuestion() external {
        int24[4] memory compressed = [int24(-257), -256, 255, 256];
        for (uint256 i; i < 4; i++) pool.initialise(compressed[i], 60, 5, -5);
        TickReader.Tick[] memory found = read(60, -1, 0);
        assertEq(found.length, 2);
        assertEq(found[0].index, -256 * 60);
        assertEq(found[1].index, 255 * 60);
    }

    function test_readsEachPoolWithItsOwnSpacingAndWords() external {
        TickPool other = new TickPool();
        pool.initialise(-256, 60, 5, -5);
        pool.initialise(3, 60, 6, -6);
        other.initialise(3, 10, 7, 7);
        TickReader.Query[] memory queries = new TickReader.Query[](3);
        queries[0] = queryOf(other, 10, 0, 0);
        queries[1] = queryOf(pool, 60, -1, -1);
        queries[2] = queryOf(pool, 60, 0, 1);
        TickReader.Tick[][] memory found = reader.read(queries);
        assertEq(found.length, 3);
        assertEq(abi.encode(found[0]), abi.encode(oneTick(30, 7, 7)));
        assertEq(abi.encode(found[1]), abi.encode(oneTick(-256 * 60, -5, 5)));
        assertEq(abi.encode(found[2]), abi.encode(oneTick(180, -6, 6)));
    }

    function oneTick(int24 index, int128 net, uint128 gross) private pure returns (TickReader.Tick[] memory ticks) {
        ticks = new TickReader.Tick[](1);
        ticks[0] = TickReader.Tick(index, net, gross);
    }

    function test_anAddressThatIsNoPoolIsAnError() external {
        TickReader.Query[] memory queries = new TickReader.Query[](1);
        queries[0] = TickReader.Query(IUniswapV3PoolTicks(address(this)), 1, 0, 0);
        vm.expectRevert();
        reader.read(queries);
    }
}
