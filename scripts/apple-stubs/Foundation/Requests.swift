// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/nsurlrequest
open class NSURLRequest: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy
    public enum CachePolicy: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy/useprotocolcachepolicy
        case useProtocolCachePolicy = 0
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/cachepolicy/reloadignoringlocalcachedata
        case reloadIgnoringLocalCacheData = 1
    }

    /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype
    public enum NetworkServiceType: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype/default
        case `default` = 0
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype/video
        case video = 2
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype/background
        case background = 3
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype/voice
        case voice = 4
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype/responsivedata
        case responsiveData = 6
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype/avstreaming
        case avStreaming = 8
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype/responsiveav
        case responsiveAV = 9
        /// https://developer.apple.com/documentation/foundation/nsurlrequest/networkservicetype/callsignaling
        case callSignaling = 11
    }
}

/// https://developer.apple.com/documentation/foundation/urlrequest
public struct URLRequest: Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/urlrequest/cachepolicy
    public typealias CachePolicy = NSURLRequest.CachePolicy
    /// https://developer.apple.com/documentation/foundation/urlrequest/networkservicetype
    public typealias NetworkServiceType = NSURLRequest.NetworkServiceType

    /// https://developer.apple.com/documentation/foundation/urlrequest/init(url:cachepolicy:timeoutinterval:)
    public init(
        url: URL,
        cachePolicy: URLRequest.CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval = 60.0,
    ) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlrequest/url
    public var url: URL?
    /// https://developer.apple.com/documentation/foundation/urlrequest
    public var cachePolicy: URLRequest.CachePolicy
    /// https://developer.apple.com/documentation/foundation/urlrequest/timeoutinterval
    public var timeoutInterval: TimeInterval
    /// https://developer.apple.com/documentation/foundation/urlrequest
    public var networkServiceType: URLRequest.NetworkServiceType
    /// https://developer.apple.com/documentation/foundation/urlrequest/allowscellularaccess
    public var allowsCellularAccess: Bool
    /// https://developer.apple.com/documentation/foundation/urlrequest/allowsexpensivenetworkaccess
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    public var allowsExpensiveNetworkAccess: Bool {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlrequest/allowsconstrainednetworkaccess
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    public var allowsConstrainedNetworkAccess: Bool {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlrequest/httpmethod
    public var httpMethod: String?
    /// https://developer.apple.com/documentation/foundation/urlrequest/httpbody
    public var httpBody: Data?
    /// https://developer.apple.com/documentation/foundation/urlrequest/httpbodystream
    public var httpBodyStream: InputStream? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlrequest/httpshouldhandlecookies
    public var httpShouldHandleCookies: Bool

    /// https://developer.apple.com/documentation/foundation/urlrequest/value(forhttpheaderfield:)
    public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlrequest/setvalue(_:forhttpheaderfield:)
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
    /// https://developer.apple.com/documentation/foundation/urlrequest/addvalue(_:forhttpheaderfield:)
    public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
}

/// https://developer.apple.com/documentation/foundation/urlresponse
open class URLResponse: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlresponse/init(url:mimetype:expectedcontentlength:textencodingname:)
    public init(
        url URL: URL,
        mimeType MIMEType: String?,
        expectedContentLength length: Int,
        textEncodingName name: String?,
    ) {}
    /// https://developer.apple.com/documentation/foundation/urlresponse/init(stub:)
    init(stub: Void) {}

    /// https://developer.apple.com/documentation/foundation/urlresponse/url
    open var url: URL? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresponse/expectedcontentlength
    open var expectedContentLength: Int64 { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/httpurlresponse
open class HTTPURLResponse: URLResponse, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/httpurlresponse/init(url:statuscode:httpversion:headerfields:)
    public init?(
        url: URL,
        statusCode: Int,
        httpVersion HTTPVersion: String?,
        headerFields: [String: String]?,
    ) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/httpurlresponse/statuscode
    open var statusCode: Int { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpurlresponse/allheaderfields
    open var allHeaderFields: [AnyHashable: Any] { fatalError() }

    /// https://developer.apple.com/documentation/foundation/httpurlresponse/value(forhttpheaderfield:)
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    open func value(forHTTPHeaderField field: String) -> String? { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/cachedurlresponse
open class CachedURLResponse: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/cachedurlresponse/init(response:data:)
    public init(response: URLResponse, data: Data) {}

    /// https://developer.apple.com/documentation/foundation/cachedurlresponse/response
    open var response: URLResponse { fatalError() }
    /// https://developer.apple.com/documentation/foundation/cachedurlresponse/data
    open var data: Data { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlcache
open class URLCache: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/urlcache/shared
    open class var shared: URLCache {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/urlcache/init(memorycapacity:diskcapacity:directory:)
    public convenience init(memoryCapacity: Int, diskCapacity: Int, directory directoryURL: URL? = nil) {
        fatalError()
    }
}

/// https://developer.apple.com/documentation/foundation/httpcookiepropertykey
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/rawvalue
    public let rawValue: String

    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/name
    public static let name = HTTPCookiePropertyKey(rawValue: "")
    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/value
    public static let value = HTTPCookiePropertyKey(rawValue: "")
    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/domain
    public static let domain = HTTPCookiePropertyKey(rawValue: "")
    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/path
    public static let path = HTTPCookiePropertyKey(rawValue: "")
    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/expires
    public static let expires = HTTPCookiePropertyKey(rawValue: "")
    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/secure
    public static let secure = HTTPCookiePropertyKey(rawValue: "")
    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/version
    public static let version = HTTPCookiePropertyKey(rawValue: "")

    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/init(_:)
    public init(_ rawValue: String) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpcookiepropertykey/init(rawvalue:)
    public init(rawValue: String) { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/httpcookie
open class HTTPCookie: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/httpcookie/acceptpolicy
    public enum AcceptPolicy: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/httpcookie/acceptpolicy/always
        case always
        /// https://developer.apple.com/documentation/foundation/httpcookie/acceptpolicy/never
        case never
    }

    /// https://developer.apple.com/documentation/foundation/httpcookie/cookies(withresponseheaderfields:for:)
    open class func cookies(
        withResponseHeaderFields headerFields: [String: String],
        for URL: URL,
    ) -> [HTTPCookie] { fatalError() }

    /// https://developer.apple.com/documentation/foundation/httpcookie/init(properties:)
    public init?(properties: [HTTPCookiePropertyKey: Any]) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/httpcookie/name
    open var name: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpcookie/value
    open var value: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpcookie/domain
    open var domain: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpcookie/path
    open var path: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpcookie/issecure
    open var isSecure: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpcookie/ishttponly
    open var isHTTPOnly: Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpcookie/properties
    open var properties: [HTTPCookiePropertyKey: Any]? { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/httpcookiestorage
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/httpcookiestorage/shared
    open class var shared: HTTPCookieStorage { fatalError() }

    /// https://developer.apple.com/documentation/foundation/httpcookiestorage/cookies
    open var cookies: [HTTPCookie]? { fatalError() }

    /// https://developer.apple.com/documentation/foundation/httpcookiestorage/setcookie(_:)
    open func setCookie(_ cookie: HTTPCookie) {}
    /// https://developer.apple.com/documentation/foundation/httpcookiestorage/removecookies(since:)
    open func removeCookies(since date: Date) {}
    /// https://developer.apple.com/documentation/foundation/httpcookiestorage/cookies(for:)
    open func cookies(for URL: URL) -> [HTTPCookie]? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/httpcookiestorage/setcookies(_:for:maindocumenturl:)
    open func setCookies(_ cookies: [HTTPCookie], for URL: URL?, mainDocumentURL: URL?) {}
}
