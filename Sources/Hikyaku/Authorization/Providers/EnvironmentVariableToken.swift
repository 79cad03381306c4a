#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A token that an environment variable of the process holds: `.environmentVariable("QIITA_TOKEN")`.
///
/// It is looked up for each attempt. One that isn't set is a missing token, one without content an empty token. Signing
/// out forgets nothing here: the process keeps its variables.
public struct EnvironmentVariableToken: TokenProvider {
    /// The variable's name.
    public let name: String
    private let placement: CredentialPlacement

    /// Names a variable.
    ///
    /// - Parameters:
    ///   - name: The variable's name.
    ///   - placement: Where the token goes.
    public init(_ name: String, in placement: CredentialPlacement = .bearer) {
        self.name = name
        self.placement = placement
    }

    /// Nothing is waited for.
    public var endsOnCancellation: Bool { true }

    /// The variable's present value.
    public func token(for environment: APIEnvironment) async throws -> AccessToken<NotReady> {
        AccessToken(getenv(name).map { String(cString: $0) }, in: placement)
    }
}

extension TokenProvider where Self == EnvironmentVariableToken {
    /// A token that an environment variable holds.
    public static func environmentVariable(
        _ name: String,
        in placement: CredentialPlacement = .bearer,
    ) -> EnvironmentVariableToken {
        EnvironmentVariableToken(name, in: placement)
    }
}
