#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What an error of the app or of a library says about itself.
enum ForeignWords {
    /// Says who threw an error, of which type it is, and what it says about itself.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - thrower: The part of the app or of a request that threw it: `the cookie store`.
    /// - Returns: One line: `the cookie store threw a StoreError: locked`.
    static func thrown(_ error: any Error, by thrower: String) -> String {
        // The error of another call may have the words of a service, which its description leaves out.
        if let inner = error as? any APIFailure { return "\(thrower) threw the error of another call: \(inner)" }
        return "\(thrower) threw a \(type(of: error))\(of(error).map { ": \($0)" } ?? "")"
    }

    /// What an error says to developers; `nil` if it says nothing.
    static func hint(of error: any Error) -> String? {
        (error as? any HintedError)?.hint ?? (error as? any APIFailure)?.hint
    }

    /// The error's own words in one line; `nil` if it has none, or they may contain a secret.
    ///
    /// Only what was written for people is shown, and the name of a case. A description of another kind is for
    /// debuggers: it may have values of the app or of a request in it.
    static func of(_ error: any Error) -> String? {
        guard let words = words(of: error), !Redaction.mayHoldURL(words) else { return nil }
        let shown = Redaction.readable(words)
        return shown.isEmpty ? nil : shown
    }

    private static func words(of error: any Error) -> String? {
        // The words of a service are for people alone.
        guard !(error is any ServiceFailure) else { return nil }
        if let error = error as? TransportError { return error.message }
        if let words = (error as? any LocalizedError)?.errorDescription { return words }
        // An error of Foundation or of C: its description may have the whole request in it.
        if error._domain != String(reflecting: type(of: error)) { return "\(error._domain) \(error._code)" }
        // The one of FoundationEssentials has no domain. Where it has one, the check above comes first, since the cast
        // would bridge other errors.
        if let error = error as? CocoaError { return "NSCocoaErrorDomain \(error.code.rawValue)" }
        let mirror = Mirror(reflecting: error)
        return mirror.displayStyle == .enum ? mirror.children.first?.label ?? caseName(of: error) : nil
    }

    /// The name of a case without values; `nil` for an enum with its own description.
    private static func caseName(of error: any Error) -> String? {
        let describesItself =
            error is any CustomStringConvertible || error is any CustomDebugStringConvertible
            || error is any TextOutputStreamable
        return describesItself ? nil : "\(error)"
    }
}
