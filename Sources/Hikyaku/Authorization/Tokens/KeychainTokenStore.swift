#if canImport(Security)
import Dispatch
public import Foundation
import Security

/// Why the keychain didn't do what it was asked for.
public struct KeychainError: TokenStoreFailure, LocalizedError, Hashable {
    /// What the system says: `errSecInteractionNotAllowed` as a rule means that the device is locked.
    public let status: OSStatus
    /// What it was asked for, without a secret.
    public let message: String

    /// The status and what it was asked for.
    public var description: String { "the keychain can't \(message): OSStatus \(status)" }
    /// What ``description`` says.
    public var errorDescription: String? { description }
}

/// A token in the keychain, as a generic password under a service and an account.
///
/// It can be read once the device was unlocked after it was started, so that work in the background finds it, and stays
/// on this device. An item that isn't a token of this package is left as it is. With an access group, which apps and
/// their extensions share, it is in the data protection keychain on macOS too; without one, macOS keeps it in the login
/// keychain, which a command line without entitlements can use.
public struct KeychainTokenStore: TokenStore {
    /// The service that the item is filed under: the app's identifier, say.
    public let service: String
    /// The account that the item is filed under.
    public let account: String
    /// The group of apps that share the item; `nil` for this app's own.
    public let accessGroup: String?

    /// Names an item; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - service: The service that it is filed under.
    ///   - account: The account that it is filed under.
    ///   - accessGroup: The group of apps that share it.
    public init(service: String, account: String, accessGroup: String? = nil) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
    }

    /// Writes the token in the place of the one before.
    ///
    /// - Throws: ``KeychainError``.
    public func save(_ token: IssuedToken) async throws {
        let bytes = try TokenDocument.bytes(of: token)
        try await onQueue { try save(bytes) }
    }

    /// Reads the token; `nil` where there is no item.
    ///
    /// - Throws: ``KeychainError``, with `errSecDecode` for an item that isn't a token.
    public func load() async throws -> IssuedToken? {
        guard let bytes = try await onQueue({ try read() }) else { return nil }
        do throws(TokenDocument.Malformed) {
            return try TokenDocument.token(in: bytes)
        } catch {
            throw KeychainError(status: errSecDecode, message: "give a token: \(error.message)")
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
            kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(item as CFDictionary, change as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(item.merging(change) { $1 } as CFDictionary, nil)
            // Another process was quicker.
            if status == errSecDuplicateItem { status = SecItemUpdate(item as CFDictionary, change as CFDictionary) }
        }
        guard status == errSecSuccess else { throw KeychainError(status: status, message: "keep the token") }
    }

    private func read() throws -> Data? {
        var query = item
        query[kSecReturnData as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &found)
        if status == errSecItemNotFound { return nil }
        guard status == errSecSuccess, let bytes = found as? Data else {
            throw KeychainError(status: status, message: "give the token")
        }
        return bytes
    }

    /// What the item is found by.
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

    /// The keychain is another process, and may ask the user: Swift's own threads mustn't wait for that.
    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(with: Result { try work() })
            }
        }
    }
}
#endif
