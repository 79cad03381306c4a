/// A key of any text.
struct TextKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ text: String) { stringValue = text }
    init(stringLiteral text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
}

extension RandomNumberGenerator {
    /// Whether something happens that does so once in `count` times on average.
    mutating func isOne(of count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element where Choices.Index == Int {
        choices[Int.random(in: choices.startIndex..<choices.endIndex, using: &self)]
    }
}
