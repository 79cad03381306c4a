/// One model: the body as a whole, or under the model's ``KeyedModel/singleKey`` as a part of a ``CombinedResponse``.
public enum SingleResponse<Model: Decodable>: ValueResponseDefinition {
    /// The model.
    public typealias Result = Model

    /// Decodes the body.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> Model {
        try await Decoded<Model>.read(response, context: context)
    }
}

extension SingleResponse: DataResponseDefinition where Model: KeyedModel {
    /// The model's key.
    public static var path: ResponsePath { ResponsePath(key: Model.singleKey) }
}
