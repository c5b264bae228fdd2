// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Call, Executor} from "#contracts/Executor.sol";
import {Currencies} from "#contracts/Currencies.sol";
import {Router} from "#contracts/Router.sol";
import {Coin, Nft} from "./Currencies.sol";
import {Refuser, Rig} from "./Rig.sol";

/// Foreign calls: what they can do, and what they leave behind.
contract ExecutorTest is Rig {
    Nft private immutable nft = new Nft();
    address private immutable thief = makeAddr("thief");

    function setUp() external {
        fund();
    }

    function to(address target, bytes memory data) private pure returns (Call memory) {
        return Call(target, false, 0, data);
    }

    function test_onlyTheRouterRunsIt() external {
        Executor executor = router.executor();
        address[] memory none;
        vm.expectRevert(abi.encodeWithSelector(Executor.NotTheRouter.selector, address(this)));
        executor.run(new Call[](0), none, thief, thief);
        run(address(usdc), 5, list(execute(id, address(usdc), new Call[](0))));
        executor = Executor(payable(router.executorOf(user, id)));
        vm.expectRevert(abi.encodeWithSelector(Executor.NotTheRouter.selector, address(this)));
        executor.run(new Call[](0), none, thief, thief);
        vm.expectRevert(abi.encodeWithSelector(Executor.NotRunning.selector, address(this)));
        payable(address(executor)).transfer(1);
    }

    function test_callsSpendTheRunsCurrencyAndTheRestReturns(uint64 amount, uint64 spent) external {
        spent = uint64(bound(spent, 0, amount));
        usdc.mint(user, amount);
        Call memory give = to(address(usdc), abi.encodeCall(IERC20.transfer, (other, spent)));
        run(address(usdc), amount, list(execute(id, address(usdc), list(give))));
        assertEq(usdc.balanceOf(other), spent);
        assertEq(usdc.balanceOf(payee), amount - spent);
    }

    function test_nativeCurrencyGoesAlong() external {
        Call memory wrap = Call(address(weth), false, 40, abi.encodeWithSignature("deposit()"));
        Call memory unwrap = to(address(weth), abi.encodeWithSignature("withdraw(uint256)", 10));
        Call memory executed = own(
            abi.encodeCall(Router.execute, (id, list(wrap, unwrap), address(0), 100, list(address(weth)), payee))
        );
        run(100, list(executed));
        assertEq(weth.balanceOf(payee), 30);
        assertEq(payee.balance, 70);
    }

    function test_theMinimumHoldsBeforeTheCalls() external {
        Call memory executed = own(
            abi.encodeCall(Router.execute, (id, new Call[](0), address(usdc), 6, list(address(usdc)), payee))
        );
        vm.expectRevert(abi.encodeWithSelector(Router.TooLittleReceived.selector, address(usdc), 5, 6));
        run(address(usdc), 5, list(executed));
    }

    function test_aFailingCallRevertsWithItsReasonUnlessItMayFail() external {
        Call memory failing = to(address(usdc), abi.encodeCall(IERC20.transfer, (address(0), 1)));
        vm.expectRevert(abi.encodeWithSignature("ERC20InvalidReceiver(address)", address(0)));
        run(address(usdc), 5, list(execute(id, address(usdc), list(failing))));
        failing.allowFailure = true;
        run(address(usdc), 5, list(execute(id, address(usdc), list(failing))));
        assertEq(usdc.balanceOf(payee), 5);
    }

    function test_aRecipientThatRefusesRevertsTheRun() external {
        address refuser = address(new Refuser());
        address[] memory none;
        Call memory executed =
            own(abi.encodeCall(Router.execute, (id, new Call[](0), address(0), 0, none, refuser)));
        vm.expectRevert(abi.encodeWithSelector(Currencies.NativePaymentFailed.selector, refuser, 9));
        run(9, list(executed));
    }

    function test_forwardsNftsDuringTheRunOnly() external {
        uint256[] memory ids = list(uint256(3));
        Call[] memory mints = list(
            to(address(nft), abi.encodeCall(Nft.mint721, (1))),
            to(address(nft), abi.encodeCall(Nft.mint1155, (2, 20))),
            to(address(nft), abi.encodeCall(Nft.mintBatch, (ids, list(uint256(30)))))
        );
        run(0, list(execute(id, address(0), mints)));
        assertEq(nft.ownerOf(1), payee);
        assertEq(nft.held(payee, 2), 20);
        assertEq(nft.held(payee, 3), 30);

        Executor spent = Executor(payable(router.executorOf(user, id)));
        vm.expectRevert(abi.encodeWithSelector(Executor.NotRunning.selector, address(this)));
        spent.onERC721Received(thief, thief, 1, "");
        vm.expectRevert(abi.encodeWithSelector(Executor.NotRunning.selector, address(this)));
        spent.onERC1155Received(thief, thief, 1, 1, "");
        vm.expectRevert(abi.encodeWithSelector(Executor.NotRunning.selector, address(this)));
        spent.onERC1155BatchReceived(thief, thief, ids, ids, "");
    }

    function test_refusesNftsOfARunWithoutARecipientForThem() external {
        address executor = router.executorOf(address(this), id);
        vm.expectRevert(abi.encodeWithSelector(Executor.NotRunning.selector, address(nft)));
        router.multicall(
            list(execute(id, address(0), list(to(address(nft), abi.encodeCall(Nft.mint721, (1)))))),
            user,
            address(0),
            ""
        );
        assertEq(executor.code.length, 0);
    }

    /// Finding 15: the deny-list let `approve(address)`, `multicall([approve])`, `approveMax`, `trust` and
    /// `setAccountOperator` through. The router then held the currency of the next user.
    function test_attack_noRightOutlivesItsRun() external {
        bytes[] memory inner = new bytes[](1);
        inner[0] = abi.encodeCall(IERC20.approve, (thief, type(uint256).max));
        address executor = router.executorOf(thief, id);
        bytes[6] memory rights = [
            abi.encodeWithSignature("approve(address)", thief),
            abi.encodeCall(Coin.approveMax, (thief)),
            abi.encodeCall(Coin.multicall, (inner)),
            abi.encodeCall(Coin.trust, (thief)),
            abi.encodeCall(Coin.setAccountOperator, (executor, thief, true)),
            inner[0]
        ];
        Call[] memory grants = new Call[](rights.length);
        for (uint256 i; i < rights.length; i++) {
            grants[i] = to(address(usdc), rights[i]);
            vm.prank(thief);
            vm.expectRevert(abi.encodeWithSelector(Router.ForeignCall.selector, address(usdc)));
            router.multicall(list(grants[i]), thief, thief, "");
        }
        vm.prank(thief);
        router.multicall(list(execute(id, address(usdc), grants)), thief, thief, "");
        assertEq(usdc.allowance(executor, thief), type(uint256).max);

        // During the next account's run, the thief gets control by a call of it.
        Call memory take = to(address(usdc), abi.encodeCall(IERC20.transferFrom, (address(router), thief, 1)));
        take.allowFailure = true;
        usdc.mint(address(router), 100);
        vm.startPrank(thief);
        vm.expectRevert();
        usdc.transferFrom(address(router), thief, 1);
        vm.stopPrank();
        run(address(usdc), 1000, list(execute(id, address(usdc), list(take))));
        assertEq(usdc.balanceOf(thief), 0);
        assertEq(usdc.balanceOf(payee), 1100);
        assertEq(usdc.allowance(address(router), thief), 0);
        assertFalse(usdc.isOperator(address(router), thief));
    }
}
