// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// The roles of the depository. The owner appoints the others, the allocator signs payouts, payees receive settlements,
/// and the guardian can pause payouts.
abstract contract Roles is Ownable2Step, EIP712 {
    /// @notice The owner has named another allocator.
    /// @param allocator The new allocator.
    /// @param isContract Whether it is a contract, and not a key.
    event AllocatorSet(address indexed allocator, bool isContract);
    /// @notice The owner has named another guardian.
    /// @param guardian The new guardian. The zero address: nobody.
    event GuardianSet(address indexed guardian);
    /// @notice The owner has added or removed a payee.
    /// @param payee The account.
    /// @param since The block timestamp from which it can be paid. 0: it was removed.
    event PayeeSet(address indexed payee, uint256 since);
    /// @notice Payouts are stopped, or go on.
    /// @param until Payouts are possible again at this block timestamp.
    event Paused(uint256 until);

    error NoAllocator();
    error NotTheGuardian();
    error PausedUntil(uint256 timestamp);
    error PauseNotBefore(uint256 timestamp);
    error Expired(uint256 expiration);
    error InvalidSignature();
    error NotAPayee(address account);
    error CannotRenounce();

    uint256 private constant payeeDelay = 2 days;
    uint256 private constant maxPause = 72 hours;
    uint256 private constant pauseInterval = 14 days;

    /// @notice Signs payouts.
    address public allocator;
    /// @notice Whether the allocator is a contract. Fixed when the allocator is set: a key that later delegates to code
    /// (EIP-7702) remains a key.
    bool public allocatorIsContract;
    /// @notice Can pause payouts. The zero address: nobody can.
    address public guardian;
    /// @notice Payouts are stopped before this block timestamp.
    uint256 public pausedUntil;
    /// @notice The guardian cannot pause before this block timestamp.
    uint256 public nextPauseAt;
    /// @notice Block timestamp from which an account can be paid. 0 if it cannot.
    mapping(address account => uint256) public payeeSince;

    constructor(address owner_, address allocator_, address guardian_, address[] memory payees)
        Ownable(owner_)
        EIP712("RelayDepository", "1")
    {
        assignAllocator(allocator_);
        assignGuardian(guardian_);
        for (uint256 i; i < payees.length; i++) assignPayee(payees[i], block.timestamp);
    }

    /// @notice Names the allocator. Signatures of the previous one become invalid at once. Only the owner.
    /// @param allocator_ A key or a contract. Not the zero address.
    function setAllocator(address allocator_) external onlyOwner {
        assignAllocator(allocator_);
    }

    /// @notice Names the guardian. Only the owner.
    /// @param guardian_ The account that can pause. With the zero address nobody can.
    function setGuardian(address guardian_) external onlyOwner {
        assignGuardian(guardian_);
    }

    /// @notice Registers a payee, who can be paid after two days. Only the owner.
    /// @param payee The account.
    function addPayee(address payee) external onlyOwner {
        // A known payee is not delayed again.
        if (payeeSince[payee] == 0) assignPayee(payee, block.timestamp + payeeDelay);
    }

    /// @notice Removes a payee at once. Only the owner.
    /// @param payee The account.
    function removePayee(address payee) external onlyOwner {
        assignPayee(payee, 0);
    }

    /// @notice Stops payouts for 72 hours, at most once in 14 days. Exits, claims and deposits go on, and so do the
    /// exit times of deposits: a depositor loses no time by a pause. Only the guardian.
    function pause() external {
        if (msg.sender != guardian) revert NotTheGuardian();
        if (block.timestamp < nextPauseAt) revert PauseNotBefore(nextPauseAt);
        nextPauseAt = block.timestamp + pauseInterval;
        pauseUntil(block.timestamp + maxPause);
    }

    /// @notice Ends a pause early. Only the guardian or the owner.
    function unpause() external {
        if (msg.sender != guardian && msg.sender != owner()) revert NotTheGuardian();
        pauseUntil(block.timestamp);
    }

    /// @notice Refused: without an owner nobody could replace a stolen allocator.
    function renounceOwnership() public pure override {
        revert CannotRenounce();
    }

    /// Reverts unless the allocator has signed a payout that may run now.
    function requireAllowed(bytes32 structHash, uint256 expiration, bytes calldata signature) internal view {
        if (block.timestamp < pausedUntil) revert PausedUntil(pausedUntil);
        if (block.timestamp > expiration) revert Expired(expiration);
        bytes32 digest = _hashTypedDataV4(structHash);
        if (!(allocatorIsContract ? isSignedByContract(digest, signature) : isSignedByKey(digest, signature))) {
            revert InvalidSignature();
        }
    }

    function requirePayee(address account) internal view {
        uint256 since = payeeSince[account];
        if (since == 0 || block.timestamp < since) revert NotAPayee(account);
    }

    function isSignedByKey(bytes32 digest, bytes calldata signature) private view returns (bool) {
        (address signer, ECDSA.RecoverError problem,) = ECDSA.tryRecoverCalldata(digest, signature);
        return problem == ECDSA.RecoverError.NoError && signer == allocator;
    }

    function isSignedByContract(bytes32 digest, bytes calldata signature) private view returns (bool) {
        return SignatureChecker.isValidERC1271SignatureNowCalldata(allocator, digest, signature);
    }

    function assignAllocator(address allocator_) private {
        if (allocator_ == address(0)) revert NoAllocator();
        allocator = allocator_;
        allocatorIsContract = isContract(allocator_);
        emit AllocatorSet(allocator_, allocatorIsContract);
    }

    function assignGuardian(address guardian_) private {
        guardian = guardian_;
        emit GuardianSet(guardian_);
    }

    function assignPayee(address payee, uint256 since) private {
        payeeSince[payee] = since;
        emit PayeeSet(payee, since);
    }

    function pauseUntil(uint256 timestamp) private {
        pausedUntil = timestamp;
        emit Paused(timestamp);
    }

    /// Whether the account has code of its own. A delegated key has 23 bytes, which begin with 0xef0100 (EIP-7702).
    function isContract(address account) private view returns (bool) {
        bytes memory code = account.code;
        if (code.length == 0) return false;
        return code.length != 23 || bytes3(code) != 0xef0100;
    }
}
