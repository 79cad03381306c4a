/// A type that reads and writes itself in JSON, and derives `Codable` from that.
///
/// The conformance to `Codable`, also for other decoders and encoders, is derived from `init(from:)` of
/// ``JSONReadable`` and `write(to:)` of ``JSONWritable``. `Hashable` is not: a type that declares it too gets `==` and
/// `hash(into:)` from the compiler, which compare the properties. That is faster than the comparison of a ``JSONModel``
/// and takes longer to compile.
///
/// ```swift
/// struct Article: JSONCodable, Hashable {
///     var id: Int
///
///     init(from reader: inout JSONReader) throws {
///         try reader.beginObject()
///         id = try reader.member("id")
///         try reader.endObject()
///     }
///
///     func write(to writer: inout JSONWriter) throws {
///         try writer.beginObject()
///         try writer.member("id", id)
///         try writer.endObject()
///     }
/// }
/// ```
public protocol JSONCodable: JSONReadable, JSONWritable, Codable, APIModel {}

/// A model that reads and writes itself, without synthesized conformances.
///
/// ```swift
/// struct Tag: JSONModel {
///     var name: String
///
///     init(from reader: inout JSONReader) throws {
///         try reader.beginObject()
///         name = try reader.member("name")
///         try reader.endObject()
///     }
///
///     func write(to writer: inout JSONWriter) throws {
///         try writer.beginObject()
///         try writer.member("name", name)
///         try writer.endObject()
///     }
/// }
/// ```
/// The conformance to `Codable` is that of ``JSONCodable``. `Hashable` is derived from `write(to:)`, too: two models
/// are equal if they write the same document, regardless of the order of keys. A comparison takes as long as writing
/// both models. A model that is compared often, or that contains a `Set`, should declare its own `==` and
/// `hash(into:)`, or conform to ``JSONCodable`` and `Hashable` instead.
public protocol JSONModel: JSONCodable, Hashable {}

extension JSONCodable {
    /// Reads the model from any decoder.
    ///
    /// ``HikyakuJSONDecoder`` reads it directly by its strategies, even if another type's `init(from:)` passes on its
    /// own decoder. For any other decoder, dates must be in ISO 8601 and data in base64, whatever its strategies.
    /// Keys must be those of the model.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? ValueDecoder {
            try decoder.session.checkStack(at: decoder.place)
            self = try decoder.session.read(at: decoder.place) { try Self(from: &$0) }
            return
        }
        let document = try HikyakuJSONEncoder().encode(JSONValue(from: decoder))
        do {
            self = try HikyakuJSONDecoder().read(Self.self, from: document)
        } catch let diagnosis as DecodingDiagnosis {
            // The failed value is a part of the decoder's document.
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(Self.self) can't be read",
                    underlyingError: diagnosis,
                )
            )
        }
    }

    /// Writes the model to any encoder.
    ///
    /// ``HikyakuJSONEncoder`` writes it directly by its strategies, even if another type's `encode(to:)` passes on
    /// its own encoder. If that type encodes members too, the model's members are merged with them. For any other
    /// encoder, dates are written in ISO 8601 and data in base64, whatever its strategies.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? StreamEncoder {
            return try encoder.session.encodeMembers(of: self, at: encoder.position)
        }
        let document = try HikyakuJSONEncoder().write(self)
        try HikyakuJSONDecoder().read(JSONValue.self, from: document).encode(to: encoder)
    }
}

extension JSONModel {
    /// Returns whether both models write the same document, with dates at full precision.
    ///
    /// Two models that can't be written are equal if both fail in the same way.
    public static func == (one: Self, other: Self) -> Bool {
        one.comparedDocument == other.comparedDocument
    }

    /// Hashes the document that the model writes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(comparedDocument)
    }

    /// The document with sorted keys, or the reason why the model can't be written.
    private var comparedDocument: [UInt8] {
        var encoder = HikyakuJSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // ISO 8601 hasn't all dates, nor all their digits.
        encoder.dateEncodingStrategy = .deferredToDate
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+",
            negativeInfinity: "-",
            nan: "",
        )
        do {
            return Array(try encoder.write(self))
        } catch EncodingError.invalidValue(_, let context) {
            // Begins with a byte that no document has. The value itself is left out, since not every value can be
            // described.
            let path = context.codingPath.map(\.stringValue)
            return [0] + "\(path): \(context.debugDescription)".utf8
        } catch {
            return [0] + "\(error)".utf8
        }
    }
}
