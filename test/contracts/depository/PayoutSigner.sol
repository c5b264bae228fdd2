// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "forge-std/Test.sol";
import {Depository} from "#contracts/Depository.sol";

/// Signatures by EIP-712 over the payouts of a depository, written apart from its own hashes.
abstract contract PayoutSigner is Test {
    Depository internal depository;

    function signed(bytes32 structHash, uint256 key) internal view returns (bytes memory) {
        (, string memory name, string memory version, uint256 chainId, address at_,,) = depository.eip712Domain();
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256(bytes(name)),
                keccak256(bytes(version)),
                chainId,
                at_
            )
        );
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
        return abi.encodePacked(r, s, v);
    }

    function settlementHash(Depository.Settlement memory settlement) internal view returns (bytes32) {
        bytes32[] memory draws = new bytes32[](settlement.draws.length);
        for (uint256 i; i < draws.length; i++) draws[i] = drawHash(settlement.draws[i]);
        return keccak256(
            abi.encode(
                keccak256(
                    "Settlement(address currency,address payee,Draw[] draws,uint256 expiration)AppFee(address recipient,uint256 amount)Draw(bytes32 depositId,uint256 owed,AppFee[] fees)"
                ),
                settlement.currency,
                settlement.payee,
                keccak256(abi.encodePacked(draws)),
                settlement.expiration
            )
        );
    }

    function drawHash(Depository.Draw memory draw) private view returns (bytes32) {
        bytes32[] memory fees = new bytes32[](draw.fees.length);
        for (uint256 i; i < fees.length; i++) {
            fees[i] = keccak256(
                abi.encode(
                    keccak256("AppFee(address recipient,uint256 amount)"),
                    draw.fees[i].recipient,
                    draw.fees[i].amount
                )
            );
        }
        return keccak256(
            abi.encode(
                keccak256("Draw(bytes32 depositId,uint256 owed,AppFee[] fees)AppFee(address recipient,uint256 amount)"),
                depository.depositIdOf(draw.deposit),
                draw.owed,
                keccak256(abi.encodePacked(fees))
            )
        );
    }

    function refundHash(Depository.Refund memory payout) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256(
                    "Refund(bytes32 depositId,uint256 owed,address recipient,uint256 amount,address payee,uint256 cost,uint256 expiration)"
                ),
                depository.depositIdOf(payout.deposit),
                payout.owed,
                payout.recipient,
                payout.amount,
                payout.payee,
                payout.cost,
                payout.expiration
            )
        );
    }

    function unrecordedHash(Depository.Unrecorded memory payout) internal pure returns (bytes32) {
        bytes32[] memory payments = new bytes32[](payout.payments.length);
        for (uint256 i; i < payments.length; i++) {
            payments[i] = keccak256(
                abi.encode(
                    keccak256("Payment(address recipient,uint256 amount)"),
                    payout.payments[i].recipient,
                    payout.payments[i].amount
                )
            );
        }
        return keccak256(
            abi.encode(
                keccak256(
                    "Unrecorded(bytes32 txHash,uint256 logIndex,address currency,Payment[] payments,uint256 expiration)Payment(address recipient,uint256 amount)"
                ),
                payout.txHash,
                payout.logIndex,
                payout.currency,
                keccak256(abi.encodePacked(payments)),
                payout.expiration
            )
        );
    }
}
