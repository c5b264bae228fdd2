// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Asks contracts that nobody vouches for what they are and what an account holds of them. Never
/// deployed: an eth_call runs it. Each contract gets so much gas and no more, and only so much of its
/// answer is looked at: one that burns gas or answers megabytes harms neither the others nor us.
contract CurrencyReader {
    struct Metadata {
        /// Whether `decimals()` answered one word, and the same one twice.
        bool isCurrency;
        uint256 decimals;
        /// As they were answered, ABI-encoded; empty where the call failed or the answer is too long.
        bytes symbol;
        bytes name;
    }

    struct Query {
        /// Zero for the native currency.
        address currency;
        address account;
        /// Zero asks for the account's balance, any other for the allowance that it gave.
        address spender;
    }

    struct Holding {
        bool isKnown;
        uint256 amount;
    }

    /// Several times what the proxies of large currencies take.
    uint256 private constant mostGas = 300_000;
    uint256 private constant mostBytes = 1024;

    error TooLittleGas();

    function metadata(address[] calldata currencies) external view returns (Metadata[] memory found) {
        found = new Metadata[](currencies.length);
        for (uint256 i; i < currencies.length; i++) {
            address currency = currencies[i];
            (bool known, uint256 decimals) = word(currency, abi.encodeWithSignature("decimals()"));
            if (!known) continue;
            (bool knownAgain, uint256 again) = word(currency, abi.encodeWithSignature("decimals()"));
            if (!knownAgain || again != decimals) continue;
            found[i] = Metadata({
                isCurrency: true,
                decimals: decimals,
                symbol: ask(currency, abi.encodeWithSignature("symbol()")),
                name: ask(currency, abi.encodeWithSignature("name()"))
            });
        }
    }

    function holdings(Query[] calldata queries) external view returns (Holding[] memory found) {
        found = new Holding[](queries.length);
        for (uint256 i; i < queries.length; i++) found[i] = holding(queries[i]);
    }

    function holding(Query calldata query) private view returns (Holding memory) {
        if (query.currency == address(0)) return Holding(true, query.account.balance);
        (bool known, uint256 amount) = word(
            query.currency,
            query.spender == address(0)
                ? abi.encodeWithSignature("balanceOf(address)", query.account)
                : abi.encodeWithSignature("allowance(address,address)", query.account, query.spender)
        );
        return Holding(known, amount);
    }

    function word(address to, bytes memory data) private view returns (bool known, uint256 value) {
        bytes memory answer = ask(to, data);
        known = answer.length == 32;
        if (known) value = uint256(bytes32(answer));
    }

    function ask(address to, bytes memory data) private view returns (bytes memory answer) {
        // Less would fail calls that are sound: the caller asks for fewer at once instead.
        if (gasleft() < mostGas * 2) revert TooLittleGas();
        assembly ("memory-safe") {
            let answered := staticcall(mostGas, to, add(data, 32), mload(data), 0, 0)
            let size := returndatasize()
            answer := mload(0x40)
            if or(iszero(answered), gt(size, mostBytes)) { size := 0 }
            mstore(answer, size)
            returndatacopy(add(answer, 32), 0, size)
            mstore(0x40, and(add(answer, add(63, size)), not(31)))
        }
    }
}
