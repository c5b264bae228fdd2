// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {CurrencyReader} from "#contracts/CurrencyReader.sol";
import {Coin} from "#test/router/Currencies.sol";

/// Answers every call with one word, or in a way that harms a careless reader.
contract HostileMetadata {
    enum Kind {
        word,
        burns,
        reverts,
        huge,
        short,
        changes
    }

    Kind private immutable kind;
    uint256 private slot = 18;

    constructor(Kind kind_) {
        kind = kind_;
    }

    fallback() external {
        if (kind == Kind.burns) while (true) {}
        uint256 size = kind == Kind.huge ? 2_000 : 32;
        if (kind == Kind.short) size = 31;
        uint256 value = slot;
        if (kind == Kind.changes) {
            // The first access to an account costs more gas, so that even a view knows whether a call is the first.
            uint256 gas = gasleft();
            value = address(0xc01d).balance;
            value = gas - gasleft() > 1_000 ? 18 : 6;
        }
        bool fails = kind == Kind.reverts;
        assembly ("memory-safe") {
            mstore(0, value)
            if fails { revert(0, 32) }
            return(0, size)
        }
    }
}

contract CurrencyReaderTest is Test {
    CurrencyReader private immutable reader = new CurrencyReader();
    Coin private immutable coin = new Coin();
    address private immutable user = makeAddr("user");
    address private immutable spender = makeAddr("spender");

    function hostile(HostileMetadata.Kind kind) private returns (address) {
        return address(new HostileMetadata(kind));
    }

    function assertUnknown(CurrencyReader.Metadata memory found) private pure {
        assertFalse(found.isCurrency);
        assertEq(found.decimals, 0);
        assertEq(found.symbol, "");
        assertEq(found.name, "");
    }

    function test_attack_noCurrencyHidesAnother() external {
        address[] memory currencies = new address[](7);
        currencies[0] = hostile(HostileMetadata.Kind.burns);
        currencies[1] = hostile(HostileMetadata.Kind.reverts);
        currencies[2] = hostile(HostileMetadata.Kind.huge);
        currencies[3] = hostile(HostileMetadata.Kind.short);
        currencies[4] = hostile(HostileMetadata.Kind.changes);
        currencies[5] = user;
        currencies[6] = address(coin);
        CurrencyReader.Metadata[] memory found = reader.metadata(currencies);
        for (uint256 i; i < 6; i++) assertUnknown(found[i]);
        assertTrue(found[6].isCurrency);
        assertEq(found[6].decimals, 18);
        assertEq(found[6].symbol, abi.encode("COIN"));
        assertEq(found[6].name, abi.encode("Coin"));
    }

    function test_textsOfOneWordAreReadAsTheyAre() external {
        address[] memory currencies = new address[](1);
        currencies[0] = hostile(HostileMetadata.Kind.word);
        CurrencyReader.Metadata memory found = reader.metadata(currencies)[0];
        assertTrue(found.isCurrency);
        assertEq(found.decimals, 18);
        assertEq(found.symbol, abi.encode(uint256(18)));
    }

    function testFuzz_readsBalancesAndAllowances(uint128 held, uint128 allowed, uint96 native) external {
        coin.mint(user, held);
        vm.prank(user);
        coin.approve(spender, allowed);
        vm.deal(user, native);
        CurrencyReader.Query[] memory queries = new CurrencyReader.Query[](4);
        queries[0] = CurrencyReader.Query(address(0), user, address(0));
        queries[1] = CurrencyReader.Query(address(coin), user, address(0));
        queries[2] = CurrencyReader.Query(address(coin), user, spender);
        queries[3] = CurrencyReader.Query(user, user, address(0));
        CurrencyReader.Holding[] memory found = reader.holdings(queries);
        uint256[3] memory expected = [uint256(native), held, allowed];
        for (uint256 i; i < 3; i++) {
            assertTrue(found[i].isKnown);
            assertEq(found[i].amount, expected[i]);
        }
        assertFalse(found[3].isKnown);
        assertEq(found[3].amount, 0);
    }

    /// A gas limit of a node must not make honest currencies appear unknown.
    function testFuzz_tooLittleGasIsAnErrorAndNoAnswer(uint256 gas) external {
        gas = bound(gas, 20_000, 1_000_000);
        address[] memory currencies = new address[](1);
        currencies[0] = address(coin);
        try reader.metadata{gas: gas}(currencies) returns (CurrencyReader.Metadata[] memory found) {
            assertTrue(found[0].isCurrency);
            assertEq(found[0].name, abi.encode("Coin"));
        } catch (bytes memory reason) {
            assertEq(bytes4(reason), CurrencyReader.TooLittleGas.selector);
        }
    }
}
