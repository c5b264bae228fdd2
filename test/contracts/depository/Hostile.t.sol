// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Depository} from "#contracts/Depository.sol";
import {Deposits} from "#contracts/Deposits.sol";
import {Orders} from "#contracts/Orders.sol";
import {OutflowLimit} from "#contracts/OutflowLimit.sol";
import {Coin, DepositoryRig} from "./DepositoryRig.sol";

/// Calls a target whenever it is paid, or burns gas, or reverts with much data.
contract HostileRecipient {
    enum Kind {
        burns,
        bombs,
        peeks,
        reenters
    }

    Kind private immutable kind;
    address private target;
    bytes private data;
    bool public succeeded;

    constructor(Kind kind_) {
        kind = kind_;
    }

    function prepare(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    receive() external payable {
        if (kind == Kind.burns) while (true) {}
        if (kind == Kind.bombs) {
            assembly {
                revert(0, 2000000)
            }
        }
        // A simulation has no gas price.
        if (kind == Kind.peeks) require(tx.gasprice == 0, "a real transaction");
        if (kind == Kind.reenters) (succeeded,) = target.call(data);
    }
}

/// Transfers a share less than asked, or nothing, or calls a target first.
contract HostileCoin is Coin {
    bool public isStopped;
    bool public isLying;
    uint256 public tax;
    address private target;
    bytes private data;
    bool public succeeded;

    function stop(bool isStopped_, bool isLying_) external {
        (isStopped, isLying) = (isStopped_, isLying_);
    }

    function setTax(uint256 tax_) external {
        tax = tax_;
    }

    function prepare(address target_, bytes calldata data_) external {
        (target, data) = (target_, data_);
    }

    function transfer(address recipient, uint256 amount) public override returns (bool) {
        if (isLying) return false;
        return super.transfer(recipient, amount);
    }

    function _update(address from, address to, uint256 amount) internal override {
        require(!isStopped, "stopped");
        if (target != address(0)) (succeeded,) = target.call(data);
        uint256 taxed = from == address(0) ? 0 : amount * tax / 10_000;
        super._update(from, to, amount - taxed);
        if (taxed > 0) super._update(from, address(0), taxed);
    }
}

/// Its transfers use much gas, but less than a payout has for them.
contract ExpensiveCoin is Coin {
    function _update(address from, address to, uint256 amount) internal override {
        uint256 gas = gasleft();
        while (gas - gasleft() < 150_000) {}
        super._update(from, to, amount);
    }
}

contract HostileTest is DepositoryRig {
    HostileCoin private bad;

    function setUp() public override {
        super.setUp();
        bad = new HostileCoin();
        OutflowLimit.Limit[] memory limits = new OutflowLimit.Limit[](1);
        limits[0] = OutflowLimit.Limit(address(bad), limit);
        vm.prank(owner);
        depository.setOutflowLimits(limits);
    }

    /// Finding 14: before, one recipient of an app fee stalled a whole batch of settlements, again and again.
    function test_noRecipientStallsASettlement() external {
        vm.txGasPrice(1 gwei);
        for (uint256 kind; kind < 3; kind++) {
            address hostile = address(new HostileRecipient(HostileRecipient.Kind(kind)));
            vm.etch(app, hostile.code);
            (bytes32 orderId,, Orders.PaymentProof memory proof) = orderOf(native, 100, 10);
            Deposits.Deposit memory made = deposit(native, 100, orderId);
            uint256 before = payee.balance;
            uint256 gas = gasleft();
            settle(settlementOf(made, 100, 10, 10, proof));
            assertLt(gas - gasleft(), 350_000);
            assertEq(payee.balance - before, 90);
            assertEq(depository.claimable(native, app), 10 * (kind + 1));
        }
        assertEq(depository.reserved(native), 30);
        // Only the recipient can have it sent elsewhere.
        vm.expectRevert(abi.encodeWithSelector(Deposits.OnlyTheOwnAccount.selector, app));
        depository.claim(native, app, thief);
        vm.prank(app);
        depository.claim(native, app, refundTo);
        assertEq(refundTo.balance, 30);
    }

    function test_aSubmitterCannotMakeAPaymentFailBySupplyingLittleGas() external {
        HostileRecipient wallet = new HostileRecipient(HostileRecipient.Kind.reenters);
        wallet.prepare(address(0), "");
        vm.etch(user, address(wallet).code);
        Depository.Refund memory payout = refundOf(deposit(native, 100, bytes32("order")), user, 100, 0);
        bytes memory signature = signed(refundHash(payout), allocatorKey);
        Orders.RefundProof[] memory none = new Orders.RefundProof[](0);
        for (uint256 gas = 20_000; gas < 200_000; gas += 1_000) {
            uint256 before = vm.snapshotState();
            try depository.refund{gas: gas}(payout, none, signature) {
                assertEq(user.balance, 100);
            } catch {
                assertEq(depository.claimable(native, user), 0);
            }
            vm.revertToState(before);
        }
        depository.refund(payout, none, signature);
        assertEq(user.balance, 100);
    }

    function test_attack_noSubmitterTurnsAnErc20RefundIntoAClaim() external {
        address expensive = address(new ExpensiveCoin());
        Depository.Refund memory payout = refundOf(deposit(expensive, 100, bytes32("order")), user, 100, 0);
        bytes memory signature = signed(refundHash(payout), allocatorKey);
        Orders.RefundProof[] memory none = new Orders.RefundProof[](0);
        uint256 refused;
        uint256 paid;
        for (uint256 gas = 100_000; gas < 500_000; gas += 2_000) {
            uint256 before = vm.snapshotState();
            try depository.refund{gas: gas}(payout, none, signature) {
                assertEq(balanceOf(expensive, user), 100);
                paid++;
            } catch (bytes memory reason) {
                if (bytes4(reason) == Deposits.TooLittleGas.selector) refused++;
                assertEq(owedOf(payout.deposit), 100);
            }
            vm.revertToState(before);
        }
        assertGt(refused, 0);
        assertGt(paid, 0);
    }

    function test_aRefundThatItsCurrencyRefusesBecomesClaimable() external {
        Deposits.Deposit memory made = deposit(address(bad), 100, bytes32("order"));
        bad.stop(false, true);
        refund(refundOf(made, user, 100, 0));
        assertEq(depository.claimable(address(bad), user), 100);
        bad.stop(true, false);
        vm.expectRevert();
        depository.claim(address(bad), user, user);
        bad.stop(false, false);
        depository.claim(address(bad), user, user);
        assertEq(bad.balanceOf(user), 100);
        assertEq(depository.reserved(address(bad)), 0);
    }

    function test_anAddressWithoutCodeIsNoCurrency() external {
        vm.expectRevert();
        depository.depositErc20(user, thief, 1, bytes32("order"));
        Deposits.Deposit memory made = deposit(address(bad), 100, bytes32("order"));
        vm.etch(address(bad), "");
        refund(refundOf(made, user, 100, 0));
        assertEq(depository.claimable(address(bad), user), 100);
    }

    function test_aDepositCountsWhatArrives() external {
        bad.setTax(200);
        bad.mint(user, 10_000);
        vm.startPrank(user);
        bad.approve(address(depository), 10_000);
        depository.depositErc20(user, address(bad), 10_000, bytes32("order"));
        assertEq(owedOf(Deposits.Deposit(bytes32("order"), user, address(bad), 9_800, 0)), 9_800);
    }

    function test_aDepositCountsNothingThatArrivesFromOthersMeanwhile() external {
        bad.mint(address(bad), 30);
        bad.mint(user, 50);
        vm.prank(user);
        bad.approve(address(depository), 50);
        // The currency sends 30 more while it sends the deposit.
        bad.prepare(address(this), abi.encodeCall(this.sendMore, ()));
        vm.prank(user);
        depository.depositErc20(user, address(bad), 50, bytes32("order"));
        assertEq(bad.balanceOf(address(depository)), 80);
        assertEq(depository.reserved(address(bad)), 50);
    }

    function sendMore() external {
        bad.prepare(address(0), "");
        vm.prank(address(bad));
        bad.transfer(address(depository), 30);
    }

    function test_nothingReentersADepositOrAPayout() external {
        Deposits.Deposit memory held = deposit(native, 100, bytes32("order"));
        skip(14 days);
        bytes[4] memory calls = [
            abi.encodeCall(depository.exit, (held, user)),
            abi.encodeCall(depository.claim, (native, user, user)),
            abi.encodeWithSignature(
                "depositErc20(address,address,uint256,bytes32)", user, address(bad), 0, bytes32("order")
            ),
            refundCall(held)
        ];
        HostileRecipient hostile = new HostileRecipient(HostileRecipient.Kind.reenters);
        for (uint256 i; i < calls.length; i++) {
            hostile.prepare(address(depository), calls[i]);
            vm.deal(address(hostile), 1);
            vm.prank(address(hostile));
            depository.depositNative{value: 1}(address(0), bytes32("order"));
            Deposits.Deposit memory own = Deposits.Deposit(bytes32("order"), address(hostile), native, 1, i);
            refund(refundOf(own, address(hostile), 1, 0));
            assertFalse(hostile.succeeded());
            bad.mint(user, 1);
            vm.startPrank(user);
            bad.approve(address(depository), 1);
            bad.prepare(address(depository), calls[i]);
            depository.depositErc20(user, address(bad), 1, bytes32("order"));
            vm.stopPrank();
            assertFalse(bad.succeeded());
            bad.prepare(address(0), "");
        }
        assertEq(owedOf(held), 100);
    }

    function refundCall(Deposits.Deposit memory made) private view returns (bytes memory) {
        Depository.Refund memory payout = refundOf(made, user, 100, 0);
        bytes memory signature = signed(refundHash(payout), allocatorKey);
        return abi.encodeCall(depository.refund, (payout, new Orders.RefundProof[](0), signature));
    }
}
