import Foundation

/// What libFuzzer hands over: four bytes that choose, and a document.
public struct FuzzInput {
    /// How many bytes choose.
    public static let choiceCount = 4

    /// The bytes that choose; 0 where there are too few.
    public let choices: [UInt8]
    /// The document.
    public let document: Data

    /// Takes an input apart.
    public init(_ start: UnsafePointer<UInt8>?, _ count: Int) {
        let bytes = UnsafeBufferPointer(start: start, count: count)
        choices = (0..<Self.choiceCount).map { $0 < count ? bytes[$0] : 0 }
        document = Data(bytes.dropFirst(Self.choiceCount))
    }

    /// A number below the count, from the bits of a byte that begin at one.
    public func choice(_ byte: Int, bit: UInt8 = 0, of count: Int) -> Int {
        Int(choices[byte] >> bit) % count
    }

    /// A program for types that choose while they are decoded: the bytes that choose, and those of the document.
    public var program: [UInt8] { choices + document.prefix(60) }
}

/// Ends the process, so that libFuzzer keeps the input.
public func violation(_ text: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError("violation: \(text)", file: file, line: line)
}

/// Ends the process where a property doesn't hold.
@inlinable
public func check(
    _ holds: Bool,
    _ text: @autoclosure () -> String,
    file: StaticString = #fileID,
    line: UInt = #line,
) {
    if !holds { violation(text(), file: file, line: line) }
}
