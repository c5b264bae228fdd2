// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Proves parts of an order against its id, the EIP-712 hashStruct of the order. A proof contains the proved parts and
/// the hashes of the other parts. Strings are always hashed.
abstract contract Orders {
    /// The words of an order. All but `solver` and `salt` are hashes.
    struct OrderWords {
        bytes32 version;
        bytes32 solverChainId;
        address solver;
        uint256 salt;
        bytes32 inputs;
        bytes32 output;
        bytes32 fees;
    }

    /// A refund of an order on the chain of its input, except its recipient.
    struct RefundProof {
        OrderWords order;
        /// Hashes of all inputs.
        bytes32[] inputs;
        /// Index of the refund's input among them.
        uint256 inputAt;
        /// The payment of the input, which is on the chain of the refund.
        bytes32 paymentCurrency;
        uint256 paymentAmount;
        uint256 paymentWeight;
        /// Hashes of all refunds of the input.
        bytes32[] refunds;
        uint256 refundAt;
        bytes32 chainId;
        bytes32 currency;
        uint256 minimumAmount;
        uint32 deadline;
        bytes32 extraData;
    }

    /// The payment of an input, except its currency, and the hashes of all fees.
    struct PaymentProof {
        OrderWords order;
        /// Hashes of all inputs.
        bytes32[] inputs;
        uint256 inputAt;
        bytes32 chainId;
        uint256 amount;
        uint256 weight;
        bytes32 refunds;
        /// Hashes of all fees.
        bytes32[] fees;
    }

    /// A fee of an order, except its recipient and its currency. Both are on the chain of the payment.
    struct FeeProof {
        /// Index of the fee in its order.
        uint256 feeAt;
        uint256 amount;
    }

    error NotInTheOrder(bytes32 orderId);
    error OtherInput(bytes32 orderId);

    bytes32 private constant orderType = keccak256(
        "Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)"
        "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)"
        "Input(InputPayment payment,InputRefund[] refunds)"
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
        "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)"
        "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)"
    );
    bytes32 private constant feeType = keccak256(
        "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)"
    );
    bytes32 private constant inputType = keccak256(
        "Input(InputPayment payment,InputRefund[] refunds)"
        "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)"
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
    );
    bytes32 private constant paymentType =
        keccak256("InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)");
    bytes32 private constant refundType = keccak256(
        "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)"
    );

    /// Reverts unless `recipient` is the recipient of the proved refund, on the chain of this name. In an order with
    /// several inputs, payment and refund must be in the currency of the deposit: the recipient of another input is
    /// another user.
    function requireRefundRecipient(
        bytes32 orderId,
        address currency,
        address recipient,
        bytes32 chainName,
        RefundProof calldata proof
    ) internal pure {
        bytes32 deposited = hashOf(currency);
        bool isOther = proof.paymentCurrency != deposited || proof.currency != deposited;
        if (proof.chainId != chainName || (proof.inputs.length > 1 && isOther)) revert OtherInput(orderId);
        bytes32 payment = keccak256(
            abi.encode(paymentType, chainName, proof.paymentCurrency, proof.paymentAmount, proof.paymentWeight)
        );
        bytes32 refund = keccak256(
            abi.encode(
                refundType,
                proof.chainId,
                hashOf(recipient),
                proof.currency,
                proof.minimumAmount,
                proof.deadline,
                proof.extraData
            )
        );
        bytes32 input = keccak256(abi.encode(inputType, payment, hashOf(proof.refunds)));
        bool isProved = isAt(proof.refunds, proof.refundAt, refund) && isAt(proof.inputs, proof.inputAt, input)
            && hashOf(proof.inputs) == proof.order.inputs && isOrder(orderId, proof.order);
        if (!isProved) revert NotInTheOrder(orderId);
    }

    /// Reverts unless the proof's payment, in this currency, and its fees belong to the order.
    function requirePayment(bytes32 orderId, address currency, PaymentProof calldata proof) internal pure {
        bytes32 payment =
            keccak256(abi.encode(paymentType, proof.chainId, hashOf(currency), proof.amount, proof.weight));
        bytes32 input = keccak256(abi.encode(inputType, payment, proof.refunds));
        bool isProved = isAt(proof.inputs, proof.inputAt, input) && hashOf(proof.inputs) == proof.order.inputs
            && hashOf(proof.fees) == proof.order.fees && isOrder(orderId, proof.order);
        if (!isProved) revert NotInTheOrder(orderId);
    }

    /// Reverts unless the order of a proved payment has this fee, on the chain and in the currency of the payment.
    function requireFee(
        bytes32 orderId,
        address currency,
        address recipient,
        FeeProof calldata fee,
        PaymentProof calldata proof
    ) internal pure {
        bytes32 hash = keccak256(
            abi.encode(feeType, proof.chainId, hashOf(recipient), proof.chainId, hashOf(currency), fee.amount)
        );
        if (!isAt(proof.fees, fee.feeAt, hash)) revert NotInTheOrder(orderId);
    }

    function isOrder(bytes32 orderId, OrderWords calldata order) private pure returns (bool) {
        return keccak256(abi.encode(orderType, order)) == orderId;
    }

    function isAt(bytes32[] calldata hashes, uint256 place, bytes32 hash) private pure returns (bool) {
        return place < hashes.length && hashes[place] == hash;
    }

    /// Addresses in an order are 20 bytes.
    function hashOf(address account) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(account));
    }

    function hashOf(bytes32[] calldata hashes) private pure returns (bytes32) {
        return keccak256(abi.encodePacked(hashes));
    }
}
