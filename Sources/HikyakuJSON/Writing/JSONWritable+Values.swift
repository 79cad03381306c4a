#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension String: JSONWritable {
    /// Writes the text in quotation marks.
    public func write(to writer: inout JSONWriter) throws {
        try writer.beginValue()
        writer.bytes.appendQuoted(self)
        writer.endValue()
    }
}

extension URL: JSONWritable {
    /// Writes the absolute URL as a text.
    public func write(to writer: inout JSONWriter) throws {
        try absoluteString.write(to: &writer)
    }
}

extension UUID: JSONWritable {
    /// Writes 36 characters in capitals.
    public func write(to writer: inout JSONWriter) throws {
        try writer.beginValue()
        writer.bytes.appendQuoted(self)
        writer.endValue()
    }
}

extension Date: JSONWritable {
    /// Writes the date as the encoder's strategy for dates has it.
    public func write(to writer: inout JSONWriter) throws {
        switch writer.settings.dates {
        case .iso8601: try writer.appendInternetDate(self, hasFraction: true)
        case .iso8601WholeSeconds: try writer.appendInternetDate(self, hasFraction: false)
        case .secondsSince1970: try writer.appendNumber(timeIntervalSince1970)
        case .millisecondsSince1970: try writer.appendNumber(timeIntervalSince1970 * 1000)
        case .deferredToDate: try writer.appendNumber(timeIntervalSinceReferenceDate)
        case .custom(let encode): try writer.encode(by: { encoder in try encode(self, encoder) })
        }
    }
}

extension Data: JSONWritable {
    /// Writes the bytes as the encoder's strategy for data has it.
    public func write(to writer: inout JSONWriter) throws {
        switch writer.settings.data {
        case .base64: try writer.appendBase64(self, .standard)
        case .base64URL: try writer.appendBase64(self, .url)
        case .deferredToData: try writer.writeArray { writer in for byte in self { try byte.write(to: &writer) } }
        case .custom(let encode): try writer.encode(by: { encoder in try encode(self, encoder) })
        }
    }
}

extension JSONWriter {
    fileprivate mutating func appendInternetDate(_ date: Date, hasFraction: Bool) throws {
        guard let milliseconds = ByteBuffer.milliseconds(of: date) else {
            // The error holds no date: Foundation on Linux traps when it describes one that is far away.
            throw failure(
                """
                ISO 8601 holds the years 0 to 9999, and the date is \(date.timeIntervalSince1970) seconds from 1970. \
                Leave it out, or write it by another dateEncodingStrategy.
                """,
                value: date.timeIntervalSince1970,
            )
        }
        try beginValue()
        bytes.appendQuotedDate(milliseconds: milliseconds, hasFraction: hasFraction)
        endValue()
    }

    fileprivate mutating func appendBase64(_ data: Data, _ alphabet: ByteBuffer.Base64Alphabet) throws {
        try beginValue()
        bytes.appendQuoted(data, alphabet)
        endValue()
    }
}
