/// Models in an array: the body as a whole, or under the model's ``KeyedModel/pluralKey`` as a part of a
/// ``CombinedResponse``.
public enum ArrayResponse<Model: Decodable>: DecodedPart {
    /// The models in their order.
    public typealias Result = [Model]

    /// The key of several models.
    public typealias Key = PluralKey<Model>

    /// Decodes the body.
    public static func read(_ response: BufferedResponse) throws -> [Model] { try response.decode([Model].self) }
}
