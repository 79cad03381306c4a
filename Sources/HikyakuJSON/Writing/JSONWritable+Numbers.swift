#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSONWriter {
    @inline(__always) fileprivate mutating func appendInteger(_ value: some SignedInteger & FixedWidthInteger) throws {
        try beginValue()
        bytes.append(value)
        endValue()
    }

    @inline(__always) fileprivate mutating func appendInteger(_ value: some UnsignedInteger & FixedWidthInteger) throws
    {
        try beginValue()
        bytes.append(value)
        endValue()
    }

    mutating func appendNumber(_ value: Double) throws {
        guard value.isFinite else { return try appendNonConforming(value) }
        try beginValue()
        bytes.appendFinite(value)
        endValue()
    }

    mutating func appendNumber(_ value: Float) throws {
        guard value.isFinite else { return try appendNonConforming(value) }
        try beginValue()
        bytes.appendFinite(value)
        endValue()
    }

    /// What the strategy has for an infinity or for what is not a number.
    @inline(never) fileprivate mutating func appendNonConforming(_ value: some FloatingPoint) throws {
        guard let text = settings.text(ofNonConforming: value) else {
            throw failure(EncodingSettings.nonConforming(value), value: value)
        }
        try beginValue()
        bytes.appendQuoted(text)
        endValue()
    }
}

extension EncodingSettings {
    func text(ofNonConforming value: some FloatingPoint) -> String? {
        guard case .convertToString(let positiveInfinity, let negativeInfinity, let nan) = nonConformingFloats else {
            return nil
        }
        return value.isNaN ? nan : value.sign == .minus ? negativeInfinity : positiveInfinity
    }

    static func nonConforming(_ value: some FloatingPoint) -> String {
        """
        JSON has no number for \(value). Leave it out, or set nonConformingFloatEncodingStrategy to a text that stands \
        for it.
        """
    }
}

extension Bool: JSONWritable {
    /// Writes `true` or `false`.
    public func write(to writer: inout JSONWriter) throws {
        try writer.beginValue()
        writer.bytes.append(self ? "true" : "false")
        writer.endValue()
    }
}

extension Int: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension Int8: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension Int16: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension Int32: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension Int64: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension UInt: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension UInt8: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension UInt16: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension UInt32: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

extension UInt64: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendInteger(self)
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension Int128: JSONWritable {
    /// Writes all digits, more than many readers keep.
    public func write(to writer: inout JSONWriter) throws {
        try writer.beginValue()
        writer.bytes.appendWide(self)
        writer.endValue()
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension UInt128: JSONWritable {
    /// Writes all digits, more than many readers keep.
    public func write(to writer: inout JSONWriter) throws {
        try writer.beginValue()
        writer.bytes.appendWide(self)
        writer.endValue()
    }
}

extension Double: JSONWritable {
    /// Writes the shortest digits that read back as the same number, or what the strategy has for one that isn't
    /// finite.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendNumber(self)
    }
}

extension Float: JSONWritable {
    /// Writes the shortest digits that read back as the same number, or what the strategy has for one that isn't
    /// finite.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendNumber(self)
    }
}

extension Decimal: JSONWritable {
    /// Writes all digits; for `NaN`, what the strategy has for a number that isn't finite.
    public func write(to writer: inout JSONWriter) throws {
        guard !isNaN else { return try writer.appendNonConforming(Double.nan) }
        var text = description
        try writer.beginValue()
        text.withUTF8 { writer.bytes.append($0) }
        writer.endValue()
    }
}
