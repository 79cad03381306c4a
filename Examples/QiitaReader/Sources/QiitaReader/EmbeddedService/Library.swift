#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The data of the embedded service: users, articles from the newest to the oldest, and comments.
nonisolated struct Library: Sendable {
    let users: [Author]
    let articles: [Article]

    /// Creates the same library for the same seed.
    init(articleCount: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let users = Vocabulary.families.flatMap { family in
            Vocabulary.givens.map { given in Author(family: family, given: given, &random) }
        }
        var time = 1_767_225_600  // The first moment of 2026, in seconds since 1970.
        self.users = users
        articles = (0..<articleCount).map { _ in
            time -= random.number(in: 600...86_400)
            return Article(created: time, users: users, &random)
        }
    }

    func article(id: String) -> Article? {
        articles.first { $0.id == id }
    }

    /// The articles that match all words of a search: `tag:Swift`, `user:sato_ken`, `title:…`, or a text.
    func articles(matching search: String) -> [Article] {
        let words = search.split(separator: " ").map { $0.lowercased() }
        return words.isEmpty ? articles : articles.filter { article in words.allSatisfy(article.fits) }
    }
}

/// A user of the embedded service.
nonisolated struct Author: Sendable {
    let id: String
    let name: String
    let about: String?
    let location: String?
    let gitHubLogin: String?
    let permanentID: Int
    let followers: Int
    let itemCount: Int

    init(family: (String, String), given: (String, String), _ random: inout SeededGenerator) {
        id = "\(family.1)_\(given.1)"
        name = family.0 + given.0
        about = random.once(in: 3) ? nil : "\(random.pick(Vocabulary.topics).name)が好きな開発者です。"
        location = random.once(in: 3) ? nil : random.pick(Vocabulary.places)
        gitHubLogin = random.once(in: 4) ? nil : "\(given.1)-\(family.1)"
        permanentID = random.number(in: 1...999_999)
        followers = random.number(in: 0...2000)
        itemCount = random.number(in: 1...120)
    }
}

/// An article of the embedded service.
nonisolated struct Article: Sendable {
    let id: String
    let title: String
    let body: String
    let tags: [(name: String, versions: [String])]
    let author: Author
    let created: Int
    let updated: Int
    let likes: Int
    let stocks: Int
    let comments: [Remark]

    init(created: Int, users: [Author], _ random: inout SeededGenerator) {
        let topic = random.pick(Vocabulary.topics)
        let other = random.pick(Vocabulary.topics)
        let subject = random.pick(Vocabulary.subjects)
        id = random.hexadecimal(digits: 20)
        title = "\(topic.name)：\(subject)\(random.pick(Vocabulary.endings))"
        let sentences = (0..<random.number(in: 3...6)).map { _ in random.pick(Vocabulary.sentences) }
        body = "# \(subject)とは\n\n\(sentences.joined())\n\n以上、\(topic.name)の\(subject)でした。\n"
        tags = topic.name == other.name ? [topic] : [topic, other]
        author = random.pick(users)
        self.created = created
        updated = created + random.number(in: 0...500_000)
        likes = random.number(in: 0...40) * random.number(in: 0...40)
        stocks = likes / 2
        comments = (0..<max(0, random.number(in: -3...4))).map { _ in
            Remark(after: created, author: random.pick(users), &random)
        }
    }

    fileprivate func fits(_ word: String) -> Bool {
        if word.hasPrefix("tag:") { return tags.contains { $0.name.lowercased() == word.dropFirst(4) } }
        if word.hasPrefix("user:") { return author.id == word.dropFirst(5) }
        if word.hasPrefix("title:") { return title.lowercased().contains(word.dropFirst(6)) }
        return title.lowercased().contains(word) || body.lowercased().contains(word)
    }
}

/// A comment of the embedded service.
nonisolated struct Remark: Sendable {
    let id: String
    let text: String
    let author: Author
    let created: Int

    init(after moment: Int, author: Author, _ random: inout SeededGenerator) {
        id = random.hexadecimal(digits: 20)
        text = random.pick(Vocabulary.remarks)
        self.author = author
        created = moment + random.number(in: 60...400_000)
    }
}
