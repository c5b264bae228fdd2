// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Currencies} from "./Currencies.sol";
import {Router} from "./Router.sol";

/// What users approve for swaps. Takes currencies from its caller alone, gives them to the router alone,
/// and has the router run the caller's calls at once.
contract ApprovalProxy is Currencies {
    error LengthsDiffer();

    Router public immutable router;

    constructor(Router router_) {
        router = router_;
    }

    function transferAndMulticall(
        address[] calldata tokens,
        uint256[] calldata amounts,
        Router.Call[] calldata calls,
        address refundTo,
        address nftRecipient,
        bytes calldata metadata
    ) external payable returns (Router.Result[] memory results) {
        if (tokens.length != amounts.length) revert LengthsDiffer();
        // From the first transfer to the last call nobody else gets at what the router holds.
        router.hold();
        for (uint256 i; i < tokens.length; i++) {
            transferFrom(tokens[i], msg.sender, address(router), amounts[i]);
        }
        return router.multicall{value: msg.value}(calls, refundTo, nftRecipient, metadata);
    }
}
