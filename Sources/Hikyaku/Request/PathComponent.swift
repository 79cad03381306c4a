#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A value that can stand in a path: `"/items/\(id)"`.
///
/// Texts, integers and UUIDs are such values. An enum or identifier of one's own that has a raw value becomes one by a
/// line: `extension ItemID: PathComponent {}`. An Optional is none, so that a missing value can't silently make another
/// path.
public protocol PathComponent: Sendable {
    /// The text before percent-encoding; whatever it holds stays inside its segment.
    var pathComponent: String { get }
}

extension PathComponent where Self: RawRepresentable, RawValue: PathComponent {
    /// The text of the raw value.
    public var pathComponent: String { rawValue.pathComponent }
}

extension PathComponent where Self: FixedWidthInteger {
    /// The decimal digits.
    public var pathComponent: String { String(self) }
}

extension String: PathComponent {
    /// The text itself.
    public var pathComponent: String { self }
}

extension Substring: PathComponent {
    /// The text itself.
    public var pathComponent: String { String(self) }
}

extension UUID: PathComponent {
    /// The 36 characters in upper case.
    public var pathComponent: String { uuidString }
}

extension Int: PathComponent {}
extension Int8: PathComponent {}
extension Int16: PathComponent {}
extension Int32: PathComponent {}
extension Int64: PathComponent {}
extension UInt: PathComponent {}
extension UInt8: PathComponent {}
extension UInt16: PathComponent {}
extension UInt32: PathComponent {}
extension UInt64: PathComponent {}
