#if canImport(Security)
import Dispatch
public import Foundation
public import Security

/// Why an operation of the keychain failed.
public struct KeychainError: TokenStoreFailure, LocalizedError, Hashable {
    /// The system's status: `errSecInteractionNotAllowed` usually means that the device is locked.
    public let status: OSStatus
    /// The operation, without a secret.
    public let message: String

    /// The status and the operation.
    public var description: String { "the keychain can't \(message): OSStatus \(status)" }
    /// Same as ``description``.
    public var errorDescription: String? { description }
}

/// When an item of the keychain can be read, and whether it may move to another device.
///
/// ```swift
/// let store = KeychainTokenStore(service: "com.example.reader", account: "main", accessibility: .whenUnlocked)
/// ```
/// A token belongs to one installation, so it stays on this device, unless the name says that it allows migration: then
/// an encrypted backup can restore it on another device, and the service can't distinguish the two devices.
public struct KeychainAccessibility: Sendable, Hashable {
    private enum Moment: Sendable, Hashable {
        case afterFirstUnlock
        case whenUnlocked
        case whenPasscodeSet
    }

    private let moment: Moment
    private var allowsMigration = false

    /// From the first unlock after a restart on, so that work in the background can read it too.
    public static let afterFirstUnlock = Self(moment: .afterFirstUnlock)
    /// While the device is unlocked: work in the background fails with `errSecInteractionNotAllowed` otherwise.
    public static let whenUnlocked = Self(moment: .whenUnlocked)
    /// While a device with a passcode is unlocked.
    ///
    /// Removing the passcode deletes the item, which never leaves the device.
    public static let whenPasscodeSet = Self(moment: .whenPasscodeSet)

    /// Like ``afterFirstUnlock``, and it can be restored from an encrypted backup on another device.
    public static let afterFirstUnlockAllowingMigration = Self(moment: .afterFirstUnlock, allowsMigration: true)
    /// Like ``whenUnlocked``, and it can be restored from an encrypted backup on another device.
    public static let whenUnlockedAllowingMigration = Self(moment: .whenUnlocked, allowsMigration: true)

    /// The value of `kSecAttrAccessible`.
    fileprivate var attribute: CFString {
        switch (moment, allowsMigration) {
        case (.afterFirstUnlock, false): kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case (.afterFirstUnlock, true): kSecAttrAccessibleAfterFirstUnlock
        case (.whenUnlocked, false): kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case (.whenUnlocked, true): kSecAttrAccessibleWhenUnlocked
        case (.whenPasscodeSet, _): kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
        }
    }
}

/// A token in the keychain, as a generic password with a service and an account.
///
/// ```swift
/// let store = KeychainTokenStore(service: "com.example.reader", account: "main")
/// let session = RefreshingToken(store: store) { old in
///     try await client.send(Auth.Refresh(token: old.refreshToken)).issuedToken
/// }
/// let authorized = client.authorized(by: session, for: .shop)
/// ```
/// By default it can be read after the device was first unlocked, so work in the background can read it, and it stays
/// on this device (``KeychainAccessibility``). An item that isn't a token of this package is not changed.
///
/// With an access group, which apps and their extensions share, it is in the data protection keychain on macOS too.
/// Without one, macOS keeps it in the login keychain, which a command line without entitlements can use, and which has
/// its own rules instead of the accessibility.
public struct KeychainTokenStore: TokenStore {
    /// The service of the item, such as the app's identifier.
    public let service: String
    /// The account of the item.
    public let account: String
    /// The group of apps that share the item; `nil` for this app's own.
    public let accessGroup: String?
    /// When the item can be read, and whether it may move to another device.
    public let accessibility: KeychainAccessibility

    /// Creates a store for an item; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - service: The service of the item.
    ///   - account: The account of the item.
    ///   - accessGroup: The group of apps that share the item.
    ///   - accessibility: When the item can be read, and whether it may move to another device. An existing item gets
    ///     it when the next token is saved.
    public init(
        service: String,
        account: String,
        accessGroup: String? = nil,
        accessibility: KeychainAccessibility = .afterFirstUnlock,
    ) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.accessibility = accessibility
    }

    /// Replaces the stored token.
    ///
    /// - Throws: ``KeychainError``.
    public func save(_ token: IssuedToken) async throws {
        let bytes = try TokenDocument.bytes(of: token)
        try await onQueue { try save(bytes) }
    }

    /// Reads the token; `nil` if there is no item.
    ///
    /// - Throws: ``KeychainError``, with `errSecDecode` for an item that isn't a token.
    public func load() async throws -> IssuedToken? {
        guard let bytes = try await onQueue({ try read() }) else { return nil }
        do throws(TokenDocument.Malformed) {
            return try TokenDocument.token(in: bytes)
        } catch {
            throw KeychainError(status: errSecDecode, message: "read the token: \(error.message)")
        }
    }

    /// Removes the item.
    ///
    /// - Throws: ``KeychainError``.
    public func remove() async throws {
        try await onQueue {
            let status = SecItemDelete(item as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else {
                throw KeychainError(status: status, message: "remove the token")
            }
        }
    }

    private func save(_ bytes: Data) throws {
        let change: [String: Any] = [
            kSecValueData as String: bytes,
            kSecAttrAccessible as String: accessibility.attribute,
        ]
        var status = SecItemUpdate(item as CFDictionary, change as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(item.merging(change) { $1 } as CFDictionary, nil)
            // Another process was faster.
            if status == errSecDuplicateItem { status = SecItemUpdate(item as CFDictionary, change as CFDictionary) }
        }
        guard status == errSecSuccess else { throw KeychainError(status: status, message: "save the token") }
    }

    private func read() throws -> Data? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let bytes = found as? Data else {
            throw KeychainError(status: status, message: "read the token")
        }
        return bytes
    }

    /// The query for the item.
    private var item: [String: Any] {
        var item: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: service,
            kSecAttrAccount as String: account,
        ]
        if let accessGroup {
            item[kSecAttrAccessGroup as String] = accessGroup
            item[kSecUseDataProtectionKeychain as String] = true
        }
        return item
    }

    /// The keychain is another process, and may prompt the user: Swift's own threads must not wait for that.
    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(with: Result { try work() })
            }
        }
    }
}
#endif
