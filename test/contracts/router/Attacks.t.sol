// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ApprovalProxy} from "#contracts/ApprovalProxy.sol";
import {Call} from "#contracts/Executor.sol";
import {Router} from "#contracts/Router.sol";

/// A currency with a second way to grant an allowance, as many have.
contract LooseCoin is ERC20 {
    constructor() ERC20("Loose", "LOOSE") {}

    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }

    function approveMax(address spender) external {
        _approve(msg.sender, spender, type(uint256).max);
    }
}

/// Called during a user's run, it takes what the caller once let it take.
contract Taker {
    function take(LooseCoin coin, address from) external {
        uint256 held = coin.balanceOf(from);
        if (coin.allowance(from, address(this)) >= held) coin.transferFrom(from, address(this), held);
    }
}

/// Finding 15, and the second fill of finding 4. Each attack states what must hold.
contract RouterAttacks is Test {
    ApprovalProxy private immutable proxy = new ApprovalProxy(address(1));
    Router private immutable router = proxy.router();
    LooseCoin private immutable coin = new LooseCoin();
    Taker private immutable taker = new Taker();
    address private immutable user = makeAddr("user");
    address private immutable payee = makeAddr("payee");

    function setUp() external {
        coin.mint(user, 1000);
        vm.prank(user);
        coin.approve(address(proxy), 1000);
    }

    function run(Call memory first, Call memory second) private {
        Call[] memory calls = new Call[](2);
        (calls[0], calls[1]) = (first, second);
        address[] memory tokens = new address[](1);
        uint256[] memory amounts = new uint256[](1);
        (tokens[0], amounts[0]) = (address(coin), 500);
        vm.prank(user);
        proxy.transferAndMulticall(tokens, amounts, calls, user, user, abi.encode(uint256(7)));
    }

    function payAll() private view returns (Call memory) {
        return Call(
            address(router), false, 0, abi.encodeCall(Router.pay, (address(coin), payee, 0))
        );
    }

    function fill() private {
        Call[] memory calls = new Call[](1);
        calls[0] = payAll();
        address[] memory tokens = new address[](1);
        uint256[] memory amounts = new uint256[](1);
        (tokens[0], amounts[0]) = (address(coin), 500);
        vm.prank(user);
        proxy.fill(
            ApprovalProxy.Fill(user, bytes32(uint256(7)), block.timestamp), tokens, amounts, calls, user, user
        );
    }

    /// The calls from an executor, which gets all of the coin.
    function executing(Call[] memory calls) private view returns (Call[] memory) {
        address[] memory returned = new address[](1);
        returned[0] = address(coin);
        bytes memory data =
            abi.encodeCall(Router.execute, (bytes32(uint256(7)), calls, address(coin), 0, returned, payee));
        Call[] memory own = new Call[](1);
        own[0] = Call(address(router), false, 0, data);
        return own;
    }

    function test_attack_noRightOutlivesItsRun() external {
        Call[] memory grant = new Call[](1);
        grant[0] = Call(
            address(coin), false, 0, abi.encodeCall(LooseCoin.approveMax, (address(taker)))
        );
        // The router makes no foreign call. Its executors do, and hold nothing afterwards.
        vm.expectRevert(abi.encodeWithSelector(Router.ForeignCall.selector, address(coin)));
        router.multicall(grant, address(this), address(this), "");
        router.multicall(executing(grant), address(this), address(this), "");
        Call[] memory takes = new Call[](1);
        takes[0] =
            Call(address(taker), false, 0, abi.encodeCall(Taker.take, (coin, address(router))));
        run(executing(takes)[0], payAll());
        assertEq(coin.balanceOf(address(taker)), 0, "an attacker took 500 of the user's 500");
        assertEq(coin.balanceOf(payee), 500);
    }

    function test_attack_onlyTheProxyReservesTheRouter() external {
        vm.prank(address(taker));
        vm.expectRevert(abi.encodeWithSelector(Router.NotTheProxy.selector, address(taker)));
        router.hold(address(taker), address(taker));
        // In the same transaction, as in a bundle.
        run(payAll(), payAll());
        assertEq(coin.balanceOf(payee), 500, "the user's run is blocked");
    }

    function test_attack_aStrayWeiBlocksNoRun() external {
        vm.deal(address(router), 1);
        // A contract that accepts no native currency.
        vm.prank(address(coin));
        router.multicall(new Call[](0), address(coin), address(coin), "");
    }

    function test_attack_anOrderIsFilledOnce() external {
        fill();
        vm.expectRevert(
            abi.encodeWithSelector(ApprovalProxy.AlreadyFilled.selector, user, bytes32(uint256(7)))
        );
        fill();
        assertEq(coin.balanceOf(payee), 500, "the recipient was paid 1000 for an order of 500");
    }
}
