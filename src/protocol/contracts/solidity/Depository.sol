// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Deposits} from "./Deposits.sol";
import {Orders} from "./Orders.sol";
import {OutflowLimit} from "./OutflowLimit.sol";
import {Roles} from "./Roles.sol";

/// Holds the deposits of orders and pays them out on the allocator's signature. A payout names each of its deposits and
/// the amount that is still owed of it. It pays a deposit only if the deposit's record has the same amount, and reduces
/// that amount. Hence no deposit is paid out twice, and none is paid out in place of another.
contract Depository is Deposits, Orders, OutflowLimit, Roles {
    /// An app fee of the deposit's order.
    struct AppFee {
        address recipient;
        uint256 amount;
        FeeProof proof;
    }

    /// Pays out the whole amount that is owed of a filled deposit: app fees to their recipients, the rest to the payee.
    struct Draw {
        Deposit deposit;
        /// The amount that is owed of the deposit. If the record differs, the draw is skipped.
        uint256 owed;
        /// In the same sequence as in the order.
        AppFee[] fees;
        /// One proof if there are fees, else none.
        PaymentProof[] proof;
    }

    /// Pays filled deposits of one currency.
    struct Settlement {
        address currency;
        /// Registered by the owner.
        address payee;
        Draw[] draws;
        /// Last block timestamp at which it may run, in seconds since 1970.
        uint256 expiration;
    }

    /// Pays a deposit back.
    struct Refund {
        Deposit deposit;
        uint256 owed;
        /// The depositor, or the recipient of a refund in the order.
        address recipient;
        uint256 amount;
        /// Can claim `cost`, the cost of the refund. Registered by the owner.
        address payee;
        uint256 cost;
        uint256 expiration;
    }

    struct Payment {
        address recipient;
        uint256 amount;
    }

    /// Pays out a plain ERC-20 transfer to this contract, which has no record.
    struct Unrecorded {
        bytes32 txHash;
        uint256 logIndex;
        address currency;
        Payment[] payments;
        uint256 expiration;
    }

    /// @notice A filled deposit was paid out.
    /// @param depositId The id of its record.
    /// @param payee The account that was paid, less the app fees.
    /// @param amount The amount that was owed, with the app fees.
    event DepositSettled(bytes32 indexed depositId, address indexed payee, uint256 amount);
    /// @notice A deposit was paid back.
    /// @param depositId The id of its record.
    /// @param recipient The account that was paid.
    /// @param amount The amount that was paid.
    /// @param cost The amount that the payee can claim.
    event DepositRefunded(bytes32 indexed depositId, address indexed recipient, uint256 amount, uint256 cost);
    /// @notice A plain ERC-20 transfer was paid out.
    /// @param txHash The transaction of the transfer.
    /// @param logIndex The index of its log in the block.
    /// @param currency The currency.
    /// @param amount The amount that was paid.
    event UnrecordedPaid(
        bytes32 indexed txHash, uint256 indexed logIndex, address indexed currency, uint256 amount
    );
    /// @notice The owner has set the name of this chain in orders.
    /// @param name The name.
    event ChainNameSet(string name);

    error NothingOwed();
    error OtherCurrency(bytes32 depositId);
    error AboveOwed(bytes32 depositId);
    error AboveFee(bytes32 depositId, uint256 feeAt);
    error OutflowExceeded(address currency, uint256 available);
    error AlreadyPaid(bytes32 txHash, uint256 logIndex);
    error NotUnrecorded(address currency, uint256 available);

    bytes32 private constant settlementType = keccak256(
        "Settlement(address currency,address payee,Draw[] draws,uint256 expiration)"
        "AppFee(address recipient,uint256 amount)Draw(bytes32 depositId,uint256 owed,AppFee[] fees)"
    );
    bytes32 private constant drawType =
        keccak256("Draw(bytes32 depositId,uint256 owed,AppFee[] fees)AppFee(address recipient,uint256 amount)");
    bytes32 private constant appFeeType = keccak256("AppFee(address recipient,uint256 amount)");
    bytes32 private constant refundType = keccak256(
        "Refund(bytes32 depositId,uint256 owed,address recipient,uint256 amount,address payee,uint256 cost,uint256 expiration)"
    );
    bytes32 private constant unrecordedType = keccak256(
        "Unrecorded(bytes32 txHash,uint256 logIndex,address currency,Payment[] payments,uint256 expiration)"
        "Payment(address recipient,uint256 amount)"
    );
    bytes32 private constant paymentType = keccak256("Payment(address recipient,uint256 amount)");

    /// @notice Whether a plain ERC-20 transfer was paid out.
    mapping(bytes32 txHash => mapping(uint256 logIndex => bool)) public unrecordedPaid;
    /// @notice Hash of the name of this chain in orders. While it is 0, refunds go to depositors alone.
    bytes32 public chainNameHash;

    /// @param owner_ Names the other roles.
    /// @param allocator_ Signs payouts.
    /// @param guardian_ Can pause payouts. The zero address: nobody can.
    /// @param payees Can be paid from now on.
    /// @param exitSeconds_ Seconds from a deposit until the depositor can take it back.
    /// @param chainName The name of this chain in orders. If it is empty, the owner sets it later.
    /// @param limits The first outflow limits.
    constructor(
        address owner_,
        address allocator_,
        address guardian_,
        address[] memory payees,
        uint256 exitSeconds_,
        string memory chainName,
        Limit[] memory limits
    ) Deposits(exitSeconds_) Roles(owner_, allocator_, guardian_, payees) {
        if (bytes(chainName).length != 0) assignChainName(chainName);
        setLimits(limits);
    }

    /// @notice Sets the name of this chain in orders, which proofs of refund recipients contain. Only the owner.
    /// @param name The name.
    function setChainName(string calldata name) external onlyOwner {
        assignChainName(name);
    }

    /// @notice Sets outflow limits. Only the owner.
    /// @param limits The currencies, each with its limit for one hour.
    function setOutflowLimits(Limit[] calldata limits) external onlyOwner {
        setLimits(limits);
    }

    /// @notice Runs a settlement that the allocator has signed. Anyone may submit it. Skips a draw if its deposit's
    /// record differs. One deposit alone may be above the outflow limit while the limit is unused.
    /// @param settlement The deposits to draw on, and the payee.
    /// @param signature The signature of the allocator.
    function settle(Settlement calldata settlement, bytes calldata signature) external nonReentrant {
        requireAllowed(hashOf(settlement), settlement.expiration, signature);
        (address currency, address payee) = (settlement.currency, settlement.payee);
        requirePayee(payee);
        uint256 drawn;
        uint256 draws;
        uint256 rest;
        for (uint256 i; i < settlement.draws.length; i++) {
            Draw calldata each = settlement.draws[i];
            bytes32 id = depositIdOf(each.deposit);
            if (each.deposit.currency != currency) revert OtherCurrency(id);
            if (each.owed == 0 || records[id].owed != each.owed) continue;
            records[id].owed = 0;
            drawn += each.owed;
            draws++;
            rest += each.owed - payFees(id, each);
            emit DepositSettled(id, payee, each.owed);
        }
        if (drawn == 0) revert NothingOwed();
        bool isAllowed = draws == 1 ? useOutflowAlone(currency, drawn) : useOutflow(currency, drawn);
        if (!isAllowed) revert OutflowExceeded(currency, availableOutflow(currency));
        send(currency, payee, rest + takeClaimable(currency, payee));
    }

    /// @notice Runs a refund that the allocator has signed. Anyone may submit it.
    /// @param signed The refund.
    /// @param proof One proof if the recipient is not the depositor, else none.
    /// @param signature The signature of the allocator.
    function refund(Refund calldata signed, RefundProof[] calldata proof, bytes calldata signature)
        external
        nonReentrant
    {
        bytes32 id = depositIdOf(signed.deposit);
        requireAllowed(hashOf(signed, id), signed.expiration, signature);
        (address currency, address recipient) = (signed.deposit.currency, signed.recipient);
        if (recipient != signed.deposit.depositor) {
            requireRefundRecipient(signed.deposit.orderId, currency, recipient, chainNameHash, proof[0]);
        }
        if (signed.owed == 0 || records[id].owed != signed.owed) revert NotOwed(id);
        uint256 cost = signed.cost;
        if (signed.amount + cost > signed.owed) revert AboveOwed(id);
        if (cost > 0) {
            requirePayee(signed.payee);
            // An exhausted limit does not delay a refund: the cost is then not charged, and stays owed to the
            // depositor.
            if (!useOutflow(currency, cost)) cost = 0;
            claimable[currency][signed.payee] += cost;
        }
        records[id].owed = uint192(signed.owed - signed.amount - cost);
        emit DepositRefunded(id, recipient, signed.amount, cost);
        push(currency, recipient, signed.amount);
    }

    /// @notice Runs a payout that the allocator has signed, once for each ERC-20 transfer. It never spends recorded
    /// deposits.
    /// @param signed The payout.
    /// @param signature The signature of the allocator.
    function payUnrecorded(Unrecorded calldata signed, bytes calldata signature) external nonReentrant {
        requireAllowed(hashOf(signed), signed.expiration, signature);
        (address currency, bytes32 txHash, uint256 logIndex) = (signed.currency, signed.txHash, signed.logIndex);
        if (unrecordedPaid[txHash][logIndex]) revert AlreadyPaid(txHash, logIndex);
        unrecordedPaid[txHash][logIndex] = true;
        uint256 total;
        for (uint256 i; i < signed.payments.length; i++) total += signed.payments[i].amount;
        uint256 available = IERC20(currency).balanceOf(address(this)) - reserved[currency];
        if (total > available) revert NotUnrecorded(currency, available);
        if (!useOutflow(currency, total)) revert OutflowExceeded(currency, availableOutflow(currency));
        reserved[currency] += total;
        emit UnrecordedPaid(txHash, logIndex, currency, total);
        for (uint256 i; i < signed.payments.length; i++) {
            push(currency, signed.payments[i].recipient, signed.payments[i].amount);
        }
    }

    /// Pays the app fees of a deposit. Limit of a fee: its amount in the order, times the deposit's share of the
    /// input's payment, rounded up.
    function payFees(bytes32 id, Draw calldata draw) private returns (uint256 paid) {
        Deposit calldata deposit = draw.deposit;
        uint256 next;
        for (uint256 i; i < draw.fees.length; i++) {
            AppFee calldata fee = draw.fees[i];
            PaymentProof calldata proof = draw.proof[0];
            if (i == 0) requirePayment(deposit.orderId, deposit.currency, proof);
            requireFee(deposit.orderId, deposit.currency, fee.recipient, fee.proof, proof);
            uint256 most = Math.mulDiv(fee.proof.amount, deposit.amount, proof.amount, Math.Rounding.Ceil);
            // The sequence ensures that no fee is paid twice.
            if (fee.proof.feeAt < next || fee.amount > most) revert AboveFee(id, fee.proof.feeAt);
            next = fee.proof.feeAt + 1;
            paid += fee.amount;
            if (paid > draw.owed) revert AboveOwed(id);
            push(deposit.currency, fee.recipient, fee.amount);
        }
    }

    function assignChainName(string memory name) private {
        chainNameHash = keccak256(bytes(name));
        emit ChainNameSet(name);
    }

    function hashOf(Settlement calldata settlement) private pure returns (bytes32) {
        bytes32[] memory draws = new bytes32[](settlement.draws.length);
        for (uint256 i; i < draws.length; i++) {
            Draw calldata each = settlement.draws[i];
            bytes32[] memory fees = new bytes32[](each.fees.length);
            for (uint256 j; j < fees.length; j++) {
                fees[j] = keccak256(abi.encode(appFeeType, each.fees[j].recipient, each.fees[j].amount));
            }
            bytes32 id = depositIdOf(each.deposit);
            draws[i] = keccak256(abi.encode(drawType, id, each.owed, keccak256(abi.encodePacked(fees))));
        }
        bytes32 all = keccak256(abi.encodePacked(draws));
        return keccak256(
            abi.encode(settlementType, settlement.currency, settlement.payee, all, settlement.expiration)
        );
    }

    function hashOf(Refund calldata signed, bytes32 id) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                refundType,
                id,
                signed.owed,
                signed.recipient,
                signed.amount,
                signed.payee,
                signed.cost,
                signed.expiration
            )
        );
    }

    function hashOf(Unrecorded calldata signed) private pure returns (bytes32) {
        bytes32[] memory payments = new bytes32[](signed.payments.length);
        for (uint256 i; i < payments.length; i++) {
            payments[i] = keccak256(abi.encode(paymentType, signed.payments[i]));
        }
        bytes32 all = keccak256(abi.encodePacked(payments));
        return keccak256(
            abi.encode(unrecordedType, signed.txHash, signed.logIndex, signed.currency, all, signed.expiration)
        );
    }
}
