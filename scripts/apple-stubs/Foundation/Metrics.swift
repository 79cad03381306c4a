// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype
    public enum ResourceFetchType: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/unknown
        case unknown = 0
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/networkload
        case networkLoad = 1
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/serverpush
        case serverPush = 2
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/localcache
        case localCache = 3
    }

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/domainresolutionprotocol
    @available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
    public enum DomainResolutionProtocol: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/domainresolutionprotocol/unknown
        case unknown = 0
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/domainresolutionprotocol/udp
        case udp = 1
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/domainresolutionprotocol/tcp
        case tcp = 2
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/domainresolutionprotocol/tls
        case tls = 3
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/domainresolutionprotocol/https
        case https = 4
    }

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/init(stub:)
    init(stub: Void) {}

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/transactionmetrics
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/taskinterval
    open var taskInterval: DateInterval { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/redirectcount
    open var redirectCount: Int { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/init(stub:)
    init(stub: Void) {}

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/request
    open var request: URLRequest { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/response
    open var response: URLResponse? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/fetchstartdate
    open var fetchStartDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/domainlookupstartdate
    open var domainLookupStartDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/domainlookupenddate
    open var domainLookupEndDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/connectstartdate
    open var connectStartDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/secureconnectionstartdate
    open var secureConnectionStartDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/secureconnectionenddate
    open var secureConnectionEndDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/connectenddate
    open var connectEndDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/requeststartdate
    open var requestStartDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/requestenddate
    open var requestEndDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/responsestartdate
    open var responseStartDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/responseenddate
    open var responseEndDate: Date? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/networkprotocolname
    open var networkProtocolName: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isproxyconnection
    open var isProxyConnection: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isreusedconnection
    open var isReusedConnection: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/resourcefetchtype
    open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofrequestheaderbytessent
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var countOfRequestHeaderBytesSent: Int64 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofrequestbodybytessent
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var countOfRequestBodyBytesSent: Int64 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofrequestbodybytesbeforeencoding
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var countOfRequestBodyBytesBeforeEncoding: Int64 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofresponseheaderbytesreceived
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var countOfResponseHeaderBytesReceived: Int64 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofresponsebodybytesreceived
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var countOfResponseBodyBytesReceived: Int64 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/countofresponsebodybytesafterdecoding
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var countOfResponseBodyBytesAfterDecoding: Int64 { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/localaddress
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var localAddress: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/localport
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var localPort: Int? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/remoteaddress
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var remoteAddress: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/remoteport
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var remotePort: Int? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/negotiatedtlsprotocolversion
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var negotiatedTLSProtocolVersion: tls_protocol_version_t? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/negotiatedtlsciphersuite
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var negotiatedTLSCipherSuite: tls_ciphersuite_t? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/iscellular
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var isCellular: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isexpensive
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var isExpensive: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isconstrained
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var isConstrained: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/ismultipath
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var isMultipath: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/domainresolutionprotocol
    @available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
    open var domainResolutionProtocol: URLSessionTaskMetrics.DomainResolutionProtocol { fatalError() }
}
