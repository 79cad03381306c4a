import Foundation
import Hikyaku

/// Inferred from 16 objects; what is missing or null in one of them is Optional.
struct Repository: APIModel, Codable, Hashable, Identifiable {
    var id: Int
    var nodeID: String
    var name: String
    var fullName: String
    var `private`: Bool
    var owner: Owner
    var htmlURL: URL
    var description: String?
    var fork: Bool
    var keysURL: String
    var createdAt: Date
    var updatedAt: Date
    var pushedAt: Date?
    var homepage: String
    var size: Int
    var stargazersCount: Int
    var language: RepositoryLanguage?
    var hasIssues: Bool
    var archived: Bool
    var openIssuesCount: Int
    var license: License?
    var topics: [RepositoryTopic]
    var visibility: RepositoryVisibility
    var defaultBranch: String
    var permissions: Permissions
    var score: Double

    private enum CodingKeys: String, CodingKey {
        case id
        case nodeID = "node_id"
        case name
        case fullName = "full_name"
        case `private`, owner
        case htmlURL = "html_url"
        case description, fork
        case keysURL = "keys_url"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case pushedAt = "pushed_at"
        case homepage, size
        case stargazersCount = "stargazers_count"
        case language
        case hasIssues = "has_issues"
        case archived
        case openIssuesCount = "open_issues_count"
        case license, topics, visibility
        case defaultBranch = "default_branch"
        case permissions, score
    }
}

struct Owner: APIModel, Codable, Hashable, Identifiable {
    var login: String
    var id: Int
    var nodeID: String
    var avatarURL: URL
    var gravatarID: String
    var url: URL
    var followersURL: URL
    var followingURL: String
    var type: OwnerType
    var siteAdmin: Bool

    private enum CodingKeys: String, CodingKey {
        case login, id
        case nodeID = "node_id"
        case avatarURL = "avatar_url"
        case gravatarID = "gravatar_id"
        case url
        case followersURL = "followers_url"
        case followingURL = "following_url"
        case type
        case siteAdmin = "site_admin"
    }
}

/// The values of the samples; others are kept as they are.
struct OwnerType: OpenValue {
    var rawValue: String

    static let user = Self(rawValue: "User")
    static let organization = Self(rawValue: "Organization")
}

/// The values of the samples; others are kept as they are.
struct RepositoryLanguage: OpenValue {
    var rawValue: String

    static let swift = Self(rawValue: "Swift")
    static let c = Self(rawValue: "C")
    static let ruby = Self(rawValue: "Ruby")
}

struct License: APIModel, Codable, Hashable {
    var key: LicenseKey
    var name: String
    var spdxID: String
    var url: URL

    private enum CodingKeys: String, CodingKey {
        case key, name
        case spdxID = "spdx_id"
        case url
    }
}

/// The values of the samples; others are kept as they are.
struct LicenseKey: OpenValue {
    var rawValue: String

    static let mit = Self(rawValue: "mit")
    static let apache20 = Self(rawValue: "apache-2.0")
}

/// The values of the samples; others are kept as they are.
struct RepositoryTopic: OpenValue {
    var rawValue: String

    static let octocat = Self(rawValue: "octocat")
    static let atom = Self(rawValue: "atom")
    static let api = Self(rawValue: "api")
}

/// The values of the samples; others are kept as they are.
struct RepositoryVisibility: OpenValue {
    var rawValue: String

    static let `public` = Self(rawValue: "public")
    static let `private` = Self(rawValue: "private")
    static let `internal` = Self(rawValue: "internal")
}

struct Permissions: APIModel, Codable, Hashable {
    var admin: Bool
    var push: Bool
    var pull: Bool
}
