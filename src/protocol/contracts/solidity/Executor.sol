// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LowLevelCall} from "@openzeppelin/contracts/utils/LowLevelCall.sol";
import {Currencies} from "./Currencies.sol";

struct Call {
    address target;
    bool allowFailure;
    uint256 value;
    bytes callData;
}

interface Nft721 {
    function safeTransferFrom(address from, address to, uint256 id) external;
}

interface Nft1155 {
    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata data) external;
    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) external;
}

/// Makes the calls of one run, to any contracts. The router deploys a clone for each run, sends it the currency of that
/// run, and never uses it again. Allowances that the calls grant can therefore affect nobody else: the clone has only
/// this run's currency, and receives nothing afterwards.
contract Executor is Currencies {
    error NotTheRouter(address caller);
    error NotRunning(address caller);

    address private immutable router = msg.sender;

    bool private transient running;
    /// Receives the NFTs that arrive during the run. Zero: NFTs are refused.
    address private transient nftReceiver;

    /// Accepts native currency only during the run: from unwrapping, or as a call's change. It would be lost otherwise.
    receive() external payable {
        if (!running) revert NotRunning(msg.sender);
    }

    /// @notice Makes `calls`, then sends the remaining native currency and the whole balances of `currencies` to
    /// `recipient`. Other currencies that the calls bring here stay here for ever.
    /// @param calls The calls, in sequence.
    /// @param currencies The currencies that are returned.
    /// @param recipient The account that is paid.
    /// @param nftRecipient Receives the NFTs that arrive at an executor.
    function run(Call[] calldata calls, address[] calldata currencies, address recipient, address nftRecipient)
        external
        payable
    {
        if (msg.sender != router) revert NotTheRouter(msg.sender);
        running = true;
        nftReceiver = nftRecipient;
        for (uint256 i; i < calls.length; i++) {
            Call calldata each = calls[i];
            // The return data of a successful call is not needed.
            bool success = LowLevelCall.callNoReturn(each.target, each.value, each.callData);
            if (!success && !each.allowFailure) LowLevelCall.bubbleRevert();
        }
        for (uint256 i; i < currencies.length; i++) {
            uint256 left = balanceOf(currencies[i], address(this));
            if (left != 0) transfer(currencies[i], recipient, left);
        }
        if (address(this).balance != 0) payNative(recipient, address(this).balance);
        running = false;
        nftReceiver = address(0);
    }

    /// @notice Passes an NFT on to the recipient of the run. Refused outside of a run.
    /// @param id The id of the NFT.
    /// @return The selector, which accepts the NFT.
    function onERC721Received(address, address, uint256 id, bytes calldata) external returns (bytes4) {
        Nft721(msg.sender).safeTransferFrom(address(this), takesNfts(), id);
        return this.onERC721Received.selector;
    }

    /// @notice Passes NFTs on to the recipient of the run. Refused outside of a run.
    /// @param id The id of the NFT.
    /// @param amount The number of NFTs.
    /// @param data Bytes for the recipient.
    /// @return The selector, which accepts the NFTs.
    function onERC1155Received(address, address, uint256 id, uint256 amount, bytes calldata data)
        external
        returns (bytes4)
    {
        Nft1155(msg.sender).safeTransferFrom(address(this), takesNfts(), id, amount, data);
        return this.onERC1155Received.selector;
    }

    /// @notice Passes NFTs on to the recipient of the run. Refused outside of a run.
    /// @param ids The ids of the NFTs.
    /// @param amounts The number of each NFT.
    /// @param data Bytes for the recipient.
    /// @return The selector, which accepts the NFTs.
    function onERC1155BatchReceived(
        address,
        address,
        uint256[] calldata ids,
        uint256[] calldata amounts,
        bytes calldata data
    ) external returns (bytes4) {
        Nft1155(msg.sender).safeBatchTransferFrom(address(this), takesNfts(), ids, amounts, data);
        return this.onERC1155BatchReceived.selector;
    }

    function takesNfts() private view returns (address) {
        if (nftReceiver == address(0)) revert NotRunning(msg.sender);
        return nftReceiver;
    }
}
