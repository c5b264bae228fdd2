// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {Depository} from "#contracts/Depository.sol";
import {Deposits} from "#contracts/Deposits.sol";
import {Orders} from "#contracts/Orders.sol";
import {OutflowLimit} from "#contracts/OutflowLimit.sol";
import {Vm} from "forge-std/Vm.sol";
import {Coin, DepositoryRig} from "./DepositoryRig.sol";

/// Takes payments, refuses them or uses them to call the depository again.
contract MoodyRecipient {
    Depository private immutable depository;
    uint256 public mood;
    bytes public replay;

    constructor(Depository depository_) {
        depository = depository_;
    }

    function change(uint256 mood_, bytes calldata replay_) external {
        (mood, replay) = (mood_ % 3, replay_);
    }

    receive() external payable {
        require(mood != 1, "refused");
        if (mood != 2) return;
        (bool done,) = address(depository).call(replay);
        require(!done, "ran a payout within a payout");
    }
}

/// The steps of the invariant test: users deposit, leave and claim; the allocator signs payouts, right and wrong ones;
/// anyone submits old ones again. Each step keeps its own account of what may be paid to whom.
contract DepositoryActors is DepositoryRig, IERC1271 {
    /// Orders differ in their amounts.
    uint256 private constant kinds = 4;

    Deposits.Deposit[] private deposits;
    /// Which order each deposit is for.
    uint256[] private kindOf;
    /// Everything that the allocator signed lately.
    bytes[] private payouts;
    address[] private currencyOf;
    address[] private users;
    /// What came in.
    mapping(address currency => uint256) public received;
    /// The most that may ever go to an account.
    mapping(address account => mapping(address currency => uint256)) public entitled;
    /// Payouts, exits and claims that went through.
    uint256 public ran;
    /// What has used the outflow limit, and the largest deposit that was settled alone.
    mapping(address currency => uint256) public outflow;
    mapping(address currency => uint256) public largest;
    uint256 public immutable startedAt = 1_700_000_000;
    /// Below most deposits.
    uint256 public constant outflowLimit = 2e19;
    /// The refund recipient of the other inputs of an order: no deposit here is theirs.
    address private immutable elsewhere = makeAddr("elsewhere");

    function setUp() public override {
        super.setUp();
        // As a contract, the allocator signs faster than a key. Steps that sign wrongly are in the other tests.
        vm.prank(owner);
        depository.setAllocator(address(this));
        OutflowLimit.Limit[] memory limits = new OutflowLimit.Limit[](2);
        limits[0] = OutflowLimit.Limit(native, outflowLimit);
        limits[1] = OutflowLimit.Limit(address(coin), outflowLimit);
        vm.prank(owner);
        depository.setOutflowLimits(limits);
        address moody = address(new MoodyRecipient(depository));
        vm.etch(app, moody.code);
        users.push(user);
        users.push(moody);
        users.push(makeAddr("another user"));
    }

    function isValidSignature(bytes32, bytes calldata signature) external pure returns (bytes4) {
        return signature.length == 1 ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }

    // For the invariants.

    function pool() external view returns (Depository) {
        return depository;
    }

    function currencies() external view returns (address[2] memory) {
        return [native, address(coin)];
    }

    function accounts() external view returns (address[8] memory) {
        return [users[0], users[1], users[2], payee, refundTo, app, thief, elsewhere];
    }

    function owedInAll(address currency) external view returns (uint256 sum) {
        for (uint256 i; i < deposits.length; i++) {
            if (deposits[i].currency != currency) continue;
            uint256 owed = owedOf(deposits[i]);
            require(owed <= deposits[i].amount, "owes more than was deposited");
            sum += owed;
        }
    }

    // Steps.

    function depositMoney(uint256 who, uint256 amount, bool isNative, uint256 kind) external {
        amount = bound(amount, 1, 1e20);
        address currency = isNative ? native : address(coin);
        (bytes32 orderId,,) = orderWith(asksOf(currency, kind), paymentOf(kind), feeOf(kind));
        address from = users[who % users.length];
        Deposits.Deposit memory made = Deposits.Deposit(orderId, from, currency, amount, 0);
        while (exitTimeOf(made) != 0) made.index++;
        if (isNative) {
            vm.deal(address(this), amount);
            depository.depositNative{value: amount}(from, orderId);
        } else {
            coin.mint(address(this), amount);
            coin.approve(address(depository), amount);
            depository.depositErc20(from, currency, amount, orderId);
        }
        deposits.push(made);
        kindOf.push(kind);
        received[currency] += amount;
        entitled[from][currency] += amount;
        entitled[refundTo][currency] += amount;
        entitled[payee][currency] += amount;
        entitled[app][currency] += (feeOf(kind) * amount + paymentOf(kind) - 1) / paymentOf(kind);
    }

    function transferPlainly(uint256 amount) external {
        amount = bound(amount, 1, 1e20);
        coin.mint(address(depository), amount);
        received[address(coin)] += amount;
        entitled[refundTo][address(coin)] += amount;
    }

    function settleDeposits(uint256 first, uint256 second, uint256 fee, uint256 claimed, bool isStranger) external {
        if (deposits.length == 0) return;
        Deposits.Deposit memory made = deposits[first % deposits.length];
        Depository.Draw[] memory draws = new Depository.Draw[](2);
        draws[0] = drawOf(first % deposits.length, fee, claimed);
        draws[1] = drawOf(second % deposits.length, fee, claimed);
        address to = isStranger ? thief : payee;
        run(
            settlementCall(Depository.Settlement(made.currency, to, draws, block.timestamp + 1 days)), made.currency
        );
    }

    function refundDeposit(uint256 which, uint256 amount, uint256 cost, uint256 to, uint256 claimed) external {
        if (deposits.length == 0) return;
        Deposits.Deposit memory made = deposits[which % deposits.length];
        uint256 kind = kindOf[which % deposits.length];
        Orders.RefundProof[] memory proofs = new Orders.RefundProof[](1);
        (, Orders.RefundProof[] memory all,) = orderWith(asksOf(made.currency, kind), paymentOf(kind), feeOf(kind));
        proofs[0] = all[claimed % all.length];
        address[4] memory recipients = [made.depositor, refundTo, elsewhere, thief];
        Depository.Refund memory payout = refundOf(made, recipients[to % 4], bound(amount, 0, 2e20), cost % 1e18);
        payout.owed = claimed % 4 == 0 ? claimed : owedOf(made);
        if (claimed % 3 == 0 && payout.owed > payout.cost) payout.amount = payout.owed - payout.cost;
        if (claimed % 7 == 0) payout.payee = thief;
        bytes memory signature = hex"01";
        run(abi.encodeCall(depository.refund, (payout, proofs, signature)), made.currency);
    }

    function payPlainTransfer(uint256 place, uint256 amount) external {
        Depository.Payment[] memory payments = new Depository.Payment[](1);
        payments[0] = Depository.Payment(refundTo, bound(amount, 0, 2e20));
        Depository.Unrecorded memory payout =
            Depository.Unrecorded(bytes32("tx"), place % 50, address(coin), payments, block.timestamp + 1 days);
        bytes memory signature = hex"01";
        run(abi.encodeCall(depository.payUnrecorded, (payout, signature)), address(coin));
    }

    function exitDeposit(uint256 which, uint256 to, bool isOwn) external {
        if (deposits.length == 0) return;
        Deposits.Deposit memory made = deposits[which % deposits.length];
        address[2] memory recipients = [made.depositor, thief];
        // The depositor itself may pay anyone: only others try to.
        address recipient = recipients[isOwn ? 0 : to % 2];
        vm.prank(isOwn ? made.depositor : thief);
        try depository.exit(made, recipient) { ran++; } catch {}
    }

    function claimMoney(uint256 who, uint256 to, bool isNative) external {
        address[3] memory owners = [app, payee, users[who % users.length]];
        address account = owners[who % 3];
        vm.prank(thief);
        try depository.claim(isNative ? native : address(coin), account, to % 2 == 0 ? account : thief) {
            ran++;
        } catch {}
    }

    /// Runs an earlier payout again, or a recipient does so while it is paid.
    function replayPayout(uint256 which, uint256 mood) external {
        if (payouts.length == 0) return;
        bytes memory payout = payouts[which % payouts.length];
        address currency = currencyOf[which % payouts.length];
        MoodyRecipient(payable(app)).change(mood, payout);
        MoodyRecipient(payable(users[1])).change(mood / 3, payout);
        run(payout, currency);
    }

    function passTime(uint256 time) external {
        skip(bound(time, 1 minutes, 2 days));
    }

    function pausePayouts(uint256 chance) external {
        if (chance % 8 != 0) return;
        vm.prank(guardian);
        try depository.pause() {} catch {}
    }

    // What the steps have in common.

    function run(bytes memory payout, address currency) private {
        if (payouts.length < 64) {
            payouts.push(payout);
            currencyOf.push(currency);
        } else {
            uint256 place = uint256(keccak256(payout)) % 64;
            (payouts[place], currencyOf[place]) = (payout, currency);
        }
        vm.recordLogs();
        (bool done,) = address(depository).call(payout);
        if (!done) return;
        ran++;
        require(block.timestamp >= depository.pausedUntil(), "paid out during a pause");
        addOutflow(currency, vm.getRecordedLogs());
    }

    function addOutflow(address currency, Vm.Log[] memory logs) private {
        uint256 draws;
        uint256 drawn;
        for (uint256 i; i < logs.length; i++) {
            bytes32 kind = logs[i].topics[0];
            if (logs[i].emitter != address(depository)) continue;
            if (kind == Depository.DepositSettled.selector) {
                draws++;
                drawn += abi.decode(logs[i].data, (uint256));
            }
            if (kind == Depository.UnrecordedPaid.selector) drawn += abi.decode(logs[i].data, (uint256));
            if (kind == Depository.DepositRefunded.selector) {
                (, uint256 cost) = abi.decode(logs[i].data, (uint256, uint256));
                drawn += cost;
            }
        }
        outflow[currency] += drawn;
        if (draws == 1 && drawn > largest[currency]) largest[currency] = drawn;
    }

    /// An order with one input, or with two more: on another chain, and in the other currency.
    function asksOf(address currency, uint256 kind) private view returns (Ask[] memory asks) {
        asks = new Ask[](kind % 2 == 0 ? 1 : 3);
        asks[0] = Ask(chainName, currency, refundTo);
        if (asks.length == 1) return asks;
        asks[1] = Ask(keccak256("another chain"), currency, elsewhere);
        asks[2] = Ask(chainName, currency == native ? address(coin) : native, elsewhere);
    }

    function settlementCall(Depository.Settlement memory settlement) private view returns (bytes memory) {
        return abi.encodeCall(depository.settle, (settlement, hex"01"));
    }

    /// Right most of the time, but with the fee of a thief, too high a fee or a wrong amount at others.
    function drawOf(uint256 which, uint256 fee, uint256 claimed) private view returns (Depository.Draw memory draw) {
        Deposits.Deposit memory made = deposits[which];
        draw.deposit = made;
        draw.owed = claimed % 8 == 0 ? claimed % 1e20 : owedOf(made);
        if (fee % 2 == 0) return draw;
        (uint256 payment, uint256 due) = (paymentOf(kindOf[which]), feeOf(kindOf[which]));
        draw.proof = new Orders.PaymentProof[](1);
        (,, draw.proof[0]) = orderWith(asksOf(made.currency, kindOf[which]), payment, due);
        uint256 most = (due * made.amount + payment - 1) / payment;
        draw.fees = new Depository.AppFee[](1);
        draw.fees[0] =
            Depository.AppFee(fee % 5 == 0 ? thief : app, fee % 3 == 0 ? most + 1 : most, Orders.FeeProof(0, due));
    }

    function paymentOf(uint256 kind) private pure returns (uint256) {
        return 1e17 * (1 + kind % kinds);
    }

    function feeOf(uint256 kind) private pure returns (uint256) {
        return 1e15 * (1 + kind % kinds);
    }
}
