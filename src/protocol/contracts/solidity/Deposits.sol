// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// Accepts deposits and keeps one record for each: the amount that is still owed, and the time from which the depositor
/// can take it back. The owed amount never increases. The zero address stands for the native currency.
abstract contract Deposits is ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// The contents of a deposit. Their hash is its id.
    struct Deposit {
        bytes32 orderId;
        address depositor;
        address currency;
        /// The amount that arrived.
        uint256 amount;
        /// 0 for the first deposit with these contents, 1 for the second one, and so on.
        uint256 index;
    }

    struct Record {
        uint192 owed;
        /// Block timestamp from which the depositor can take it back, in seconds since 1970. 0: no such deposit.
        uint64 exitTime;
    }

    /// @notice Native currency was deposited. The next event is DepositRecorded. Nothing is indexed: the event is that
    /// of the public interface of Relay.
    /// @param from The depositor.
    /// @param amount The amount that arrived.
    /// @param id The id of the order that the deposit pays for.
    event RelayNativeDeposit(address from, uint256 amount, bytes32 id);
    /// @notice An ERC-20 currency was deposited. The next event is DepositRecorded. Nothing is indexed, as above.
    /// @param from The depositor.
    /// @param token The currency.
    /// @param amount The amount that arrived.
    /// @param id The id of the order that the deposit pays for.
    event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id);
    /// @notice A deposit has a record.
    /// @param depositId The id of the record.
    /// @param index The number of earlier deposits with the same contents.
    /// @param exitTime Block timestamp from which the depositor can take it back, in seconds since 1970.
    event DepositRecorded(bytes32 indexed depositId, uint256 index, uint256 exitTime);
    /// @notice A depositor has taken a deposit back.
    /// @param depositId The id of the record.
    /// @param recipient The account that was paid.
    /// @param amount The amount that was owed.
    event DepositExited(bytes32 indexed depositId, address indexed recipient, uint256 amount);
    /// @notice A payment failed. Its recipient can claim the amount.
    /// @param currency The currency. The zero address is the native one.
    /// @param recipient The account that can claim the amount.
    /// @param amount The amount.
    event PaymentFailed(address indexed currency, address indexed recipient, uint256 amount);
    /// @notice A claimable amount was paid.
    /// @param currency The currency. The zero address is the native one.
    /// @param account The account that had the claim.
    /// @param recipient The account that was paid.
    /// @param amount The amount.
    event Claimed(address indexed currency, address indexed account, address indexed recipient, uint256 amount);

    error NotADeposit();
    error NothingDeposited();
    error NothingToClaim(address currency, address account);
    error NotOwed(bytes32 depositId);
    error TooEarly(uint256 exitTime);
    error OnlyTheOwnAccount(address account);
    error TooLittleGas();

    /// Gas limits of a payment whose failure must not stop others: enough for contract wallets and most ERC-20
    /// currencies.
    uint256 private constant nativeGas = 50_000;
    uint256 private constant erc20Gas = 200_000;
    /// Gas of a payment in addition to the recipient's: value, a new account, memory.
    uint256 private constant paymentGas = 50_000;

    /// @notice Seconds from a deposit until the depositor can take it back.
    uint256 public immutable exitSeconds;
    /// @notice What is owed of a deposit, and the time from which the depositor can take it back.
    mapping(bytes32 depositId => Record) public records;
    /// @notice Amounts of failed payments and refund costs that are not claimed yet.
    mapping(address currency => mapping(address account => uint256)) public claimable;
    /// @notice Sum of all owed and claimable amounts.
    mapping(address currency => uint256) public reserved;

    constructor(uint256 exitSeconds_) {
        exitSeconds = exitSeconds_;
        // Without these opcodes deposits would work but payouts would fail. On such a chain the deployment reverts
        // here.
        assembly ("memory-safe") {
            tstore(0, tload(0))
            mcopy(0, 0, 0)
        }
    }

    /// @notice A native transfer is a deposit of its sender if its calldata is an order id and nothing else.
    fallback() external payable {
        if (msg.data.length != 32) revert NotADeposit();
        recordNative(msg.sender, bytes32(msg.data));
    }

    /// @notice Refuses native transfers without an order id.
    receive() external payable {
        revert NotADeposit();
    }

    /// @notice Deposits the native value.
    /// @param depositor The account that can take the deposit back. The zero address stands for the caller.
    /// @param id The id of the order that the deposit pays for.
    function depositNative(address depositor, bytes32 id) external payable {
        recordNative(depositorOr(depositor), id);
    }

    /// Deposits `amount` of `token` out of the caller's allowance for this contract.
    /// @notice Deposits an ERC-20 currency of the caller, who has approved this contract.
    /// @param depositor The account that can take the deposit back. The zero address stands for the caller.
    /// @param token The currency.
    /// @param amount The amount to transfer. The deposit is the amount that arrives.
    /// @param id The id of the order that the deposit pays for.
    function depositErc20(address depositor, address token, uint256 amount, bytes32 id) external {
        pull(depositorOr(depositor), token, amount, id);
    }

    /// @notice Deposits the caller's whole allowance for this contract.
    /// @param depositor The account that can take the deposit back. The zero address stands for the caller.
    /// @param token The currency.
    /// @param id The id of the order that the deposit pays for.
    function depositErc20(address depositor, address token, bytes32 id) external {
        pull(depositorOr(depositor), token, IERC20(token).allowance(msg.sender, address(this)), id);
    }

    /// @notice Pays the owed amount of a deposit back to its depositor, from its exit time on. Anyone may call it.
    /// @param deposit The contents of the deposit.
    /// @param recipient The depositor. Only the depositor may choose another account.
    function exit(Deposit calldata deposit, address recipient) external nonReentrant {
        bytes32 id = depositIdOf(deposit);
        Record memory found = records[id];
        if (found.owed == 0) revert NotOwed(id);
        if (block.timestamp < found.exitTime) revert TooEarly(found.exitTime);
        requireOwn(deposit.depositor, recipient);
        records[id].owed = 0;
        emit DepositExited(id, recipient, found.owed);
        send(deposit.currency, recipient, found.owed);
    }

    /// @notice Pays the claimable amount of an account. Anyone may call it. Reverts if there is none.
    /// @param currency The currency. The zero address is the native one.
    /// @param account The account that has the claim.
    /// @param recipient The account itself. Only the account may choose another one.
    function claim(address currency, address account, address recipient) external nonReentrant {
        requireOwn(account, recipient);
        uint256 amount = takeClaimable(currency, account);
        if (amount == 0) revert NothingToClaim(currency, account);
        emit Claimed(currency, account, recipient, amount);
        send(currency, recipient, amount);
    }

    /// @notice The id of a deposit's record.
    /// @param deposit The contents of the deposit.
    /// @return The hash of the contents.
    function depositIdOf(Deposit memory deposit) public pure returns (bytes32) {
        return keccak256(abi.encode(deposit));
    }

    /// Sends a reserved amount, or reverts.
    function send(address currency, address recipient, uint256 amount) internal {
        reserved[currency] -= amount;
        if (currency == address(0)) Address.sendValue(payable(recipient), amount);
        else IERC20(currency).safeTransfer(recipient, amount);
    }

    /// Sends a reserved amount with limited gas. Ignores return data beyond one word. If the payment fails, the amount
    /// becomes claimable.
    function push(address currency, address recipient, uint256 amount) internal {
        reserved[currency] -= amount;
        bool isNative = currency == address(0);
        uint256 available = gasleft();
        if (isNative ? pushNative(recipient, amount) : pushErc20(currency, recipient, amount)) return;
        // The submitter of a payout must not be able to make the payment fail by supplying too little gas.
        uint256 needed = (isNative ? nativeGas : erc20Gas) + paymentGas;
        if (available - available / 64 < needed) revert TooLittleGas();
        makeClaimable(currency, recipient, amount);
        emit PaymentFailed(currency, recipient, amount);
    }

    function makeClaimable(address currency, address account, uint256 amount) internal {
        claimable[currency][account] += amount;
        reserved[currency] += amount;
    }

    /// Resets a claimable amount. It stays reserved.
    function takeClaimable(address currency, address account) internal returns (uint256 amount) {
        amount = claimable[currency][account];
        claimable[currency][account] = 0;
    }

    function pull(address depositor, address token, uint256 amount, bytes32 id) private nonReentrant {
        uint256 before = IERC20(token).balanceOf(address(this));
        IERC20(token).safeTransferFrom(msg.sender, address(this), amount);
        uint256 arrived = IERC20(token).balanceOf(address(this)) - before;
        // An excess is someone else's transfer during this call.
        if (arrived > amount) arrived = amount;
        emit RelayErc20Deposit(depositor, token, arrived, id);
        record(depositor, token, arrived, id);
    }

    function recordNative(address depositor, bytes32 id) private {
        emit RelayNativeDeposit(depositor, msg.value, id);
        record(depositor, address(0), msg.value, id);
    }

    function record(address depositor, address currency, uint256 amount, bytes32 orderId) private {
        if (amount == 0) revert NothingDeposited();
        Deposit memory deposit = Deposit(orderId, depositor, currency, amount, 0);
        bytes32 id = depositIdOf(deposit);
        // An attacker who lengthens this loop must deposit the same amount once for each iteration.
        while (records[id].exitTime != 0) {
            deposit.index++;
            id = depositIdOf(deposit);
        }
        uint256 exitTime = block.timestamp + exitSeconds;
        records[id] = Record(SafeCast.toUint192(amount), SafeCast.toUint64(exitTime));
        reserved[currency] += amount;
        emit DepositRecorded(id, deposit.index, exitTime);
    }

    function depositorOr(address depositor) private view returns (address) {
        return depositor == address(0) ? msg.sender : depositor;
    }

    /// Only the account itself may choose another recipient.
    function requireOwn(address account, address recipient) private view {
        if (recipient != account && msg.sender != account) revert OnlyTheOwnAccount(account);
    }

    function pushNative(address recipient, uint256 amount) private returns (bool done) {
        assembly ("memory-safe") {
            done := call(nativeGas, recipient, amount, 0, 0, 0, 0)
        }
    }

    /// As in SafeERC20, no return data counts as success if the currency has code. Otherwise it must be true.
    function pushErc20(address currency, address recipient, uint256 amount) private returns (bool done) {
        bytes memory data = abi.encodeCall(IERC20.transfer, (recipient, amount));
        assembly ("memory-safe") {
            done := call(erc20Gas, currency, 0, add(data, 32), mload(data), 0, 32)
            switch returndatasize()
            case 0 { done := and(done, gt(extcodesize(currency), 0)) }
            default { done := and(done, and(gt(returndatasize(), 31), eq(mload(0), 1))) }
        }
    }
}
