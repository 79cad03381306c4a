#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The shape of Qiita's API v2, key by key.

nonisolated extension Author {
    var json: JSON {
        [
            "description": .optional(about),
            "facebook_id": nil,
            "followees_count": .integer(followers / 3),
            "followers_count": .integer(followers),
            "github_login_name": .optional(gitHubLogin),
            "id": .string(id),
            "items_count": .integer(itemCount),
            "linkedin_id": nil,
            "location": .optional(location),
            "name": .string(name),
            "organization": nil,
            "permanent_id": .integer(permanentID),
            "profile_image_url": .string("https://qiita-image-store.example/\(permanentID)/profile.png"),
            "team_only": false,
            "twitter_screen_name": nil,
            "website_url": nil,
        ]
    }

    /// The data that only the user sees: the account with its allowance for images.
    var accountJSON: JSON {
        guard case .object(let members) = json else { return json }
        return .object(
            members + [("image_monthly_upload_limit", 1_048_576), ("image_monthly_upload_remaining", 524_288)]
        )
    }
}

nonisolated extension Article {
    func json(isStocked: Bool) -> JSON {
        [
            "rendered_body": .string("<h1>\(title)</h1>\n"),
            "body": .string(body),
            "coediting": false,
            "comments_count": .integer(comments.count),
            "created_at": .date(created),
            "group": nil,
            "id": .string(id),
            "likes_count": .integer(likes),
            "private": false,
            "reactions_count": 0,
            "stocks_count": .integer(stocks + (isStocked ? 1 : 0)),
            "tags": .array(
                tags.map { ["name": .string($0.name), "versions": .array($0.versions.map { .string($0) })] }
            ),
            "title": .string(title),
            "updated_at": .date(updated),
            "url": .string("https://qiita.com/\(author.id)/items/\(id)"),
            "user": author.json,
            "page_views_count": nil,
            "team_membership": nil,
        ]
    }
}

nonisolated extension Remark {
    var json: JSON {
        [
            "body": .string(text),
            "created_at": .date(created),
            "id": .string(id),
            "rendered_body": .string("<p>\(text)</p>\n"),
            "updated_at": .date(created),
            "user": author.json,
        ]
    }
}

nonisolated extension JSON {
    /// A time in Qiita's format: `2000-01-01T00:00:00+00:00`.
    fileprivate static func date(_ seconds: Int) -> JSON {
        .string(Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601).dropLast() + "+00:00")
    }
}
