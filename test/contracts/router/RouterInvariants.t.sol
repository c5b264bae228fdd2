// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {ApprovalProxy} from "#contracts/ApprovalProxy.sol";
import {Router} from "#contracts/Router.sol";
import {Coin} from "./Currencies.sol";
import {RouterHandler, Witness} from "./RouterHandler.sol";
import {Thief} from "./Thief.sol";

contract RouterInvariants is Test {
    RouterHandler private handler;
    ApprovalProxy private proxy;
    Router private router;
    Thief private thief;
    Witness private witness;
    address private vault;

    function setUp() external {
        vm.warp(1_000_000);
        handler = new RouterHandler();
        (proxy, router,,) = handler.contracts();
        (thief, witness, vault) = (handler.thief(), handler.witness(), router.depository());
        targetContract(address(handler));
    }

    /// One function, so that all promises are held in one campaign.
    /// forge-config: default.invariant.runs = 2560
    /// forge-config: default.invariant.depth = 100
    /// forge-config: default.invariant.check-interval = 50
    function invariant_nothingIsLeftBehindAndNobodyGains() external view {
        assertEq(handler.broken(), "");
        assertFalse(witness.repeated(), "no executor runs twice");
        assertTrue(handler.isEmpty(address(proxy)), "the proxy holds nothing");
        address executor = witness.last();
        for (uint256 i; i < 3; i++) {
            Coin coin = handler.coins(i);
            assertLe(coin.balanceOf(address(router)), handler.strays(coin), "the router holds strays at most");
            assertLe(
                coin.balanceOf(address(thief)), handler.allowed(coin) + handler.strays(coin), "nobody else gains"
            );
            assertEq(coin.allowance(address(router), address(thief)), 0, "the router grants nothing");
            assertEq(coin.allowance(address(router), vault), 0, "the router leaves no allowance");
            assertEq(coin.allowance(address(proxy), address(thief)), 0, "the proxy grants nothing");
            assertFalse(coin.isOperator(address(router), address(thief)), "the router trusts nobody");
            assertEq(coin.balanceOf(executor), 0, "an executor holds nothing");
        }
        assertEq(handler.wrappedOf(address(router)), 0, "the router holds no wrapped currency");
        assertEq(handler.wrappedOf(address(thief)), 0, "nobody else gains wrapped currency");
        assertLe(address(router).balance, handler.strayNative(), "the router holds stray wei at most");
        assertLe(address(thief).balance, handler.allowedNative() + handler.strayNative(), "nobody else gains wei");
    }
}
