// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Code for an account that delegates (EIP-7702) and sends several calls in one transaction.
contract BatchWallet {
    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    function batch(Call[] calldata calls) external payable {
        require(msg.sender == address(this), "Not the account itself");
        for (uint256 i; i < calls.length; i++) {
            (bool done,) = calls[i].target.call{value: calls[i].value}(calls[i].data);
            require(done, "A call failed");
        }
    }
}
