// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/bundle
open class Bundle: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/bundle/main
    open class var main: Bundle { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/allbundles
    open class var allBundles: [Bundle] { fatalError() }

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
    /// https://developer.apple.com/documentation/foundation/bundle/resourceurl
    open var resourceURL: URL? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/resourcepath
    open var resourcePath: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/executableurl
    open var executableURL: URL? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/executablepath
    open var executablePath: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/bundleidentifier
    open var bundleIdentifier: String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/bundle/infodictionary
    open var infoDictionary: [String: Any]? { fatalError() }

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
extension URLResourceKey {
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/filesizekey
    public static var fileSizeKey: URLResourceKey { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/isdirectorykey
    public static var isDirectoryKey: URLResourceKey { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/isregularfilekey
    public static var isRegularFileKey: URLResourceKey { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/issymboliclinkkey
    public static var isSymbolicLinkKey: URLResourceKey { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/namekey
    public static var nameKey: URLResourceKey { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/contentmodificationdatekey
    public static var contentModificationDateKey: URLResourceKey { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/isexcludedfrombackupkey
    public static var isExcludedFromBackupKey: URLResourceKey { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/volumeavailablecapacityforimportantusagekey
    public static var volumeAvailableCapacityForImportantUsageKey: URLResourceKey { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/urlresourcekey
extension URLResourceKey: Hashable {
    /// https://developer.apple.com/documentation/foundation/urlresourcekey
    public static func == (left: URLResourceKey, right: URLResourceKey) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/hash(into:)
    public func hash(into hasher: inout Hasher) {}
}

/// https://developer.apple.com/documentation/foundation/urlresourcevalues
public struct URLResourceValues {
    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/init()
    public init() { fatalError() }

    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/filesize
    public var fileSize: Int? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/isdirectory
    public var isDirectory: Bool? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/isregularfile
    public var isRegularFile: Bool? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/issymboliclink
    public var isSymbolicLink: Bool? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/contentmodificationdate
    public var contentModificationDate: Date? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/isexcludedfrombackup
    public var isExcludedFromBackup: Bool? {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/volumeavailablecapacityforimportantusage
    @available(tvOS, unavailable)
    @available(watchOS, unavailable)
    public var volumeAvailableCapacityForImportantUsage: Int64? { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/url
extension URL {
    /// https://developer.apple.com/documentation/foundation/url/resourcevalues(forkeys:)
    public func resourceValues(forKeys keys: Set<URLResourceKey>) throws -> URLResourceValues { fatalError() }
    /// https://developer.apple.com/documentation/foundation/url/setresourcevalues(_:)
    public mutating func setResourceValues(_ values: URLResourceValues) throws {}
    /// https://developer.apple.com/documentation/foundation/url/checkresourceisreachable()
    public func checkResourceIsReachable() throws -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/url/startaccessingsecurityscopedresource()
    public func startAccessingSecurityScopedResource() -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/url/stopaccessingsecurityscopedresource()
    public func stopAccessingSecurityScopedResource() {}
}

/// https://developer.apple.com/documentation/foundation/filemanager
extension FileManager {
    /// https://developer.apple.com/documentation/foundation/filemanager/directoryenumerator
    open class DirectoryEnumerator: NSEnumerator {
        /// https://developer.apple.com/documentation/foundation/filemanager/directoryenumerator/fileattributes
        open var fileAttributes: [FileAttributeKey: Any]? { fatalError() }
        /// https://developer.apple.com/documentation/foundation/filemanager/directoryenumerator/directoryattributes
        open var directoryAttributes: [FileAttributeKey: Any]? { fatalError() }
        /// https://developer.apple.com/documentation/foundation/filemanager/directoryenumerator/level
        open var level: Int { fatalError() }

        /// https://developer.apple.com/documentation/foundation/filemanager/directoryenumerator/skipdescendants()
        open func skipDescendants() {}
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
    /// https://developer.apple.com/documentation/foundation/filemanager/subpaths(atpath:)
    public func subpaths(atPath path: String) -> [String]? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filemanager/fileexists(atpath:isdirectory:)
    public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filemanager/displayname(atpath:)
    public func displayName(atPath path: String) -> String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filemanager/replaceitemat(_:withitemat:backupitemname:options:)
    public func replaceItemAt(
        _ originalItemURL: URL,
        withItemAt newItemURL: URL,
        backupItemName: String? = nil,
        options: FileManager.ItemReplacementOptions = [],
    ) throws -> URL? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/nsenumerator
open class NSEnumerator: NSObject, Sequence {
    /// https://developer.apple.com/documentation/foundation/nsenumerator/iterator
    public struct Iterator: IteratorProtocol {
        /// https://developer.apple.com/documentation/foundation/nsenumerator/iterator/next()
        public mutating func next() -> Any? { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/nsenumerator/allobjects
    open var allObjects: [Any] { fatalError() }

    /// https://developer.apple.com/documentation/foundation/nsenumerator/nextobject()
    open func nextObject() -> Any? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/nsenumerator/makeiterator()
    public func makeIterator() -> NSEnumerator.Iterator { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/nsenumerator
@available(*, unavailable)
extension NSEnumerator: Sendable {}

/// https://developer.apple.com/documentation/foundation/userdefaults
open class UserDefaults: NSObject, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/userdefaults/standard
    open class var standard: UserDefaults { fatalError() }

    /// https://developer.apple.com/documentation/foundation/userdefaults/init(suitename:)
    public init?(suiteName suitename: String?) { fatalError() }

    /// https://developer.apple.com/documentation/foundation/userdefaults/object(forkey:)
    open func object(forKey defaultName: String) -> Any? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/userdefaults/set(_:forkey:)
    open func set(_ value: Any?, forKey defaultName: String) {}
    /// https://developer.apple.com/documentation/foundation/userdefaults/removeobject(forkey:)
    open func removeObject(forKey defaultName: String) {}
    /// https://developer.apple.com/documentation/foundation/userdefaults/string(forkey:)
    open func string(forKey defaultName: String) -> String? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/userdefaults/data(forkey:)
    open func data(forKey defaultName: String) -> Data? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/userdefaults/bool(forkey:)
    open func bool(forKey defaultName: String) -> Bool { fatalError() }
    /// https://developer.apple.com/documentation/foundation/userdefaults/integer(forkey:)
    open func integer(forKey defaultName: String) -> Int { fatalError() }
}

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
    /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    public final class Notifications: AsyncSequence, @unchecked Sendable {
        /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/iterator
        public struct Iterator: AsyncIteratorProtocol {
            /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/iterator/element
            public typealias Element = Notification

            /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/iterator/next()
            public mutating func next() async -> Notification? { fatalError() }
        }

        /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/element
        public typealias Element = Notification

        /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/init()
        init() {}

        /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications/makeasynciterator()
        public func makeAsyncIterator() -> NotificationCenter.Notifications.Iterator { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/notificationcenter/post(name:object:userinfo:)
    public func post(name aName: Notification.Name, object anObject: Any?, userInfo: [AnyHashable: Any]? = nil) {}
    /// https://developer.apple.com/documentation/foundation/notificationcenter/post(_:)
    public func post(_ notification: Notification) {}
    /// https://developer.apple.com/documentation/foundation/notificationcenter/addobserver(forname:object:queue:using:)
    public func addObserver(
        forName name: Notification.Name?,
        object obj: Any?,
        queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void,
    ) -> any NSObjectProtocol { fatalError() }
    /// https://developer.apple.com/documentation/foundation/notificationcenter/removeobserver(_:)
    public func removeObserver(_ observer: Any) {}
    /// https://developer.apple.com/documentation/foundation/notificationcenter/notifications(named:object:)
    @available(macOS 12.0, iOS 15.0, watchOS 8.0, tvOS 15.0, *)
    public func notifications(
        named name: Notification.Name,
        object: AnyObject? = nil,
    ) -> NotificationCenter.Notifications { fatalError() }
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
