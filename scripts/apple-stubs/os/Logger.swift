// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

import Darwin

// A class of Objective-C there, which has no public initializer without arguments.
/// https://developer.apple.com/documentation/os/oslog
open class OSLog: @unchecked Sendable {
    /// https://developer.apple.com/documentation/os/oslog/category
    public struct Category: RawRepresentable, Sendable {
        /// https://developer.apple.com/documentation/os/oslog/category/rawvalue
        public let rawValue: String

        /// https://developer.apple.com/documentation/os/oslog/category/init(rawvalue:)
        public init(rawValue: String) { fatalError() }
    }
    /// https://developer.apple.com/documentation/os/oslog/default
    public class var `default`: OSLog { fatalError() }

    /// https://developer.apple.com/documentation/os/oslog
    public init(subsystem: String, category: String) { fatalError() }
    /// https://developer.apple.com/documentation/os/oslog
    public convenience init(subsystem: String, category: OSLog.Category) { fatalError() }
}

/// https://developer.apple.com/documentation/os/oslogtype
public struct OSLogType: RawRepresentable, Equatable, Sendable {
    /// https://developer.apple.com/documentation/os/oslogtype/rawvalue
    public let rawValue: UInt8

    /// https://developer.apple.com/documentation/os/oslogtype/default
    public static var `default`: OSLogType { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogtype/info
    public static var info: OSLogType { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogtype/debug
    public static var debug: OSLogType { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogtype/error
    public static var error: OSLogType { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogtype/fault
    public static var fault: OSLogType { fatalError() }

    /// https://developer.apple.com/documentation/os/oslogtype/init(_:)
    public init(_ rawValue: UInt8) { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogtype/init(rawvalue:)
    public init(rawValue: UInt8) { fatalError() }
}

/// https://developer.apple.com/documentation/os/logger
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct Logger: @unchecked Sendable {
    /// https://developer.apple.com/documentation/os/logger/init(subsystem:category:)
    public init(subsystem: String, category: String) { fatalError() }
    /// https://developer.apple.com/documentation/os/logger/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/os/logger/init(_:)
    public init(_ logObj: OSLog) { fatalError() }

    /// https://developer.apple.com/documentation/os/logger/log(_:)
    public func log(_ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/log(level:_:)
    public func log(level: OSLogType, _ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/trace(_:)
    public func trace(_ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/debug(_:)
    public func debug(_ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/info(_:)
    public func info(_ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/notice(_:)
    public func notice(_ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/warning(_:)
    public func warning(_ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/error(_:)
    public func error(_ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/critical(_:)
    public func critical(_ message: OSLogMessage) {}
    /// https://developer.apple.com/documentation/os/logger/fault(_:)
    public func fault(_ message: OSLogMessage) {}
}

/// https://developer.apple.com/documentation/os/oslogprivacy
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct OSLogPrivacy: Sendable {
    /// https://developer.apple.com/documentation/os/oslogprivacy/mask
    public enum Mask: Sendable {
        /// https://developer.apple.com/documentation/os/oslogprivacy/mask/hash
        case hash
        /// https://developer.apple.com/documentation/os/oslogprivacy/mask/none
        case none
    }

    /// https://developer.apple.com/documentation/os/oslogprivacy/public
    public static var `public`: OSLogPrivacy { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogprivacy/private
    public static var `private`: OSLogPrivacy { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogprivacy/sensitive
    public static var sensitive: OSLogPrivacy { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogprivacy/auto
    public static var auto: OSLogPrivacy { fatalError() }

    /// https://developer.apple.com/documentation/os/oslogprivacy/private(mask:)
    public static func `private`(mask: OSLogPrivacy.Mask) -> OSLogPrivacy { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogprivacy/sensitive(mask:)
    public static func sensitive(mask: OSLogPrivacy.Mask) -> OSLogPrivacy { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogprivacy/auto(mask:)
    public static func auto(mask: OSLogPrivacy.Mask) -> OSLogPrivacy { fatalError() }
}

/// https://developer.apple.com/documentation/os/oslogboolformat
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public enum OSLogBoolFormat: Sendable {
    /// https://developer.apple.com/documentation/os/oslogboolformat/truth
    case truth
    /// https://developer.apple.com/documentation/os/oslogboolformat/answer
    case answer
}

/// https://developer.apple.com/documentation/os/oslogintegerformatting
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct OSLogIntegerFormatting: Sendable {
    /// https://developer.apple.com/documentation/os/oslogintegerformatting/decimal
    public static var decimal: OSLogIntegerFormatting { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogintegerformatting/hex
    public static var hex: OSLogIntegerFormatting { fatalError() }
}

/// https://developer.apple.com/documentation/os/oslogfloatformatting
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct OSLogFloatFormatting: Sendable {
    /// https://developer.apple.com/documentation/os/oslogfloatformatting/fixed
    public static var fixed: OSLogFloatFormatting { fatalError() }

    /// https://developer.apple.com/documentation/os/oslogfloatformatting/fixed(precision:)
    public static func fixed(precision: @autoclosure @escaping () -> Int) -> OSLogFloatFormatting { fatalError() }
}

/// https://developer.apple.com/documentation/os/oslogstringalignment
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct OSLogStringAlignment: Sendable {
    /// https://developer.apple.com/documentation/os/oslogstringalignment/none
    public static var none: OSLogStringAlignment { fatalError() }

    /// https://developer.apple.com/documentation/os/oslogstringalignment/left(columns:)
    public static func left(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogstringalignment/right(columns:)
    public static func right(columns: @autoclosure @escaping () -> Int) -> OSLogStringAlignment { fatalError() }
}

// Values have to be named with `self.` in closures, since the arguments are autoclosures.
/// https://developer.apple.com/documentation/os/osloginterpolation
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct OSLogInterpolation: StringInterpolationProtocol {
    /// https://developer.apple.com/documentation/os/osloginterpolation/init(literalcapacity:interpolationcount:)
    public init(literalCapacity: Int, interpolationCount: Int) { fatalError() }

    /// https://developer.apple.com/documentation/os/osloginterpolation/appendliteral(_:)
    public mutating func appendLiteral(_ literal: String) {}
    /// https://developer.apple.com/documentation/os/osloginterpolation
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
    ) {}
    /// https://developer.apple.com/documentation/os/osloginterpolation
    public mutating func appendInterpolation<T: CustomStringConvertible>(
        _ value: @autoclosure @escaping () -> T,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
    ) {}
    /// https://developer.apple.com/documentation/os/osloginterpolation
    public mutating func appendInterpolation(
        _ value: @autoclosure @escaping () -> Any.Type,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
    ) {}
    /// https://developer.apple.com/documentation/os/osloginterpolation
    public mutating func appendInterpolation<T: FixedWidthInteger>(
        _ number: @autoclosure @escaping () -> T,
        format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
    ) {}
    /// https://developer.apple.com/documentation/os/osloginterpolation
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Double,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
    ) {}
    /// https://developer.apple.com/documentation/os/osloginterpolation
    public mutating func appendInterpolation(
        _ number: @autoclosure @escaping () -> Float,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
    ) {}
    /// https://developer.apple.com/documentation/os/osloginterpolation/appendinterpolation(_:format:privacy:)
    public mutating func appendInterpolation(
        _ boolean: @autoclosure @escaping () -> Bool,
        format: OSLogBoolFormat = .truth,
        privacy: OSLogPrivacy = .auto,
    ) {}
}

/// https://developer.apple.com/documentation/os/oslogmessage
@available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
public struct OSLogMessage: ExpressibleByStringInterpolation, ExpressibleByStringLiteral {
    /// https://developer.apple.com/documentation/os/oslogmessage/init(stringinterpolation:)
    public init(stringInterpolation: OSLogInterpolation) { fatalError() }
    /// https://developer.apple.com/documentation/os/oslogmessage/init(stringliteral:)
    public init(stringLiteral value: String) { fatalError() }
}
