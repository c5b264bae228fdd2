// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Depository} from "#contracts/Depository.sol";
import {Deposits} from "#contracts/Deposits.sol";
import {Orders} from "#contracts/Orders.sol";
import {OutflowLimit} from "#contracts/OutflowLimit.sol";
import {Roles} from "#contracts/Roles.sol";
import {DepositoryRig} from "./DepositoryRig.sol";

contract PayoutsTest is DepositoryRig {
    bytes32 private constant id = keccak256("order");

    function test_aSettlementPaysThePayeeOnce() external {
        for (uint256 i; i < 2; i++) {
            address currency = i == 0 ? native : address(coin);
            Deposits.Deposit memory made = deposit(currency, 100, id);
            Depository.Settlement memory settlement = settlementOf(made, 100);
            settle(settlement);
            assertEq(balanceOf(currency, payee), 100);
            assertEq(owedOf(made), 0);
            assertEq(depository.reserved(currency), 0);
            // Another user's money is there, but it is not this deposit's.
            deposit(currency, 100, keccak256("another order"));
            vm.expectRevert(Depository.NothingOwed.selector);
            this.settleOnce(settlement);
        }
    }

    function test_aSettlementSkipsDrawsThatAreNoLongerOwed() external {
        Deposits.Deposit memory first = deposit(native, 100, id);
        Deposits.Deposit memory second = deposit(native, 50, id);
        Depository.Draw[] memory draws = new Depository.Draw[](4);
        (draws[0].deposit, draws[0].owed) = (first, 100);
        (draws[1].deposit, draws[1].owed) = (second, 50);
        // Listed twice, and with a wrong amount.
        (draws[2].deposit, draws[2].owed) = (second, 50);
        (draws[3].deposit, draws[3].owed) = (second, 0);
        refund(refundOf(first, user, 100, 0));
        settle(Depository.Settlement(native, payee, draws, block.timestamp));
        assertEq(payee.balance, 50);
        assertEq(user.balance, 100);
        assertEq(address(depository).balance, 0);
    }

    function test_aSettlementOfOneCurrencyDrawsNoOther() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        deposit(address(coin), 100, id);
        Depository.Settlement memory settlement = settlementOf(made, 100);
        settlement.currency = address(coin);
        vm.expectRevert(abi.encodeWithSelector(Depository.OtherCurrency.selector, depository.depositIdOf(made)));
        this.settleOnce(settlement);
    }

    function test_aStolenAllocatorKeyCannotPayTheThief() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        Depository.Settlement memory settlement = settlementOf(made, 100);
        settlement.payee = thief;
        vm.expectRevert(abi.encodeWithSelector(Roles.NotAPayee.selector, thief));
        this.settleOnce(settlement);

        Orders.RefundProof[] memory none = new Orders.RefundProof[](0);
        Depository.Refund memory payout = refundOf(made, thief, 100, 0);
        bytes memory signature = signed(refundHash(payout), allocatorKey);
        vm.expectRevert();
        depository.refund(payout, none, signature);

        // The proof of another order.
        (, Orders.RefundProof memory proof,) = orderOf(native, 100, 1);
        payout = refundOf(made, refundTo, 100, 0);
        vm.expectRevert(abi.encodeWithSelector(Orders.NotInTheOrder.selector, id));
        this.refundOnce(payout, proof);

        payout = refundOf(made, user, 0, 100);
        payout.payee = thief;
        signature = signed(refundHash(payout), allocatorKey);
        vm.expectRevert(abi.encodeWithSelector(Roles.NotAPayee.selector, thief));
        depository.refund(payout, none, signature);
    }

    function test_aRefundPaysTheRecipientThatTheOrderNames() external {
        (bytes32 orderId, Orders.RefundProof memory proof,) = orderOf(native, 100, 1);
        Deposits.Deposit memory made = deposit(native, 100, orderId);
        vm.expectRevert(abi.encodeWithSelector(Orders.NotInTheOrder.selector, orderId));
        this.refundOnce(refundOf(made, thief, 100, 0), proof);
        refund(refundOf(made, refundTo, 90, 10), proof);
        assertEq(refundTo.balance, 90);
        assertEq(depository.claimable(native, payee), 10);
        depository.claim(native, payee, payee);
        assertEq(payee.balance, 10);
        assertEq(depository.reserved(native), 0);
    }

    function testFuzz_aForgedRefundProofIsRefused(uint256 field, uint256 seed) external {
        (bytes32 orderId, Orders.RefundProof memory proof,) = orderOf(native, 100, 1);
        Deposits.Deposit memory made = deposit(native, 100, orderId);
        bytes32 word = keccak256(abi.encode("forged", seed));
        field %= 16;
        if (field == 0) proof.order.version = word;
        if (field == 1) proof.order.solverChainId = word;
        if (field == 2) proof.order.solver = address(uint160(uint256(word)));
        if (field == 3) proof.order.salt = uint256(word);
        if (field == 4) proof.order.inputs = word;
        if (field == 5) proof.order.output = word;
        if (field == 6) proof.order.fees = word;
        if (field == 7) proof.inputAt = uint256(word);
        if (field == 8) proof.paymentCurrency = word;
        if (field == 14) proof.paymentAmount = uint256(word);
        if (field == 15) proof.paymentWeight = uint256(word);
        if (field == 9) proof.refundAt = uint256(word);
        if (field == 10) proof.chainId = word;
        if (field == 11) proof.currency = word;
        if (field == 12) proof.minimumAmount = uint256(word);
        if (field == 13) proof.extraData = word;
        bytes4 refusal = field == 10 ? Orders.OtherInput.selector : Orders.NotInTheOrder.selector;
        vm.expectRevert(abi.encodeWithSelector(refusal, orderId));
        this.refundOnce(refundOf(made, refundTo, 100, 0), proof);
    }

    function test_aRefundGoesToNoRecipientOfAnotherInput() external {
        address other = makeAddr("another user's refundTo");
        Ask[] memory asks = new Ask[](3);
        asks[0] = Ask(chainName, native, refundTo);
        asks[1] = Ask(keccak256("another chain"), native, other);
        asks[2] = Ask(chainName, address(coin), other);
        (bytes32 orderId, Orders.RefundProof[] memory proofs,) = orderWith(asks, 100, 1);
        Deposits.Deposit memory made = deposit(native, 100, orderId);
        bytes memory refusal = abi.encodeWithSelector(Orders.OtherInput.selector, orderId);
        for (uint256 i = 1; i < 3; i++) {
            vm.expectRevert(refusal);
            this.refundOnce(refundOf(made, other, 100, 0), proofs[i]);
            // The fields of the deposit's own input do not make up for it.
            (proofs[i].chainId, proofs[i].currency) = (chainName, proofs[0].currency);
            proofs[i].paymentCurrency = proofs[0].currency;
            vm.expectRevert(abi.encodeWithSelector(Orders.NotInTheOrder.selector, orderId));
            this.refundOnce(refundOf(made, other, 100, 0), proofs[i]);
        }
        refund(refundOf(made, refundTo, 100, 0), proofs[0]);
        assertEq(refundTo.balance, 100);
    }

    function test_theOnlyInputOfAnOrderRefundsDepositsInAnyCurrency() external {
        (bytes32 orderId, Orders.RefundProof memory proof,) = orderOf(native, 100, 1);
        refund(refundOf(deposit(address(coin), 100, orderId), refundTo, 100, 0), proof);
        assertEq(coin.balanceOf(refundTo), 100);
    }

    function test_theOwnerNamesTheChain_andWithoutANameOnlyDepositorsAreRefunded() external {
        (bytes32 orderId, Orders.RefundProof memory proof,) = orderOf(native, 100, 1);
        Deposits.Deposit memory made = deposit(native, 100, orderId);
        vm.prank(owner);
        depository.setChainName("elsewhere");
        vm.expectRevert(abi.encodeWithSelector(Orders.OtherInput.selector, orderId));
        this.refundOnce(refundOf(made, refundTo, 100, 0), proof);
        vm.prank(owner);
        depository.setChainName("ethereum");
        refund(refundOf(made, refundTo, 100, 0), proof);

        address[] memory payees = new address[](0);
        OutflowLimit.Limit[] memory limits = new OutflowLimit.Limit[](0);
        depository = new Depository(owner, allocator, guardian, payees, 14 days, "", limits);
        assertEq(depository.chainNameHash(), 0);
        made = deposit(native, 100, orderId);
        vm.expectRevert(abi.encodeWithSelector(Orders.OtherInput.selector, orderId));
        this.refundOnce(refundOf(made, refundTo, 100, 0), proof);
        refund(refundOf(made, user, 100, 0));
    }

    function test_aRefundCannotExceedItsDeposit() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        deposit(native, 1_000, keccak256("another order"));
        bytes32 depositId = depository.depositIdOf(made);
        vm.expectRevert(abi.encodeWithSelector(Depository.AboveOwed.selector, depositId));
        this.refundPlainly(refundOf(made, user, 100, 1));
        Depository.Refund memory inflated = refundOf(made, user, 200, 0);
        inflated.owed = 200;
        vm.expectRevert(abi.encodeWithSelector(Deposits.NotOwed.selector, depositId));
        this.refundPlainly(inflated);
        refund(refundOf(made, user, 40, 0));
        assertEq(owedOf(made), 60);
        // The same signature is void now: less is owed.
        vm.expectRevert(abi.encodeWithSelector(Deposits.NotOwed.selector, depositId));
        this.refundPlainly(refundOf(made, user, 40, 0));
    }

    /// Finding 1: before, one user's refund was paid out of another user's deposit.
    function test_noRefundSurvivesAReorgOfItsDeposit() external {
        uint256 before = vm.snapshotState();
        Deposits.Deposit memory lost = deposit(native, 100, id);
        vm.revertToState(before);
        deposit(native, 1_000, keccak256("another order"));
        vm.expectRevert(abi.encodeWithSelector(Deposits.NotOwed.selector, depository.depositIdOf(lost)));
        this.refundPlainly(refundOf(lost, user, 100, 0));
        vm.expectRevert(Depository.NothingOwed.selector);
        this.settleOnce(settlementOf(lost, 100));
    }

    /// Finding 1: before, currency and depositor stayed as first seen when a reorg changed them.
    function test_aDepositThatAReorgChangesHasAnotherId() external {
        Deposits.Deposit memory made = deposit(native, 100, id);
        Deposits.Deposit memory other = Deposits.Deposit(id, user, address(coin), 100, 0);
        assertNotEq(depository.depositIdOf(made), depository.depositIdOf(other));
        vm.expectRevert(abi.encodeWithSelector(Deposits.NotOwed.selector, depository.depositIdOf(other)));
        this.refundPlainly(refundOf(other, user, 100, 0));
    }

    function testFuzz_appFeesAreAtMostTheOrdersShare(uint96 deposited, uint96 payment, uint96 due, uint96 paid) external {
        vm.assume(deposited > 0 && payment > 0);
        (bytes32 orderId,, Orders.PaymentProof memory proof) = orderOf(address(coin), payment, due);
        Deposits.Deposit memory made = deposit(address(coin), deposited, orderId);
        uint256 most = (uint256(due) * deposited + payment - 1) / payment;
        Depository.Settlement memory settlement = settlementOf(made, deposited, paid, due, proof);
        vm.prank(owner);
        depository.setOutflowLimits(limitOf(address(coin), type(uint96).max));
        if (paid > most) {
            vm.expectRevert(abi.encodeWithSelector(Depository.AboveFee.selector, depository.depositIdOf(made), 0));
        } else if (paid > deposited) {
            vm.expectRevert(abi.encodeWithSelector(Depository.AboveOwed.selector, depository.depositIdOf(made)));
        }
        this.settleOnce(settlement);
        if (paid > most || paid > deposited) return;
        assertEq(coin.balanceOf(app), paid);
        assertEq(coin.balanceOf(payee), deposited - paid);
    }

    function test_anAppFeeThatTheOrderDoesNotNameIsRefused() external {
        (bytes32 orderId,, Orders.PaymentProof memory proof) = orderOf(native, 100, 10);
        Deposits.Deposit memory made = deposit(native, 100, orderId);
        bytes memory refusal = abi.encodeWithSelector(Orders.NotInTheOrder.selector, orderId);
        Depository.Settlement memory settlement = settlementOf(made, 100, 10, 10, proof);
        settlement.draws[0].fees[0].recipient = thief;
        vm.expectRevert(refusal);
        this.settleOnce(settlement);
        settlement = settlementOf(made, 100, 10, 11, proof);
        vm.expectRevert(refusal);
        this.settleOnce(settlement);
        settlement = settlementOf(made, 100, 10, 10, proof);
        settlement.draws[0].fees[0].proof.feeAt = 1;
        vm.expectRevert(refusal);
        this.settleOnce(settlement);
        // A payment that would make the fee's share larger.
        proof.amount = 1;
        vm.expectRevert(refusal);
        this.settleOnce(settlementOf(made, 100, 100, 10, proof));
        // The same fee twice.
        (,, proof) = orderOf(native, 100, 10);
        settlement = settlementOf(made, 100, 10, 10, proof);
        Depository.AppFee memory fee = settlement.draws[0].fees[0];
        settlement.draws[0].fees = new Depository.AppFee[](2);
        (settlement.draws[0].fees[0], settlement.draws[0].fees[1]) = (fee, fee);
        vm.expectRevert(abi.encodeWithSelector(Depository.AboveFee.selector, depository.depositIdOf(made), 0));
        this.settleOnce(settlement);
    }

    function test_theOutflowLimitHoldsSettlementsOnly() external {
        vm.prank(owner);
        depository.setOutflowLimits(limitOf(native, 100));
        Deposits.Deposit memory first = deposit(native, 80, id);
        Deposits.Deposit memory second = deposit(native, 81, id);
        Deposits.Deposit memory third = deposit(native, 1_000, id);
        settle(settlementOf(first, 80));
        vm.expectRevert(abi.encodeWithSelector(Depository.OutflowExceeded.selector, native, 20));
        this.settleOnce(settlementOf(second, 81));
        // A refund goes on. Its cost counts, so it stays with the deposit.
        refund(refundOf(third, user, 900, 100));
        assertEq(user.balance, 900);
        assertEq(owedOf(third), 100);
        assertEq(depository.claimable(native, payee), 0);
        skip(30 minutes);
        assertEq(depository.availableOutflow(native), 70);
        skip(30 minutes);
        assertEq(depository.availableOutflow(native), 100);
        settle(settlementOf(second, 81));
        vm.prank(owner);
        depository.setOutflowLimits(limitOf(native, 50));
        assertEq(depository.availableOutflow(native), 0);
        skip(14 days);
        depository.exit(third, user);
        assertEq(user.balance, 1_000);
    }

    function test_oneDepositAboveTheLimitIsSettledWhileTheLimitIsUnused() external {
        vm.prank(owner);
        depository.setOutflowLimits(limitOf(native, 100));
        Deposits.Deposit memory large = deposit(native, 250, id);
        Deposits.Deposit memory small = deposit(native, 1, id);
        settle(settlementOf(small, 1));
        vm.expectRevert(abi.encodeWithSelector(Depository.OutflowExceeded.selector, native, 99));
        this.settleOnce(settlementOf(large, 250));
        skip(1 minutes);
        // Not with another deposit.
        Deposits.Deposit memory other = deposit(native, 2, id);
        Depository.Settlement memory both = settlementOf(large, 250);
        both.draws = new Depository.Draw[](2);
        (both.draws[0].deposit, both.draws[0].owed) = (large, 250);
        (both.draws[1].deposit, both.draws[1].owed) = (other, 2);
        vm.expectRevert(abi.encodeWithSelector(Depository.OutflowExceeded.selector, native, 100));
        this.settleOnce(both);
        settle(settlementOf(large, 250));
        assertEq(payee.balance, 251);
        // The excess recovers first: two and a half hours for all.
        skip(90 minutes);
        assertEq(depository.availableOutflow(native), 0);
        skip(30 minutes);
        assertEq(depository.availableOutflow(native), 50);
        skip(30 minutes);
        assertEq(depository.availableOutflow(native), 100);
    }

    function test_anUnrecordedTransferAboveTheLimitIsNotPaid() external {
        vm.prank(owner);
        depository.setOutflowLimits(limitOf(address(coin), 50));
        coin.mint(address(depository), 100);
        vm.expectRevert(abi.encodeWithSelector(Depository.OutflowExceeded.selector, address(coin), 50));
        this.payUnrecordedOnce(unrecorded(keccak256("tx"), 3, 51));
    }

    function test_aCurrencyWithoutALimitIsNotSettled() external {
        vm.prank(owner);
        depository.setOutflowLimits(limitOf(native, 0));
        Deposits.Deposit memory made = deposit(native, 80, id);
        vm.expectRevert(abi.encodeWithSelector(Depository.OutflowExceeded.selector, native, 0));
        this.settleOnce(settlementOf(made, 80));
    }

    function test_settlementsAlsoPayWhatThePayeeCanClaim() external {
        refund(refundOf(deposit(native, 100, id), user, 95, 5));
        settle(settlementOf(deposit(native, 100, id), 100));
        assertEq(payee.balance, 105);
        assertEq(depository.reserved(native), 0);
    }

    function test_anUnrecordedTransferIsPaidOnce_andNeverOutOfRecords() external {
        deposit(address(coin), 1_000, id);
        coin.mint(address(depository), 100);
        Depository.Unrecorded memory payout = unrecorded(keccak256("tx"), 3, 60);
        payUnrecorded(payout);
        assertEq(coin.balanceOf(refundTo), 60);
        vm.expectRevert(abi.encodeWithSelector(Depository.AlreadyPaid.selector, keccak256("tx"), 3));
        this.payUnrecordedOnce(unrecorded(keccak256("tx"), 3, 1));
        vm.expectRevert(abi.encodeWithSelector(Depository.NotUnrecorded.selector, address(coin), 40));
        this.payUnrecordedOnce(unrecorded(keccak256("tx"), 4, 41));
        payUnrecorded(unrecorded(keccak256("tx"), 4, 40));
        assertEq(coin.balanceOf(address(depository)), 1_000);
        vm.prank(owner);
        depository.setOutflowLimits(limitOf(address(coin), 1));
        coin.mint(address(depository), 100);
        vm.expectRevert(abi.encodeWithSelector(Depository.OutflowExceeded.selector, address(coin), 0));
        this.payUnrecordedOnce(unrecorded(keccak256("tx"), 5, 2));
    }

    function unrecorded(bytes32 txHash, uint256 logIndex, uint256 amount)
        private
        view
        returns (Depository.Unrecorded memory)
    {
        Depository.Payment[] memory payments = new Depository.Payment[](1);
        payments[0] = Depository.Payment(refundTo, amount);
        return Depository.Unrecorded(txHash, logIndex, address(coin), payments, block.timestamp);
    }

    function limitOf(address currency, uint256 amount) private pure returns (OutflowLimit.Limit[] memory limits) {
        limits = new OutflowLimit.Limit[](1);
        limits[0] = OutflowLimit.Limit(currency, amount);
    }

    // External, so that expectRevert applies to the whole of them.
    function settleOnce(Depository.Settlement calldata settlement) external {
        settle(settlement);
    }

    function refundOnce(Depository.Refund calldata payout, Orders.RefundProof calldata proof) external {
        refund(payout, proof);
    }

    function refundPlainly(Depository.Refund calldata payout) external {
        refund(payout);
    }

    function payUnrecordedOnce(Depository.Unrecorded calldata payout) external {
        payUnrecorded(payout);
    }
}
