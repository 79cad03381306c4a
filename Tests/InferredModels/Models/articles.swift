import Foundation
import Hikyaku

/// Inferred from 3 objects; what is missing or null in one of them is Optional.
struct Article: APIModel, Codable, Hashable, Identifiable {
    var renderedBody: String
    var body: String
    var coediting: Bool
    var commentsCount: Int
    var createdAt: Date
    var group: ArticleGroup?
    var id: String
    var likesCount: Int
    var `private`: Bool
    var reactionsCount: Int
    var stocksCount: Int
    var tags: [Tag]
    var title: String
    var updatedAt: Date
    var url: URL
    var user: User
    var pageViewsCount: JSONValue?
    var teamMembership: TeamMembership
    var slide: Bool

    private enum CodingKeys: String, CodingKey {
        case renderedBody = "rendered_body"
        case body, coediting
        case commentsCount = "comments_count"
        case createdAt = "created_at"
        case group, id
        case likesCount = "likes_count"
        case `private`
        case reactionsCount = "reactions_count"
        case stocksCount = "stocks_count"
        case tags, title
        case updatedAt = "updated_at"
        case url, user
        case pageViewsCount = "page_views_count"
        case teamMembership = "team_membership"
        case slide
    }
}

struct ArticleGroup: APIModel, Codable, Hashable {
    var createdAt: Date
    var description: String
    var name: String
    var `private`: Bool
    var updatedAt: Date
    var urlName: String

    private enum CodingKeys: String, CodingKey {
        case createdAt = "created_at"
        case description, name, `private`
        case updatedAt = "updated_at"
        case urlName = "url_name"
    }
}

struct Tag: APIModel, Codable, Hashable {
    var name: String
    var versions: [String]
}

struct User: APIModel, Codable, Hashable, Identifiable {
    var description: String
    var facebookID: String?
    var followeesCount: Int
    var id: String
    var name: String
    var permanentID: Int
    var profileImageURL: URL
    var teamOnly: Bool
    var websiteURL: URL

    private enum CodingKeys: String, CodingKey {
        case description
        case facebookID = "facebook_id"
        case followeesCount = "followees_count"
        case id, name
        case permanentID = "permanent_id"
        case profileImageURL = "profile_image_url"
        case teamOnly = "team_only"
        case websiteURL = "website_url"
    }
}

struct TeamMembership: APIModel, Codable, Hashable {
    var name: String
}
