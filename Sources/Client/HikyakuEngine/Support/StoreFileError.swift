import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// An error of a token store whose description may be shown.
protocol TokenStoreFailure: Error, CustomStringConvertible, Sendable {}

/// Why the file of a ``FileTokenStore`` or a ``FileCookieStore`` can't be used.
public struct StoreFileError: TokenStoreFailure, LocalizedError {
    /// The kind of error.
    public enum Reason: String, Sendable, Hashable {
        /// The file exists, but can't be read.
        case unreadable
        /// Other users can read it, or it belongs to another user.
        case notPrivate
        /// It doesn't have this format, or has a later version of it.
        case malformed
        /// It can't be replaced or removed.
        case unwritable
    }

    enum Content: String {
        case token, cookies
    }

    /// The kind of error.
    public let reason: Reason
    /// The path of the file.
    public let path: String
    /// The details in one line, and what to do, without a token or the value of a cookie.
    public let message: String
    private let content: Content

    init(_ reason: Reason, _ content: Content, _ path: String, _ message: String) {
        (self.reason, self.content, self.path, self.message) = (reason, content, path, message)
    }

    /// The path and the details.
    public var description: String {
        "the \(content == .token ? "token" : "cookie") file \(path) is \(reason.rawValue): \(message)"
    }
    /// Same as ``description``.
    public var errorDescription: String? { description }
}

extension StoreFileError {
    init(_ problem: PrivateFile.Problem, _ content: Content, _ path: String) {
        switch problem {
        case .unreadable(let code):
            self.init(.unreadable, content, path, SystemErrors.text(of: code))
        case .tooLarge:
            let words = content == .token ? "a token" : "cookies"
            self.init(.malformed, content, path, "the file is too large for \(words)")
        case .isAccessibleToOthers:
            self.init(
                .notPrivate,
                content,
                path,
                "other users can read or change it: if none did, chmod 600 it; otherwise remove it and sign in again",
            )
        case .belongsToAnotherUser:
            self.init(.notPrivate, content, path, "it belongs to another user: remove it and sign in again")
        case .unwritable(let code):
            let advice = code == ENOENT ? Self.advice(for: path) : ""
            self.init(.unwritable, content, path, SystemErrors.text(of: code) + advice)
        case .unreadablePath(let text): self.init(.unreadable, content, path, "it \(text)")
        case .unwritablePath(let text): self.init(.unwritable, content, path, "it \(text)")
        }
    }

    private static func advice(for path: String) -> String {
        path.hasPrefix("~") ? ": ~ is not expanded; use the full path" : ": its folder does not exist; create it first"
    }
}
