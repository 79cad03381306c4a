/// One model: the body as a whole, or under the model's ``KeyedModel/singleKey`` as a part of a ``CombinedResponse``.
public enum SingleResponse<Model: Decodable>: DecodedPart {
    /// The model.
    public typealias Result = Model

    /// The model's key.
    public typealias Key = SingleKey<Model>

    /// Decodes the body.
    public static func read(_ response: BufferedResponse) throws -> Model { try response.decode(Model.self) }
}
