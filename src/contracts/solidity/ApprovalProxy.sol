// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Currencies} from "./Currencies.sol";
import {Router} from "./Router.sol";

/// Users approve this contract to spend the ERC-20 currencies that they swap. It transfers currencies only from its
/// caller and only to the router, and lets the router run the caller's calls in the same transaction.
contract ApprovalProxy is Currencies {
    error LengthsDiffer();

    Router public immutable router;

    constructor(Router router_) {
        router = router_;
    }

    /// Transfers `amounts` of `tokens` from the caller to the router, then runs `Router.multicall` with the other
    /// arguments and the whole native value.
    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        Router.Call[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Router.Result[] memory results) {
        if (tokens.length != amounts.length) revert LengthsDiffer();
        // Reserves the router: nobody else can use its balances between the first transfer and the last call.
        router.hold();
        for (uint256 i; i < tokens.length; i++) {
            transferFrom(tokens[i], msg.sender, address(router), amounts[i]);
        }
        return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
    }
}
