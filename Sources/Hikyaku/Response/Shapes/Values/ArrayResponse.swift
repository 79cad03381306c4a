/// Models in an array: the body as a whole, or under the model's ``KeyedModel/pluralKey`` as a part of a
/// ``CombinedResponse``.
public enum ArrayResponse<Model: Decodable>: ValueResponseDefinition {
    /// The models in their order.
    public typealias Result = [Model]

    /// Decodes the body.
    public static func read(_ response: HTTPResponse, context: ResponseContext) async throws -> [Model] {
        try await Decoded<[Model]>.read(response, context: context)
    }
}

extension ArrayResponse: DataResponseDefinition where Model: KeyedModel {
    /// The key of several models.
    public static var path: ResponsePath { ResponsePath(key: Model.pluralKey) }
}
