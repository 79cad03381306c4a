// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

/// https://developer.apple.com/documentation/foundation/formatter
open class Formatter: NSObject {}

/// https://developer.apple.com/documentation/foundation/dateformatter
open class DateFormatter: Formatter, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/dateformatter/style
    public enum Style: UInt, Sendable {
        /// https://developer.apple.com/documentation/foundation/dateformatter/style/none
        case none = 0
        /// https://developer.apple.com/documentation/foundation/dateformatter/style/short
        case short = 1
        /// https://developer.apple.com/documentation/foundation/dateformatter/style/medium
        case medium = 2
        /// https://developer.apple.com/documentation/foundation/dateformatter/style/long
        case long = 3
        /// https://developer.apple.com/documentation/foundation/dateformatter/style/full
        case full = 4
    }

    /// https://developer.apple.com/documentation/foundation/dateformatter/dateformat
    open var dateFormat: String! {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/dateformatter/locale
    open var locale: Locale! {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/dateformatter/timezone
    open var timeZone: TimeZone! {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/dateformatter/calendar
    open var calendar: Calendar! {
        get { fatalError() }
        set {}
    }
    /// https://developer.apple.com/documentation/foundation/dateformatter/islenient
    open var isLenient: Bool {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/dateformatter/string(from:)
    open func string(from date: Date) -> String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/dateformatter/date(from:)
    open func date(from string: String) -> Date? { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/iso8601dateformatter
open class ISO8601DateFormatter: Formatter, @unchecked Sendable {
    /// https://developer.apple.com/documentation/foundation/iso8601dateformatter/options
    public struct Options: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/foundation/iso8601dateformatter/options/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/foundation/iso8601dateformatter/options/init(rawvalue:)
        public init(rawValue: UInt) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/iso8601dateformatter/timezone
    open var timeZone: TimeZone! {
        get { fatalError() }
        set {}
    }

    /// https://developer.apple.com/documentation/foundation/iso8601dateformatter/string(from:)
    open func string(from date: Date) -> String { fatalError() }
    /// https://developer.apple.com/documentation/foundation/iso8601dateformatter/date(from:)
    open func date(from string: String) -> Date? { fatalError() }
}

/// https://developer.apple.com/documentation/foundation/jsonserialization
open class JSONSerialization: NSObject {
    /// https://developer.apple.com/documentation/foundation/jsonserialization/readingoptions
    public struct ReadingOptions: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/foundation/jsonserialization/readingoptions/rawvalue
        public let rawValue: UInt
        /// https://developer.apple.com/documentation/foundation/jsonserialization/readingoptions/fragmentsallowed
        public static var fragmentsAllowed: JSONSerialization.ReadingOptions { fatalError() }

        /// https://developer.apple.com/documentation/foundation/jsonserialization/readingoptions/init(rawvalue:)
        public init(rawValue: UInt) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/jsonserialization/writingoptions
    public struct WritingOptions: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/foundation/jsonserialization/writingoptions/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/foundation/jsonserialization/writingoptions/prettyprinted
        public static var prettyPrinted: JSONSerialization.WritingOptions { fatalError() }
        /// https://developer.apple.com/documentation/foundation/jsonserialization/writingoptions/sortedkeys
        public static var sortedKeys: JSONSerialization.WritingOptions { fatalError() }
        /// https://developer.apple.com/documentation/foundation/jsonserialization/writingoptions/fragmentsallowed
        public static var fragmentsAllowed: JSONSerialization.WritingOptions { fatalError() }
        /// https://developer.apple.com/documentation/foundation/jsonserialization/writingoptions/withoutescapingslashes
        public static var withoutEscapingSlashes: JSONSerialization.WritingOptions { fatalError() }

        /// https://developer.apple.com/documentation/foundation/jsonserialization/writingoptions/init(rawvalue:)
        public init(rawValue: UInt) { fatalError() }
    }
    /// https://developer.apple.com/documentation/foundation/jsonserialization/data(withjsonobject:options:)
    open class func data(withJSONObject obj: Any, options opt: JSONSerialization.WritingOptions = []) throws -> Data {
        fatalError()
    }
    /// https://developer.apple.com/documentation/foundation/jsonserialization/jsonobject(with:options:)
    open class func jsonObject(with data: Data, options opt: JSONSerialization.ReadingOptions = []) throws -> Any {
        fatalError()
    }
}

/// https://developer.apple.com/documentation/foundation/propertylistserialization
open class PropertyListSerialization: NSObject {
    /// https://developer.apple.com/documentation/foundation/propertylistserialization/propertylistformat
    public typealias PropertyListFormat = PropertyListDecoder.PropertyListFormat

    /// https://developer.apple.com/documentation/foundation/propertylistserialization/mutabilityoptions
    public struct MutabilityOptions: OptionSet, Sendable {
        /// https://developer.apple.com/documentation/foundation/propertylistserialization/mutabilityoptions/rawvalue
        public let rawValue: UInt

        /// https://developer.apple.com/documentation/foundation/propertylistserialization/mutabilityoptions/init(rawvalue:)
        public init(rawValue: UInt) { fatalError() }
    }

    /// https://developer.apple.com/documentation/foundation/propertylistserialization/readoptions
    public typealias ReadOptions = PropertyListSerialization.MutabilityOptions
    /// https://developer.apple.com/documentation/foundation/propertylistserialization/writeoptions
    public typealias WriteOptions = Int

    /// https://developer.apple.com/documentation/foundation/propertylistserialization/data(frompropertylist:format:options:)
    open class func data(
        fromPropertyList plist: Any,
        format: PropertyListSerialization.PropertyListFormat,
        options opt: PropertyListSerialization.WriteOptions,
    ) throws -> Data { fatalError() }
    /// https://developer.apple.com/documentation/foundation/propertylistserialization/propertylist(from:options:format:)
    open class func propertyList(
        from data: Data,
        options opt: PropertyListSerialization.ReadOptions = [],
        format: UnsafeMutablePointer<PropertyListSerialization.PropertyListFormat>?,
    ) throws -> Any { fatalError() }
}

// A case there; one can't be added to the enum from here.
/// https://developer.apple.com/documentation/foundation/jsondecoder/datedecodingstrategy
extension JSONDecoder.DateDecodingStrategy {
    /// https://developer.apple.com/documentation/foundation/jsondecoder/datedecodingstrategy/formatted(_:)
    public static func formatted(_ formatter: DateFormatter) -> JSONDecoder.DateDecodingStrategy { fatalError() }
}

// A case there, too.
/// https://developer.apple.com/documentation/foundation/jsonencoder/dateencodingstrategy
extension JSONEncoder.DateEncodingStrategy {
    /// https://developer.apple.com/documentation/foundation/jsonencoder/dateencodingstrategy/formatted(_:)
    public static func formatted(_ formatter: DateFormatter) -> JSONEncoder.DateEncodingStrategy { fatalError() }
}
