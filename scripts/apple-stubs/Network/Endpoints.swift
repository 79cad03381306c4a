// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

@_exported public import Darwin
@_exported public import Dispatch
public import Foundation

/// https://developer.apple.com/documentation/network/nwinterface
@available(macOS 10.14, iOS 12.0, watchOS 5.0, tvOS 12.0, *)
public struct NWInterface: Hashable, Sendable {
    /// https://developer.apple.com/documentation/network/nwinterface/interfacetype
    public enum InterfaceType: Sendable {
        /// https://developer.apple.com/documentation/network/nwinterface/interfacetype/other
        case other
        /// https://developer.apple.com/documentation/network/nwinterface/interfacetype/cellular
        case cellular
        /// https://developer.apple.com/documentation/network/nwinterface/interfacetype/loopback
        case loopback
    }

    /// https://developer.apple.com/documentation/network/nwinterface/type
    public let type: NWInterface.InterfaceType
    /// https://developer.apple.com/documentation/network/nwinterface/name
    public let name: String
}

/// https://developer.apple.com/documentation/network/nwendpoint
@available(macOS 10.14, iOS 12.0, watchOS 5.0, tvOS 12.0, *)
public enum NWEndpoint: Hashable, Sendable {
    /// https://developer.apple.com/documentation/network/nwendpoint/host
    public enum Host: Hashable, Sendable, ExpressibleByStringLiteral {
        /// https://developer.apple.com/documentation/network/nwendpoint/host/name(_:_:)
        case name(String, NWInterface?)

        /// https://developer.apple.com/documentation/network/nwendpoint/host/init(_:)
        public init(_ string: String) { fatalError() }
        /// https://developer.apple.com/documentation/network/nwendpoint/host/init(stringliteral:)
        public init(stringLiteral: String) { fatalError() }
    }

    /// https://developer.apple.com/documentation/network/nwendpoint/port
    public struct Port: Hashable, Sendable, ExpressibleByIntegerLiteral, RawRepresentable {
        /// https://developer.apple.com/documentation/network/nwendpoint/port/any
        public static let any: NWEndpoint.Port = 0
        /// https://developer.apple.com/documentation/network/nwendpoint/port/http
        public static let http: NWEndpoint.Port = 80
        /// https://developer.apple.com/documentation/network/nwendpoint/port/https
        public static let https: NWEndpoint.Port = 443

        /// https://developer.apple.com/documentation/network/nwendpoint/port/init(_:)
        public init?(_ service: String) { fatalError() }
        /// https://developer.apple.com/documentation/network/nwendpoint/port/init(integerliteral:)
        public init(integerLiteral value: UInt16) { fatalError() }
        /// https://developer.apple.com/documentation/network/nwendpoint/port/init(rawvalue:)
        public init?(rawValue: UInt16) { fatalError() }

        /// https://developer.apple.com/documentation/network/nwendpoint/port/rawvalue
        public var rawValue: UInt16 { fatalError() }
    }

    /// https://developer.apple.com/documentation/network/nwendpoint/hostport(host:port:)
    case hostPort(host: NWEndpoint.Host, port: NWEndpoint.Port)
    /// https://developer.apple.com/documentation/network/nwendpoint/service(name:type:domain:interface:)
    case service(name: String, type: String, domain: String, interface: NWInterface?)
    /// https://developer.apple.com/documentation/network/nwendpoint/unix(path:)
    case unix(path: String)
    /// https://developer.apple.com/documentation/network/nwendpoint/url(_:)
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    case url(URL)
}

/// https://developer.apple.com/documentation/network/nwprotocoloptions
@available(macOS 10.14, iOS 12.0, watchOS 5.0, tvOS 12.0, *)
public class NWProtocolOptions {
    /// https://developer.apple.com/documentation/network/nwprotocoloptions/init()
    init() {}
}

/// https://developer.apple.com/documentation/network/nwprotocoltls
@available(macOS 10.14, iOS 12.0, watchOS 5.0, tvOS 12.0, *)
public class NWProtocolTLS {
    /// https://developer.apple.com/documentation/network/nwprotocoltls/options
    public class Options: NWProtocolOptions {
        /// https://developer.apple.com/documentation/network/nwprotocoltls/options/init()
        public override init() {}
    }

    /// https://developer.apple.com/documentation/network/nwprotocoltls/init()
    init() {}
}

