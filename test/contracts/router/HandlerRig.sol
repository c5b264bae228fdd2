// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ApprovalProxy} from "#contracts/ApprovalProxy.sol";
import {Call} from "#contracts/Executor.sol";
import {Router} from "#contracts/Router.sol";
import {Coin, HookedCoin} from "./Currencies.sol";
import {Hook} from "./Currencies.sol";
import {Rig} from "./Rig.sol";
import {Thief} from "./Thief.sol";

/// Records every executor that calls it.
contract Witness {
    mapping(address executor => bool) public seen;
    bool public repeated;
    address public last;

    function look() external {
        if (seen[msg.sender]) repeated = true;
        seen[msg.sender] = true;
        last = msg.sender;
    }
}

/// The state that the actions of RouterHandler share: who takes part, what each may have, and which promise was broken.
abstract contract HandlerRig is Rig {
    address public immutable identity = makeAddr("identity");
    Thief public immutable thief;
    Witness public immutable witness = new Witness();
    HookedCoin public immutable hooked = new HookedCoin();
    Coin[3] public coins;

    /// What attackers got from runs of their own, from users who chose their pools, or as strays.
    mapping(Coin => uint256) public allowed;
    uint256 public allowedNative;
    /// Given to the router outside of runs.
    mapping(Coin => uint256) public strays;
    uint256 public strayNative;
    mapping(bytes32 orderId => uint256) public fills;
    uint256 public runs;
    /// The first broken promise.
    string public broken;

    uint256 private count;

    constructor() {
        fund();
        coins = [usdc, dai, Coin(hooked)];
        hooked.mint(user, 1e12);
        address[] memory victims = new address[](3);
        (victims[0], victims[1], victims[2]) = (user, payee, identity);
        thief = new Thief(proxy, identity, victims);
        hooked.setHook(Hook(address(thief)));
        vm.prank(user);
        hooked.approve(address(proxy), type(uint256).max);
        vm.prank(identity);
        proxy.setKey(user, true);
        fundWrapped();
        thief.aim(usdc);
    }

    function contracts() external view returns (ApprovalProxy, Router, Coin, Coin) {
        return (proxy, router, usdc, dai);
    }

    function holds(bool kept, string memory what) internal {
        if (!kept && bytes(broken).length == 0) broken = what;
    }

    modifier aimed(uint256 seed) {
        thief.aim(coins[seed % 3]);
        _;
    }

    /// Whether the user's run succeeded.
    function tried(Coin coin, uint256 amount, uint256 value, Call[] memory calls) internal returns (bool) {
        vm.prank(user);
        try proxy.transferAndMulticall{value: value}(
            list(address(coin)), list(amount), calls, user, payee, ""
        ) {
            runs++;
            return true;
        } catch {
            return false;
        }
    }

    function triedFill(bytes32 orderId, uint256 deadline, Coin coin, uint256 amount, Call[] memory calls)
        internal
        returns (bool)
    {
        ApprovalProxy.Fill memory terms = ApprovalProxy.Fill(identity, orderId, deadline);
        vm.prank(user);
        try proxy.fill(terms, list(address(coin)), list(amount), calls, user, payee) {
            fills[orderId]++;
            return true;
        } catch {
            return false;
        }
    }

    /// The recipient's balance once it got `amount` and the whole balance of the router.
    function paidUp(Coin coin, uint256 amount) internal view returns (uint256) {
        return coin.balanceOf(payee) + coin.balanceOf(address(router)) + amount;
    }

    function name() internal returns (bytes32) {
        return bytes32(++count);
    }

    function wrappedOf(address account) external view returns (uint256) {
        return weth.balanceOf(account);
    }

    function isEmpty(address account) public view returns (bool) {
        for (uint256 i; i < 3; i++) {
            if (coins[i].balanceOf(account) != 0) return false;
        }
        return account.balance == 0;
    }
}
