import Hikyaku
import HikyakuBroadcast

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An article; its subscribers receive its state from every response.
struct Item: Decodable, HubModel {
    let id: String
    let title: String
    let body: String
    let url: URL
    let createdAt: Date
    let updatedAt: Date
    let likesCount: Int
    var stocksCount: Int
    let commentsCount: Int
    let tags: [Tag]
    let user: User

    enum CodingKeys: String, CodingKey {
        case id, title, body, url, tags, user
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case likesCount = "likes_count"
        case stocksCount = "stocks_count"
        case commentsCount = "comments_count"
    }
}

/// A tag of an item.
struct Tag: APIModel, Decodable {
    let name: String
    let versions: [String]
}

/// An author of items and comments.
struct User: APIModel, Decodable, Identifiable {
    let id: String
    let name: String
    let description: String?
    let location: String?
    let githubLoginName: String?
    let itemsCount: Int
    let followersCount: Int

    enum CodingKeys: String, CodingKey {
        case id, name, description, location
        case githubLoginName = "github_login_name"
        case itemsCount = "items_count"
        case followersCount = "followers_count"
    }
}

/// A comment on an item.
struct Comment: APIModel, Decodable, Identifiable {
    let id: String
    let body: String
    let createdAt: Date
    let user: User

    enum CodingKeys: String, CodingKey {
        case id, body, user
        case createdAt = "created_at"
    }
}

/// A wrong model of an item, made from one response only, in which every author had a GitHub account.
struct MisreadItem: APIModel, Decodable {
    struct Author: Decodable, Sendable {
        let id: String
        let githubLoginName: String

        enum CodingKeys: String, CodingKey {
            case id
            case githubLoginName = "github_login_name"
        }
    }

    let id: String
    let user: Author
}

/// An access token with its refresh token.
struct TokenPair: APIModel, Decodable {
    let token: String
    let refreshToken: String

    private enum CodingKeys: String, CodingKey {
        case token
        case refreshToken = "refresh_token"
    }

    /// The same as the library's type.
    var issued: IssuedToken { IssuedToken(token: Secret(token), refreshToken: Secret(refreshToken)) }
}
