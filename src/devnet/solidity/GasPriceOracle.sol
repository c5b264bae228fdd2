// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The part of the OP stack's GasPriceOracle predeploy that quotes need, with the fee formula of the Fjord upgrade.
/// Anyone may set its prices; on a real chain they come from the parent chain.
contract GasPriceOracle {
    uint256 public constant decimals = 6;
    bool public constant isEcotone = true;
    bool public constant isFjord = true;

    uint256 public l1BaseFee;
    uint256 public blobBaseFee;
    uint32 public baseFeeScalar;
    uint32 public blobBaseFeeScalar;

    function set(uint256 l1BaseFee_, uint256 blobBaseFee_, uint32 baseFeeScalar_, uint32 blobBaseFeeScalar_) external {
        l1BaseFee = l1BaseFee_;
        blobBaseFee = blobBaseFee_;
        baseFeeScalar = baseFeeScalar_;
        blobBaseFeeScalar = blobBaseFeeScalar_;
    }

    /// L1 data fee in wei of a transaction with `unsignedTxSize` bytes before signing. The regression for the
    /// compressed size comes from Optimism's GasPriceOracle.sol, _fjordLinearRegression and getL1FeeUpperBound.
    function getL1FeeUpperBound(uint256 unsignedTxSize) external view returns (uint256) {
        uint256 size = unsignedTxSize + 68;
        uint256 fastLzSize = size + size / 255 + 16;
        int256 estimate = 836_500 * int256(fastLzSize) - 42_585_600;
        uint256 bounded = estimate < 100_000_000 ? 100_000_000 : uint256(estimate);
        uint256 perByte = uint256(baseFeeScalar) * 16 * l1BaseFee + uint256(blobBaseFeeScalar) * blobBaseFee;
        return bounded * perByte / 10 ** (decimals * 2);
    }
}
