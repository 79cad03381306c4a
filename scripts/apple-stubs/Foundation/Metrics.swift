// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics
open class URLSessionTaskMetrics: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype
    public enum ResourceFetchType: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/unknown
        case unknown = 0
        /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/resourcefetchtype/networkload
        case networkLoad = 1
    }

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/init(stub:)
    init(stub: Void) {}

    /// https://developer.apple.com/documentation/foundation/urlsessiontaskmetrics/transactionmetrics
    open var transactionMetrics: [URLSessionTaskTransactionMetrics] { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics
open class URLSessionTaskTransactionMetrics: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/init(stub:)
    init(stub: Void) {}

    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/request
    open var request: URLRequest { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/response
    open var response: URLResponse? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/domainlookupenddate
    open var domainLookupEndDate: Date? { fatalError() }
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
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/networkprotocolname
    open var networkProtocolName: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isreusedconnection
    open var isReusedConnection: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/resourcefetchtype
    open var resourceFetchType: URLSessionTaskMetrics.ResourceFetchType { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontasktransactionmetrics/isconstrained
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var isConstrained: Bool { fatalError() }
}
