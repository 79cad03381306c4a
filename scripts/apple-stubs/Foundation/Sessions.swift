// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/urlsession
open class URLSession: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsession/delayedrequestdisposition
    public enum DelayedRequestDisposition: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsession/delayedrequestdisposition/cancel
        case cancel = 2
    }

    /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition
    public enum AuthChallengeDisposition: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition/usecredential
        case useCredential = 0
        /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition/performdefaulthandling
        case performDefaultHandling = 1
        /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition/cancelauthenticationchallenge
        case cancelAuthenticationChallenge = 2
        /// https://developer.apple.com/documentation/foundation/urlsession/authchallengedisposition/rejectprotectionspace
        case rejectProtectionSpace = 3
    }

    /// https://developer.apple.com/documentation/foundation/urlsession/responsedisposition
    public enum ResponseDisposition: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsession/responsedisposition/cancel
        case cancel = 0
        /// https://developer.apple.com/documentation/foundation/urlsession/responsedisposition/allow
        case allow = 1
    }

    /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    public struct AsyncBytes: AsyncSequence, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/iterator
        public struct Iterator: AsyncIteratorProtocol {
            /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/iterator/element
            public typealias Element = UInt8

            /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/iterator/next()
            public mutating func next() async throws -> UInt8? { fatalError() }
        }

        /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/element
        public typealias Element = UInt8

        /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/task
        public var task: URLSessionDataTask { fatalError() }

        /// https://developer.apple.com/documentation/foundation/urlsession/asyncbytes/makeasynciterator()
        public func makeAsyncIterator() -> URLSession.AsyncBytes.Iterator { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/urlsession/shared
    open class var shared: URLSession { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlsession/init(configuration:)
    public init(configuration: URLSessionConfiguration) {}
    /// https://developer.apple.com/documentation/foundation/urlsession/init(configuration:delegate:delegatequeue:)
    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue queue: OperationQueue?,
    ) {}

    /// https://developer.apple.com/documentation/foundation/urlsession/delegatequeue
    open var delegateQueue: OperationQueue { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/delegate
    open var delegate: (any URLSessionDelegate)? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/configuration
    open var configuration: URLSessionConfiguration { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/tasks
    open var tasks: ([URLSessionDataTask], [URLSessionUploadTask], [URLSessionDownloadTask]) {
        get async { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/urlsession/finishtasksandinvalidate()
    open func finishTasksAndInvalidate() {}
    /// https://developer.apple.com/documentation/foundation/urlsession/reset(completionhandler:)
    open func reset(completionHandler: @escaping @Sendable () -> Void) {}
    /// https://developer.apple.com/documentation/foundation/urlsession/reset()
    open func reset() async {}
    /// https://developer.apple.com/documentation/foundation/urlsession/flush(completionhandler:)
    open func flush(completionHandler: @escaping @Sendable () -> Void) {}
    /// https://developer.apple.com/documentation/foundation/urlsession/flush()
    open func flush() async {}
    /// https://developer.apple.com/documentation/foundation/urlsession
    open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession
    open func dataTask(with url: URL) -> URLSessionDataTask { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession
    open func dataTask(
        with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void,
    ) -> URLSessionDataTask { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession
    open func dataTask(
        with url: URL,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void,
    ) -> URLSessionDataTask { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlsession
@available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
extension URLSession {
    /// https://developer.apple.com/documentation/foundation/urlsession/data(for:delegate:)
    public func data(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil,
    ) async throws -> (Data, URLResponse) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/data(from:delegate:)
    public func data(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil,
    ) async throws -> (Data, URLResponse) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/upload(for:from:delegate:)
    public func upload(
        for request: URLRequest,
        from bodyData: Data,
        delegate: (any URLSessionTaskDelegate)? = nil,
    ) async throws -> (Data, URLResponse) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/upload(for:fromfile:delegate:)
    public func upload(
        for request: URLRequest,
        fromFile fileURL: URL,
        delegate: (any URLSessionTaskDelegate)? = nil,
    ) async throws -> (Data, URLResponse) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/download(for:delegate:)
    public func download(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil,
    ) async throws -> (URL, URLResponse) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/bytes(for:delegate:)
    public func bytes(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil,
    ) async throws -> (URLSession.AsyncBytes, URLResponse) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsession/bytes(from:delegate:)
    public func bytes(
        from url: URL,
        delegate: (any URLSessionTaskDelegate)? = nil,
    ) async throws -> (URLSession.AsyncBytes, URLResponse) { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlsessiontask
open class URLSessionTask: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/state
    public enum State: Int, Sendable {
        /// https://developer.apple.com/documentation/foundation/urlsessiontask/state/running
        case running = 0
        /// https://developer.apple.com/documentation/foundation/urlsessiontask/state/suspended
        case suspended = 1
        /// https://developer.apple.com/documentation/foundation/urlsessiontask/state/completed
        case completed = 3
    }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/init(stub:)
    init(stub: Void) {}

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/taskidentifier
    open var taskIdentifier: Int { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/response
    open var response: URLResponse? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/delegate
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    open var delegate: (any URLSessionTaskDelegate)? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/progress
    open var progress: Progress { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/state
    open var state: URLSessionTask.State { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/error
    open var error: (any Error)? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/priority
    open var priority: Float {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/urlsessiontask/cancel()
    open func cancel() {}
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/suspend()
    open func suspend() {}
    /// https://developer.apple.com/documentation/foundation/urlsessiontask/resume()
    open func resume() {}
}

/// https://developer.apple.com/documentation/foundation/urlsessiondatatask
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/urlsessionuploadtask
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessionuploadtask/cancel(byproducingresumedata:)
    @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {}
}

/// https://developer.apple.com/documentation/foundation/urlsessiondownloadtask
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessiondownloadtask/cancel(byproducingresumedata:)
    open func cancel(byProducingResumeData completionHandler: @escaping @Sendable (Data?) -> Void) {}
}

/// https://developer.apple.com/documentation/foundation/urlsessionstreamtask
open class URLSessionStreamTask: URLSessionTask, @unchecked Sendable {}

/// https://developer.apple.com/documentation/foundation/urlsessionconfiguration
open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/default
    open class var `default`: URLSessionConfiguration { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/ephemeral
    open class var ephemeral: URLSessionConfiguration { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
    open class func background(withIdentifier identifier: String) -> URLSessionConfiguration { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/init(stub:)
    init(stub: Void) {}

    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/identifier
    open var identifier: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/requestcachepolicy
    open var requestCachePolicy: NSURLRequest.CachePolicy {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforrequest
    open var timeoutIntervalForRequest: TimeInterval {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/timeoutintervalforresource
    open var timeoutIntervalForResource: TimeInterval {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/networkservicetype
    open var networkServiceType: NSURLRequest.NetworkServiceType {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/allowscellularaccess
    open var allowsCellularAccess: Bool {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/allowsexpensivenetworkaccess
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var allowsExpensiveNetworkAccess: Bool {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/allowsconstrainednetworkaccess
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var allowsConstrainedNetworkAccess: Bool {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/waitsforconnectivity
    open var waitsForConnectivity: Bool {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/connectionproxydictionary
    open var connectionProxyDictionary: [AnyHashable: Any]? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/tlsminimumsupportedprotocolversion
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpshouldsetcookies
    open var httpShouldSetCookies: Bool {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpcookieacceptpolicy
    open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpmaximumconnectionsperhost
    open var httpMaximumConnectionsPerHost: Int {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/httpcookiestorage
    open var httpCookieStorage: HTTPCookieStorage? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/urlcredentialstorage
    open var urlCredentialStorage: URLCredentialStorage? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/urlcache
    open var urlCache: URLCache? {
        get { fatalError() }
        set {}
    }
}
