// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Depository} from "#contracts/Depository.sol";
import {Deposits} from "#contracts/Deposits.sol";
import {Orders} from "#contracts/Orders.sol";
import {OutflowLimit} from "#contracts/OutflowLimit.sol";
import {PayoutSigner} from "./PayoutSigner.sol";

contract Coin is ERC20("Coin", "COIN") {
    function mint(address account, uint256 amount) external {
        _mint(account, amount);
    }
}

/// A depository with its roles, and orders whose parts can be proved.
abstract contract DepositoryRig is PayoutSigner {
    address internal constant native = address(0);
    uint256 internal constant limit = 1e24;
    uint256 internal constant allocatorKey = 0xA110C;
    bytes32 internal constant chainName = keccak256("ethereum");

    address internal immutable owner = makeAddr("owner");
    address internal immutable allocator = vm.addr(allocatorKey);
    address internal immutable guardian = makeAddr("guardian");
    address internal immutable payee = makeAddr("payee");
    address internal immutable user = makeAddr("user");
    address internal immutable refundTo = makeAddr("refundTo");
    address internal immutable app = makeAddr("app");
    address internal immutable thief = makeAddr("thief");

    Coin internal coin;

    function setUp() public virtual {
        vm.warp(1_700_000_000);
        coin = new Coin();
        address[] memory payees = new address[](1);
        payees[0] = payee;
        OutflowLimit.Limit[] memory limits = new OutflowLimit.Limit[](2);
        limits[0] = OutflowLimit.Limit(native, limit);
        limits[1] = OutflowLimit.Limit(address(coin), limit);
        depository = new Depository(owner, allocator, guardian, payees, 14 days, "ethereum", limits);
    }

    /// A deposit by `user`.
    function deposit(address currency, uint256 amount, bytes32 orderId) internal returns (Deposits.Deposit memory made) {
        made = Deposits.Deposit(orderId, user, currency, amount, 0);
        while (exitTimeOf(made) != 0) made.index++;
        if (currency == native) {
            vm.deal(user, amount);
            vm.prank(user);
            depository.depositNative{value: amount}(user, orderId);
        } else {
            Coin(currency).mint(user, amount);
            vm.startPrank(user);
            Coin(currency).approve(address(depository), amount);
            depository.depositErc20(user, currency, amount, orderId);
            vm.stopPrank();
        }
    }

    function owedOf(Deposits.Deposit memory made) internal view returns (uint256 owed) {
        (owed,) = depository.records(depository.depositIdOf(made));
    }

    function exitTimeOf(Deposits.Deposit memory made) internal view returns (uint256 exitTime) {
        (, exitTime) = depository.records(depository.depositIdOf(made));
    }

    function balanceOf(address currency, address account) internal view returns (uint256) {
        return currency == native ? account.balance : Coin(currency).balanceOf(account);
    }

    // Orders.

    /// An input of an order, which is refunded to `recipient` on its own chain and in its own currency.
    struct Ask {
        bytes32 chain;
        address currency;
        address recipient;
    }

    /// An order with one input: `amount` of `currency`, refunded to `refundTo`, with one fee for `app`.
    function orderOf(address currency, uint256 amount, uint256 fee)
        internal
        view
        returns (bytes32 orderId, Orders.RefundProof memory refundProof, Orders.PaymentProof memory paymentProof)
    {
        Ask[] memory asks = new Ask[](1);
        asks[0] = Ask(chainName, currency, refundTo);
        Orders.RefundProof[] memory proofs;
        (orderId, proofs, paymentProof) = orderWith(asks, amount, fee);
        refundProof = proofs[0];
    }

    /// An order with these inputs of `amount` each, and one fee for `app` out of the first one. A refund proof for each.
    function orderWith(Ask[] memory asks, uint256 amount, uint256 fee)
        internal
        view
        returns (bytes32 orderId, Orders.RefundProof[] memory proofs, Orders.PaymentProof memory paymentProof)
    {
        bytes32[] memory inputs = new bytes32[](asks.length);
        for (uint256 i; i < asks.length; i++) inputs[i] = inputHash(asks[i], amount);
        bytes32[] memory fees = one(feeHash(asks[0].currency, fee));
        Orders.OrderWords memory order = Orders.OrderWords({
            version: keccak256("v1"),
            solverChainId: chainName,
            solver: payee,
            salt: 7,
            inputs: keccak256(abi.encodePacked(inputs)),
            output: keccak256("some output"),
            fees: keccak256(abi.encodePacked(fees))
        });
        orderId = keccak256(abi.encode(orderType, order));
        proofs = new Orders.RefundProof[](asks.length);
        for (uint256 i; i < asks.length; i++) {
            proofs[i] = Orders.RefundProof({
                order: order,
                inputs: inputs,
                inputAt: i,
                paymentCurrency: keccak256(abi.encodePacked(asks[i].currency)),
                paymentAmount: amount,
                paymentWeight: 1,
                refunds: one(refundPartHash(asks[i])),
                refundAt: 0,
                chainId: asks[i].chain,
                currency: keccak256(abi.encodePacked(asks[i].currency)),
                minimumAmount: 0,
                deadline: 123,
                extraData: keccak256("")
            });
        }
        paymentProof = Orders.PaymentProof({
            order: order,
            inputs: inputs,
            inputAt: 0,
            chainId: chainName,
            amount: amount,
            weight: 1,
            refunds: keccak256(abi.encodePacked(one(refundPartHash(asks[0])))),
            fees: fees
        });
    }

    function inputHash(Ask memory ask, uint256 amount) private pure returns (bytes32) {
        bytes32 payment = keccak256(
            abi.encode(
                keccak256("InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"),
                ask.chain,
                keccak256(abi.encodePacked(ask.currency)),
                amount,
                uint256(1)
            )
        );
        return keccak256(
            abi.encode(
                keccak256(
                    "Input(InputPayment payment,InputRefund[] refunds)InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
                ),
                payment,
                keccak256(abi.encodePacked(one(refundPartHash(ask))))
            )
        );
    }

    function refundPartHash(Ask memory ask) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(
                    "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
                ),
                ask.chain,
                keccak256(abi.encodePacked(ask.recipient)),
                keccak256(abi.encodePacked(ask.currency)),
                uint256(0),
                uint32(123),
                keccak256("")
            )
        );
    }

    bytes32 private constant orderType = keccak256(
        "Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)Input(InputPayment payment,InputRefund[] refunds)InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
    );

    function feeHash(address currency, uint256 fee) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(
                    "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)"
                ),
                chainName,
                keccak256(abi.encodePacked(app)),
                chainName,
                keccak256(abi.encodePacked(currency)),
                fee
            )
        );
    }

    function one(bytes32 word) internal pure returns (bytes32[] memory words) {
        words = new bytes32[](1);
        words[0] = word;
    }

    // Payouts, signed with a key.

    function settlementOf(Deposits.Deposit memory made, uint256 owed) internal view returns (Depository.Settlement memory) {
        Depository.Draw[] memory draws = new Depository.Draw[](1);
        draws[0].deposit = made;
        draws[0].owed = owed;
        return Depository.Settlement(made.currency, payee, draws, block.timestamp + 1 hours);
    }

    /// The settlement with one app fee.
    function settlementOf(
        Deposits.Deposit memory made,
        uint256 owed,
        uint256 paid,
        uint256 due,
        Orders.PaymentProof memory proof
    ) internal view returns (Depository.Settlement memory settlement) {
        settlement = settlementOf(made, owed);
        settlement.draws[0].fees = new Depository.AppFee[](1);
        settlement.draws[0].fees[0] = Depository.AppFee(app, paid, Orders.FeeProof(0, due));
        settlement.draws[0].proof = new Orders.PaymentProof[](1);
        settlement.draws[0].proof[0] = proof;
    }

    function refundOf(Deposits.Deposit memory made, address recipient, uint256 amount, uint256 cost)
        internal
        view
        returns (Depository.Refund memory)
    {
        return
            Depository.Refund(made, made.amount, recipient, amount, payee, cost, block.timestamp + 1 hours);
    }

    function settle(Depository.Settlement memory settlement) internal {
        depository.settle(settlement, signed(settlementHash(settlement), allocatorKey));
    }

    function refund(Depository.Refund memory payout) internal {
        depository.refund(payout, new Orders.RefundProof[](0), signed(refundHash(payout), allocatorKey));
    }

    function refund(Depository.Refund memory payout, Orders.RefundProof memory proof) internal {
        Orders.RefundProof[] memory proofs = new Orders.RefundProof[](1);
        proofs[0] = proof;
        depository.refund(payout, proofs, signed(refundHash(payout), allocatorKey));
    }

    function payUnrecorded(Depository.Unrecorded memory payout) internal {
        depository.payUnrecorded(payout, signed(unrecordedHash(payout), allocatorKey));
    }
}
