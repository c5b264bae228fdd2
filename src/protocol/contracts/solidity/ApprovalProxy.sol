// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Call} from "./Executor.sol";
import {Permits} from "./Permits.sol";
import {Router} from "./Router.sol";

/// Users and solvers approve this contract to spend the ERC-20 currencies that they pay. It transfers currencies only
/// from its caller or from the signer of a permit, and only to the router. The router then runs the payer's calls in
/// the same transaction. The contract marks each order that a solver fills, so that no order is filled twice, even if
/// the solver's database has lost the fill.
contract ApprovalProxy is Permits {
    struct Fill {
        address identity;
        bytes32 orderId;
        /// Last block timestamp at which the fill may run, in seconds since 1970.
        uint256 deadline;
    }

    /// A solver marks orders with its identity, which stays the same when keys change. The identity is also its own
    /// key.
    /// @notice An identity has allowed or forbidden a key.
    /// @param identity The identity.
    /// @param key The key.
    /// @param allowed Whether the key may fill orders in the name of the identity.
    event KeySet(address indexed identity, address indexed key, bool allowed);
    /// @notice An order was filled.
    /// @param identity The account in whose name it was filled.
    /// @param orderId The id of the order.
    event OrderFilled(address indexed identity, bytes32 indexed orderId);

    error LengthsDiffer();
    error NotAKey(address identity, address caller);
    error FillExpired(uint256 deadline);
    error AlreadyFilled(address identity, bytes32 orderId);

    /// @notice Whether `key` may fill orders in the name of `identity`.
    mapping(address identity => mapping(address key => bool)) public isKey;
    /// @notice Whether `identity` has filled the order. Nothing removes the mark.
    mapping(address identity => mapping(bytes32 orderId => bool)) public filled;

    constructor(address depository) Permits(depository) {}

    /// @notice Allows or forbids `key` to fill orders in the caller's name.
    /// @param key The account that may fill.
    /// @param allowed Whether it may.
    function setKey(address key, bool allowed) external {
        isKey[msg.sender][key] = allowed;
        emit KeySet(msg.sender, key, allowed);
    }

    /// @notice Transfers `amounts` of `tokens` from the caller to the router, then runs `Router.multicall` with the
    /// other arguments and the whole native value.
    /// @param tokens The currencies. The zero address is the native one.
    /// @param amounts The amount of each currency.
    /// @param calls The calls, in sequence.
    /// @param refundTo Receives the rest of the native currency. The zero address: nobody.
    /// @param nftRecipient Receives the NFTs that arrive at an executor.
    /// @param metadata Bytes for the event; none if empty.
    /// @return results The result of each call.
    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        Call[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Router.Result[] memory results) {
        pull(msg.sender, tokens, amounts);
        return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
    }

    /// @notice Marks the order as filled by `identity`, then does the same as `transferAndMulticall` with the order id
    /// as metadata. Reverts if the order is already marked, after the deadline, or if the caller is not a key of the
    /// identity.
    /// @param order The identity, the order and the deadline of the fill.
    /// @param tokens The currencies. The zero address is the native one.
    /// @param amounts The amount of each currency.
    /// @param calls The calls, in sequence.
    /// @param refundTo Receives the rest of the native currency. The zero address: nobody.
    /// @param nftRecipient Receives the NFTs that arrive at an executor.
    function fill(
        Fill calldata order,
        address[] calldata tokens,
        uint256[] calldata amounts,
        Call[] calldata calls,
        address refundTo,
        address nftRecipient
    ) external payable {
        mark(order);
        pull(order.identity, tokens, amounts);
        router.multicall{value: msg.value}(calls, refundTo, nftRecipient, abi.encodePacked(order.orderId));
    }

    function mark(Fill calldata order) private {
        (address identity, bytes32 orderId) = (order.identity, order.orderId);
        if (msg.sender != identity && !isKey[identity][msg.sender]) revert NotAKey(identity, msg.sender);
        if (block.timestamp > order.deadline) revert FillExpired(order.deadline);
        if (filled[identity][orderId]) revert AlreadyFilled(identity, orderId);
        filled[identity][orderId] = true;
        emit OrderFilled(identity, orderId);
    }

    /// Reserves the router for `account` before anything is transferred to it.
    function pull(address account, address[] calldata tokens, uint256[] calldata amounts) private {
        if (tokens.length != amounts.length) revert LengthsDiffer();
        router.hold(account, account);
        for (uint256 i; i < tokens.length; i++) {
            transferFrom(tokens[i], msg.sender, address(router), amounts[i]);
        }
    }
}
