// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/nserror
open class NSError: NSObject, Error, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/nserror/init(domain:code:userinfo:)
    public init(domain: String, code: Int, userInfo dict: [String: Any]? = nil) {}

    /// https://developer.apple.com/documentation/foundation/nserror/domain
    open var domain: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nserror/code
    open var code: Int { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nserror/userinfo
    open var userInfo: [String: Any] { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nserror/localizeddescription
    open var localizedDescription: String { fatalError() }
}

/// Stands for `error as NSError`, which needs Objective-C: the check puts it there.
/// https://developer.apple.com/documentation/foundation/nserror
public func _bridgeNS(_ error: any Error) -> NSError { fatalError() }
/// https://developer.apple.com/documentation/foundation/nsposixerrordomain
public let NSPOSIXErrorDomain: String = ""
/// https://developer.apple.com/documentation/foundation/nsunderlyingerrorkey
public let NSUnderlyingErrorKey: String = ""
/// https://developer.apple.com/documentation/foundation/nslocalizeddescriptionkey
public let NSLocalizedDescriptionKey: String = ""
/// https://developer.apple.com/documentation/foundation/nsurlerrornetworkunavailablereasonkey
@available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
public let NSURLErrorNetworkUnavailableReasonKey: String = ""

/// https://developer.apple.com/documentation/foundation/customnserror
public protocol CustomNSError: Error {
    /// https://developer.apple.com/documentation/foundation/customnserror/errorcode
    var errorCode: Int { get }
}

/// https://developer.apple.com/documentation/foundation/customnserror
extension CustomNSError {
    /// https://developer.apple.com/documentation/foundation/customnserror/errorcode
    public var errorCode: Int { fatalError() }
}

/// https://developer.apple.com/documentation/swift/error
extension Error {
    /// https://developer.apple.com/documentation/swift/error/localizeddescription
    public var localizedDescription: String { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/cocoaerror
extension CocoaError: CustomNSError {}

/// https://developer.apple.com/documentation/foundation/cocoaerror/code
extension CocoaError.Code {
    /// https://developer.apple.com/documentation/foundation/cocoaerror/code/coderreadcorrupt
    public static var coderReadCorrupt: CocoaError.Code { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/posixerror
extension POSIXError: CustomNSError {}

/// https://developer.apple.com/documentation/foundation/urlerror
@available(macOS 10.10, iOS 8.0, watchOS 2.0, tvOS 9.0, *)
public struct URLError: CustomNSError, Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/urlerror/code
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlerror/code/rawvalue
        public let rawValue: Int

        /// https://developer.apple.com/documentation/foundation/urlerror/code/init(rawvalue:)
        public init(rawValue: Int) { fatalError() }

        /// https://developer.apple.com/documentation/foundation/urlerror/code/unknown
        public static var unknown: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/cancelled
        public static var cancelled: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/badurl
        public static var badURL: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/timedout
        public static var timedOut: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/unsupportedurl
        public static var unsupportedURL: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/cannotfindhost
        public static var cannotFindHost: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/cannotconnecttohost
        public static var cannotConnectToHost: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/networkconnectionlost
        public static var networkConnectionLost: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/dnslookupfailed
        public static var dnsLookupFailed: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/httptoomanyredirects
        public static var httpTooManyRedirects: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/resourceunavailable
        public static var resourceUnavailable: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/notconnectedtointernet
        public static var notConnectedToInternet: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/redirecttononexistentlocation
        public static var redirectToNonExistentLocation: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/badserverresponse
        public static var badServerResponse: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/zerobyteresource
        public static var zeroByteResource: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/cannotdecoderawdata
        public static var cannotDecodeRawData: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/cannotdecodecontentdata
        public static var cannotDecodeContentData: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/cannotparseresponse
        public static var cannotParseResponse: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/apptransportsecurityrequiressecureconnection
        public static var appTransportSecurityRequiresSecureConnection: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/datalengthexceedsmaximum
        public static var dataLengthExceedsMaximum: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/secureconnectionfailed
        public static var secureConnectionFailed: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/servercertificatehasbaddate
        public static var serverCertificateHasBadDate: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/servercertificateuntrusted
        public static var serverCertificateUntrusted: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/servercertificatehasunknownroot
        public static var serverCertificateHasUnknownRoot: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/servercertificatenotyetvalid
        public static var serverCertificateNotYetValid: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/clientcertificaterejected
        public static var clientCertificateRejected: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/clientcertificaterequired
        public static var clientCertificateRequired: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/internationalroamingoff
        public static var internationalRoamingOff: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/callisactive
        public static var callIsActive: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/datanotallowed
        public static var dataNotAllowed: URLError.Code { fatalError() }
        /// https://developer.apple.com/documentation/foundation/urlerror/code/requestbodystreamexhausted
        public static var requestBodyStreamExhausted: URLError.Code { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    public enum NetworkUnavailableReason: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason/cellular
        case cellular
        /// https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason/expensive
        case expensive
    }

    /// https://developer.apple.com/documentation/foundation/urlerror/unknown
    public static var unknown: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/cancelled
    public static var cancelled: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/badurl
    public static var badURL: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/timedout
    public static var timedOut: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/unsupportedurl
    public static var unsupportedURL: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/cannotfindhost
    public static var cannotFindHost: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/cannotconnecttohost
    public static var cannotConnectToHost: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/networkconnectionlost
    public static var networkConnectionLost: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/dnslookupfailed
    public static var dnsLookupFailed: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/httptoomanyredirects
    public static var httpTooManyRedirects: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/resourceunavailable
    public static var resourceUnavailable: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/notconnectedtointernet
    public static var notConnectedToInternet: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/redirecttononexistentlocation
    public static var redirectToNonExistentLocation: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/badserverresponse
    public static var badServerResponse: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/zerobyteresource
    public static var zeroByteResource: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/cannotdecoderawdata
    public static var cannotDecodeRawData: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/cannotdecodecontentdata
    public static var cannotDecodeContentData: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/cannotparseresponse
    public static var cannotParseResponse: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/apptransportsecurityrequiressecureconnection
    public static var appTransportSecurityRequiresSecureConnection: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/datalengthexceedsmaximum
    public static var dataLengthExceedsMaximum: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/secureconnectionfailed
    public static var secureConnectionFailed: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/servercertificatehasbaddate
    public static var serverCertificateHasBadDate: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/servercertificateuntrusted
    public static var serverCertificateUntrusted: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/servercertificatehasunknownroot
    public static var serverCertificateHasUnknownRoot: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/servercertificatenotyetvalid
    public static var serverCertificateNotYetValid: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/clientcertificaterejected
    public static var clientCertificateRejected: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/clientcertificaterequired
    public static var clientCertificateRequired: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/internationalroamingoff
    public static var internationalRoamingOff: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/callisactive
    public static var callIsActive: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/datanotallowed
    public static var dataNotAllowed: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/requestbodystreamexhausted
    public static var requestBodyStreamExhausted: URLError.Code { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlerror/init(_:userinfo:)
    public init(_ code: URLError.Code, userInfo: [String: Any] = [:]) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlerror
    public var code: URLError.Code { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/errorcode
    public var errorCode: Int { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/userinfo
    public var userInfo: [String: Any] { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlerror
    public static func == (left: URLError, right: URLError) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/hash(into:)
    public func hash(into hasher: inout Hasher) {}
}

/// https://developer.apple.com/documentation/foundation/urlerror/code
extension URLError.Code {
    /// https://developer.apple.com/documentation/foundation/urlerror/code
    public static func ~= (match: URLError.Code, error: any Error) -> Bool { fatalError() }
}
