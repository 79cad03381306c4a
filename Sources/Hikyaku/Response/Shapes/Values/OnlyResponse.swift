/// The model that an array must hold, and no other: what a search by a unique name answers with.
///
/// An array with none or with several is a decoding failure that says so, and so `Response` is no optional. As a part
/// of a ``CombinedResponse`` the array stands under the model's ``KeyedModel/pluralKey``.
public enum OnlyResponse<Model: Decodable>: DecodedPart {
    /// The key of several models.
    public typealias Key = PluralKey<Model>

    /// None: an array with exactly one element can't be missing.
    public static var absentResult: Model? { nil }

    /// Decodes the array's element.
    public static func decode(from decoder: any Decoder) throws -> Model {
        var elements = try decoder.unkeyedContainer()
        guard elements.count ?? 1 == 1, !elements.isAtEnd else { throw notOne(decoder) }
        let model = try elements.decode(Model.self)
        guard elements.isAtEnd else { throw notOne(decoder) }
        return model
    }

    private static func notOne(_ decoder: any Decoder) -> DecodingError {
        DocumentPlace.unacceptable("an array with exactly one element", at: decoder)
    }
}
