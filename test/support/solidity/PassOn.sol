// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface PassedCurrency {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address recipient, uint256 amount) external returns (bool);
}

/// Accepts native currency. A call passes its whole balance of a currency on to an account; the zero address stands for
/// the caller.
contract PassOn {
    receive() external payable {}

    function passOn(PassedCurrency currency, address recipient) external {
        currency.transfer(recipient == address(0) ? msg.sender : recipient, currency.balanceOf(address(this)));
    }
}
