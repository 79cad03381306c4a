import Hikyaku

nonisolated extension APIEnvironment {
    static let telegram: Self = "https://api.telegram.org"
}

struct PostSendMessage: APIRequest {
    typealias Response = JSONValue

    var id: String
    var content: PostSendMessageBody

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .telegram }
    var path: RequestPath { "/\(id)/sendMessage" }
    var body: RequestBody? { .json(content) }
}

/// Inferred from one object, so that all that it has is required.
struct PostSendMessageBody: APIModel, Codable, Hashable {
    var chatID: Int64
    var text: String
    var disableNotification: Bool

    private enum CodingKeys: String, CodingKey {
        case chatID = "chat_id"
        case text
        case disableNotification = "disable_notification"
    }
}
