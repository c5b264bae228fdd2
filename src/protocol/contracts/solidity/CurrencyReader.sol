// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Reads metadata, balances and allowances of untrusted currencies. Not deployed: an eth_call runs its code. Gas and
/// return data of each call are limited, so a currency that burns gas or returns megabytes does not affect the others.
contract CurrencyReader {
    struct Metadata {
        /// Whether `decimals()` returned one word, and the same word twice.
        bool isCurrency;
        uint256 decimals;
        /// The ABI-encoded return values. Empty if the call failed or returned more than `maxBytes`.
        bytes symbol;
        bytes name;
    }

    struct Query {
        /// The zero address stands for the native currency.
        address currency;
        address account;
        /// The zero address requests the account's balance, any other address its allowance for that spender.
        address spender;
    }

    struct Holding {
        bool isKnown;
        uint256 amount;
    }

    /// Gas of each call: several times what proxied currencies such as USDC use.
    uint256 private constant maxGas = 300_000;
    uint256 private constant maxBytes = 1024;

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
        // With less gas, calls to honest currencies would fail. The caller splits the batch and retries.
        if (gasleft() < maxGas * 2) revert TooLittleGas();
        assembly ("memory-safe") {
            let answered := staticcall(maxGas, to, add(data, 32), mload(data), 0, 0)
            let size := returndatasize()
            answer := mload(0x40)
            if or(iszero(answered), gt(size, maxBytes)) { size := 0 }
            mstore(answer, size)
            returndatacopy(add(answer, 32), 0, size)
            mstore(0x40, and(add(answer, add(63, size)), not(31)))
        }
    }
}
