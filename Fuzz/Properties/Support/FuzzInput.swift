import Foundation

/// What libFuzzer hands over: four bytes that choose, and a document.
struct FuzzInput {
    /// How many bytes choose.
    static let choiceCount = 4

    /// The bytes that choose; 0 where there are too few.
    let choices: [UInt8]
    /// The document.
    let document: Data

    /// Takes an input apart.
    init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        let bytes = UnsafeBufferPointer(start: start, count: count)
        choices = (0..<Self.choiceCount).map { $0 < count ? bytes[$0] : 0 }
        document = Data(bytes.dropFirst(Self.choiceCount))
    }

    /// A number below the count, from the bits of a byte that begin at one.
    func choice(_ byte: Int, bit: UInt8 = 0, of count: Int) -> Int {
        Int(choices[byte] >> bit) % count
    }

    /// The document in pieces, whose lengths the last two bytes that choose give in turns; some are empty.
    func pieces() -> [Data] {
        var rest = document
        var pieces: [Data] = []
        while !rest.isEmpty {
            let size = Int(choices[2 + pieces.count % 2]) % 40
            // One of the two sizes may be 0, and not both for ever.
            let length = pieces.count % 4 == 3 ? max(1, size) : size
            pieces.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return pieces
    }

    /// A program for types that choose while they are decoded: the bytes that choose, and those of the document.
    var program: [UInt8] { choices + document.prefix(60) }
}

/// What a broken property leads to.
enum Violation {
    /// A test records the text; a fuzzer has nothing here, and ends.
    @TaskLocal static var record: (@Sendable (String) -> Void)?
}

/// Says that a property doesn't hold: a fuzzer ends, so that libFuzzer keeps the input.
func violation(_ text: String, file: StaticString = #fileID, line: UInt = #line) {
    guard let record = Violation.record else { fatalError("violation: \(text)", file: file, line: line) }
    record("\(text) (\(file):\(line))")
}

/// Says where a property doesn't hold.
func check(
    _ holds: Bool,
    _ text: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line,
) {
    if !holds { violation(text(), file: file, line: line) }
}