/// https://developer.apple.com/documentation/network/proxyconfiguration
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
public struct ProxyConfiguration: Hashable, Sendable {
    /// https://developer.apple.com/documentation/network/proxyconfiguration/relayhop
    public struct RelayHop {
        /// https://developer.apple.com/documentation/network/proxyconfiguration/relayhop/init(http3relayendpoint:http2relayendpoint:tlsoptions:additionalhttpheaderfields:)
        public init(
            http3RelayEndpoint: NWEndpoint,
            http2RelayEndpoint: NWEndpoint? = nil,
            tlsOptions: NWProtocolTLS.Options = .init(),
            additionalHTTPHeaderFields: [String: String] = [:],
        ) { fatalError() }
    }

    /// https://developer.apple.com/documentation/network/proxyconfiguration/init(httpconnectproxy:tlsoptions:)
    public init(httpCONNECTProxy proxyEndpoint: NWEndpoint, tlsOptions: NWProtocolTLS.Options? = nil) { fatalError() }
    /// https://developer.apple.com/documentation/network/proxyconfiguration/init(socksv5proxy:)
    public init(socksv5Proxy proxyEndpoint: NWEndpoint) { fatalError() }
    /// https://developer.apple.com/documentation/network/proxyconfiguration/init(relayhops:)
    public init(relayHops: [ProxyConfiguration.RelayHop]) { fatalError() }

    /// https://developer.apple.com/documentation/network/proxyconfiguration/allowfailover
    public var allowFailover: Bool
    /// https://developer.apple.com/documentation/network/proxyconfiguration/excludeddomains
    public var excludedDomains: [String]

    /// https://developer.apple.com/documentation/network/proxyconfiguration/applycredential(username:password:)
    public func applyCredential(username: String, password: String) {}
}

/// https://developer.apple.com/documentation/network/urlsessionconfiguration
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
extension URLSessionConfiguration {
    /// https://developer.apple.com/documentation/network/urlsessionconfiguration/proxyconfigurations
    public var proxyConfigurations: [ProxyConfiguration] {
        get { fatalError() }
        set {}
    }
}

/// https://developer.apple.com/documentation/network/nwpath
@available(macOS 10.14, iOS 12.0, watchOS 5.0, tvOS 12.0, *)
public struct NWPath: Equatable, Sendable {
    /// https://developer.apple.com/documentation/network/nwpath/status
    public enum Status: Sendable {
        /// https://developer.apple.com/documentation/network/nwpath/status/satisfied
        case satisfied
    }

    /// https://developer.apple.com/documentation/network/nwpath/status
    public let status: NWPath.Status
    /// https://developer.apple.com/documentation/network/nwpath/isconstrained
    @available(macOS 10.15, iOS 13.0, watchOS 6.0, tvOS 13.0, *)
    public var isConstrained: Bool { fatalError() }
}

/// https://developer.apple.com/documentation/network/nwpathmonitor
@available(macOS 10.14, iOS 12.0, watchOS 5.0, tvOS 12.0, *)
public final class NWPathMonitor: @unchecked Sendable {
    /// https://developer.apple.com/documentation/network/nwpathmonitor/init()
    public init() {}
    /// https://developer.apple.com/documentation/network/nwpathmonitor/init(requiredinterfacetype:)
    public init(requiredInterfaceType: NWInterface.InterfaceType) {}
    /// https://developer.apple.com/documentation/network/nwpathmonitor/queue
    public var queue: DispatchQueue? { fatalError() }

    /// https://developer.apple.com/documentation/network/nwpathmonitor/start(queue:)
    public func start(queue: DispatchQueue) {}
    /// https://developer.apple.com/documentation/network/nwpathmonitor/cancel()
    public func cancel() {}
}

/// https://developer.apple.com/documentation/network/nwpathmonitor
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
extension NWPathMonitor: AsyncSequence {
    /// https://developer.apple.com/documentation/network/nwpathmonitor/iterator
    public struct Iterator: AsyncIteratorProtocol {
        /// https://developer.apple.com/documentation/network/nwpathmonitor/iterator/element
        public typealias Element = NWPath

        /// https://developer.apple.com/documentation/network/nwpathmonitor/iterator/next()
        public mutating func next() async -> NWPath? { fatalError() }
    }

    /// https://developer.apple.com/documentation/network/nwpathmonitor/element
    public typealias Element = NWPath

    /// https://developer.apple.com/documentation/network/nwpathmonitor/makeasynciterator()
    public func makeAsyncIterator() -> NWPathMonitor.Iterator { fatalError() }
}
