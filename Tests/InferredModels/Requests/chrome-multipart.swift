import Hikyaku

nonisolated extension APIEnvironment {
    static let avatars: Self = "https://avatars.example"
}

struct CreateAvatar: APIRequest {
    typealias Response = JSONValue

    var userID: Int
    var file: MultipartPart

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .avatars }
    var path: RequestPath { "/avatars" }
    var body: RequestBody? {
        var parts: [MultipartPart] = []
        parts.append(.value("user_id", userID))
        parts.append(file.named("file"))
        return .multipart(parts)
    }
}
