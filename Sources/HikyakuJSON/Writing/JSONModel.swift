/// A model that reads and writes itself, and for which the compiler makes nothing: what generated models are.
///
/// From `init(from:)` of ``JSONReadable`` and `write(to:)` of ``JSONWritable`` follow `Codable`, for decoders and
/// encoders of others too, and `Hashable`: two models are equal when they write the same document, whatever the order
/// of its keys. That takes as long as writing both; a model that is compared often, or that holds a `Set`, declares its
/// own `==` and `hash(into:)`.
public protocol JSONModel: JSONReadable, JSONWritable, Codable, Hashable, Sendable {}

extension JSONModel {
    /// Reads the model from any decoder.
    ///
    /// With ``HikyakuJSONDecoder`` it is read directly, by its strategies, also where another type's `init(from:)`
    /// hands over its own decoder. With a decoder of others, dates and data are expected in ISO 8601 and base64,
    /// whatever its strategies, and keys as the model names them.
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
    /// With ``HikyakuJSONEncoder`` it is written directly, by its strategies, also where another type's `encode(to:)`
    /// hands over its own encoder; if that has members besides, the model's are put among them. With an encoder of
    /// others, dates and data are written in ISO 8601 and base64, whatever its strategies.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? StreamEncoder {
            return try encoder.session.encodeMembers(of: self, at: encoder.position)
        }
        let document = try HikyakuJSONEncoder().write(self)
        try HikyakuJSONDecoder().read(JSONValue.self, from: document).encode(to: encoder)
    }

    /// Whether both write the same document, with dates to their last digit; of two that can't be written, whether both
    /// fail alike.
    public static func == (one: Self, other: Self) -> Bool {
        one.comparedDocument == other.comparedDocument
    }

    /// Feeds the document that the model writes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(comparedDocument)
    }

    /// The document with its keys in order; where the model can't be written, why.
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
