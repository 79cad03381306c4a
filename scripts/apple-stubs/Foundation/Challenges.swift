// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethoddefault
public let NSURLAuthenticationMethodDefault: String = ""
/// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodhttpbasic
public let NSURLAuthenticationMethodHTTPBasic: String = ""
/// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodhttpdigest
public let NSURLAuthenticationMethodHTTPDigest: String = ""
/// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodhtmlform
public let NSURLAuthenticationMethodHTMLForm: String = ""
/// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodntlm
public let NSURLAuthenticationMethodNTLM: String = ""
/// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodnegotiate
public let NSURLAuthenticationMethodNegotiate: String = ""
/// https://developer.apple.com/documentation/foundation/nsurlauthenticationmethodclientcertificate
public let NSURLAuthenticationMethodClientCertificate: String = ""

/// https://developer.apple.com/documentation/foundation/urlprotectionspace
open class URLProtectionSpace: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/init(host:port:protocol:realm:authenticationmethod:)
    public init(
        host: String,
        port: Int,
        protocol: String?,
        realm: String?,
        authenticationMethod: String?,
    ) {}
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/init(proxyhost:port:type:realm:authenticationmethod:)
    public init(
        proxyHost host: String,
        port: Int,
        type: String?,
        realm: String?,
        authenticationMethod: String?,
    ) {}

    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/realm
    open var realm: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/host
    open var host: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/port
    open var port: Int { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/protocol
    open var `protocol`: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/authenticationmethod
    open var authenticationMethod: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/servertrust
    open var serverTrust: SecTrust? { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlprotectionspace/isproxy()
    open func isProxy() -> Bool { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlcredential
open class URLCredential: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlcredential/persistence
    public enum Persistence: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlcredential/persistence/none
        case none
        /// https://developer.apple.com/documentation/foundation/urlcredential/persistence/forsession
        case forSession
        /// https://developer.apple.com/documentation/foundation/urlcredential/persistence/permanent
        case permanent
    }

    /// https://developer.apple.com/documentation/foundation/urlcredential/init(user:password:persistence:)
    public init(user: String, password: String, persistence: URLCredential.Persistence) {}
    /// https://developer.apple.com/documentation/foundation/urlcredential/init(identity:certificates:persistence:)
    public init(identity: SecIdentity, certificates certArray: [Any]?, persistence: URLCredential.Persistence) {}
    /// https://developer.apple.com/documentation/foundation/urlcredential/init(trust:)
    public init(trust: SecTrust) {}

    /// https://developer.apple.com/documentation/foundation/urlcredential/persistence
    open var persistence: URLCredential.Persistence { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlcredential/user
    open var user: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlcredential/password
    open var password: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlcredential/identity
    open var identity: SecIdentity? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlcredential/certificates
    open var certificates: [Any] { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlcredentialstorage
open class URLCredentialStorage: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlcredentialstorage/shared
    open class var shared: URLCredentialStorage { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlcredentialstorage/credentials(for:)
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlcredentialstorage/set(_:for:)
    open func set(_ credential: URLCredential, for space: URLProtectionSpace) {}
    /// https://developer.apple.com/documentation/foundation/urlcredentialstorage/remove(_:for:)
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace) {}
}

/// https://developer.apple.com/documentation/foundation/urlauthenticationchallengesender
public protocol URLAuthenticationChallengeSender: NSObjectProtocol, Sendable {
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallengesender/use(_:for:)
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge)
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallengesender/cancel(_:)
    func cancel(_ challenge: URLAuthenticationChallenge)
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallengesender/performdefaulthandling(for:)
    func performDefaultHandling(for challenge: URLAuthenticationChallenge)
}

// These two are optional there; a misspelled one isn't found.
/// https://developer.apple.com/documentation/foundation/urlauthenticationchallengesender
extension URLAuthenticationChallengeSender {
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallengesender/performdefaulthandling(for:)
    public func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
}

/// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge
open class URLAuthenticationChallenge: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge/init(protectionspace:proposedcredential:previousfailurecount:failureresponse:error:sender:)
    public init(
        protectionSpace space: URLProtectionSpace,
        proposedCredential credential: URLCredential?,
        previousFailureCount: Int,
        failureResponse response: URLResponse?,
        error: (any Error)?,
        sender: any URLAuthenticationChallengeSender,
    ) {}
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge/init(authenticationchallenge:sender:)
    public init(
        authenticationChallenge challenge: URLAuthenticationChallenge,
        sender: any URLAuthenticationChallengeSender,
    ) {}

    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge/protectionspace
    open var protectionSpace: URLProtectionSpace { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge/error
    open var error: (any Error)? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlauthenticationchallenge/sender
    open var sender: (any URLAuthenticationChallengeSender)? { fatalError() }
}
