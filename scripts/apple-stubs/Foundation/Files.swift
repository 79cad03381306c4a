// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/bundle
open class Bundle: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/bundle/main
    open class var main: Bundle { fatalError() }

    /// https://developer.apple.com/documentation/foundation/bundle/init(path:)
    public init?(path: String) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/init(for:)
    public init(for aClass: AnyClass) {}

    /// https://developer.apple.com/documentation/foundation/bundle/init(url:)
    public convenience init?(url: URL) { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/init(identifier:)
    public convenience init?(identifier: String) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/bundle/bundleurl
    open var bundleURL: URL { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/bundlepath
    open var bundlePath: String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/executableurl
    open var executableURL: URL? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/bundleidentifier
    open var bundleIdentifier: String? { fatalError() }

    /// https://developer.apple.com/documentation/foundation/bundle/url(forresource:withextension:)
    open func url(forResource name: String?, withExtension ext: String?) -> URL? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/url(forresource:withextension:subdirectory:)
    open func url(forResource name: String?, withExtension ext: String?, subdirectory subpath: String?) -> URL? {
        fatalError()
    }
    /// https://developer.apple.com/documentation/foundation/bundle/path(forresource:oftype:)
    open func path(forResource name: String?, ofType ext: String?) -> String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/object(forinfodictionarykey:)
    open func object(forInfoDictionaryKey key: String) -> Any? { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlresourcekey
extension URLResourceKey: Hashable {
    /// https://developer.apple.com/documentation/foundation/urlresourcekey
    public static func == (left: URLResourceKey, right: URLResourceKey) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/hash(into:)
    public func hash(into hasher: inout Hasher) {}
}

/// https://developer.apple.com/documentation/foundation/filemanager
extension FileManager {
    /// https://developer.apple.com/documentation/foundation/filemanager/directoryenumerator
    open class DirectoryEnumerator: NSEnumerator {
        /// https://developer.apple.com/documentation/foundation/filemanager/directoryenumerator/level
        open var level: Int { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/filemanager/contentsofdirectory(at:includingpropertiesforkeys:options:)
    public func contentsOfDirectory(
        at url: URL,
        includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: FileManager.DirectoryEnumerationOptions = [],
    ) throws -> [URL] { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filemanager/enumerator(at:includingpropertiesforkeys:options:errorhandler:)
    public func enumerator(
        at url: URL,
        includingPropertiesForKeys keys: [URLResourceKey]?,
        options mask: FileManager.DirectoryEnumerationOptions = [],
        errorHandler handler: ((URL, any Error) -> Bool)? = nil,
    ) -> FileManager.DirectoryEnumerator? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filemanager/enumerator(atpath:)
    public func enumerator(atPath path: String) -> FileManager.DirectoryEnumerator? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filemanager/fileexists(atpath:isdirectory:)
    public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filemanager/displayname(atpath:)
    public func displayName(atPath path: String) -> String { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/nsenumerator
open class NSEnumerator: NSObject, Sequence {
    /// https://developer.apple.com/documentation/foundation/nsenumerator/iterator
    public struct Iterator: IteratorProtocol {
        /// https://developer.apple.com/documentation/foundation/nsenumerator/iterator/next()
        public mutating func next() -> Any? { fatalError() }
    }
    /// https://developer.apple.com/documentation/foundation/nsenumerator/makeiterator()
    public func makeIterator() -> NSEnumerator.Iterator { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/nsenumerator
@available(*, unavailable)
extension NSEnumerator: Sendable {}

/// https://developer.apple.com/documentation/foundation/notification
public struct Notification: Hashable {
    /// https://developer.apple.com/documentation/foundation/notification/name
    public struct Name: RawRepresentable, Hashable, Sendable {
        /// https://developer.apple.com/documentation/foundation/notification/name/rawvalue
        public let rawValue: String

        /// https://developer.apple.com/documentation/foundation/notification/name/init(_:)
        public init(_ rawValue: String) { fatalError() }
        /// https://developer.apple.com/documentation/foundation/notification/name/init(rawvalue:)
        public init(rawValue: String) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/notification
    public var name: Notification.Name
    /// https://developer.apple.com/documentation/foundation/notification/object
    public var object: Any?
    /// https://developer.apple.com/documentation/foundation/notification/userinfo
    public var userInfo: [AnyHashable: Any]?

    /// https://developer.apple.com/documentation/foundation/notification/init(name:object:userinfo:)
    public init(name: Notification.Name, object: Any? = nil, userInfo: [AnyHashable: Any]? = nil) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/notification
    public static func == (left: Notification, right: Notification) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/notification/hash(into:)
    public func hash(into hasher: inout Hasher) {}
}

/// https://developer.apple.com/documentation/foundation/notification
@available(*, unavailable)
extension Notification: Sendable {}

/// https://developer.apple.com/documentation/foundation/notificationcenter
extension NotificationCenter {
    /// https://developer.apple.com/documentation/foundation/notificationcenter/post(name:object:userinfo:)
    public func post(name aName: Notification.Name, object anObject: Any?, userInfo: [AnyHashable: Any]? = nil) {}
    /// https://developer.apple.com/documentation/foundation/notificationcenter/post(_:)
    public func post(_ notification: Notification) {}
}

/// https://developer.apple.com/documentation/foundation/data
extension Data {
    /// https://developer.apple.com/documentation/foundation/data/range(of:options:in:)
    public func range(
        of dataToFind: Data,
        options: Data.SearchOptions = [],
        in range: Range<Data.Index>? = nil,
    ) -> Range<Data.Index>? { fatalError() }
}
