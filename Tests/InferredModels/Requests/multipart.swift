import Foundation
import Hikyaku

nonisolated extension APIEnvironment {
    static let photos: Self = "https://photos.example/v1"
}

/// Authorized by `client.authorized(by: .apiKey(key, in: .header("X-API-Key")), for: .photos)`.
struct CreatePhoto: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var title: String
    var rating: Int
    var photo: MultipartPart
    var tags: [String]
    var meta: CreatePhotoMeta

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .photos }
    var path: RequestPath { "/photos" }
    var body: RequestBody? {
        var parts: [MultipartPart] = []
        parts.append(.value("title", title))
        parts.append(.value("rating", rating))
        parts.append(photo.named("photo"))
        for value in tags { parts.append(.value("tags", value)) }
        parts.append(.json("meta", meta))
        return .multipart(parts)
    }
}

/// Inferred from one object, so that all that it has is required.
struct CreatePhotoMeta: APIModel, Codable, Hashable {
    var width: Int
    var takenAt: Date

    private enum CodingKeys: String, CodingKey {
        case width
        case takenAt = "taken_at"
    }
}
