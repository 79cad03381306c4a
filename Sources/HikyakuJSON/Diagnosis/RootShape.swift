#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The arrays and objects near the root of a document, for advice about how to read it.
///
/// It has keys and no values. A key that may be data, since it isn't written like a name, is left out.
package struct RootShape {
    /// The kind of a value.
    package enum Kind: Sendable {
        case array
        case object
        case other
    }

    /// A member of the root, or of an object in it.
    package struct Member: Sendable {
        /// One or two keys.
        package let path: [String]
        package let kind: Kind
    }

    /// The maximum number of members that are looked at.
    private static let membersMax = 100
    private static let keyBytesMax = 40

    /// The kind of the root.
    package let kind: Kind
    /// The number of the root's elements or members.
    package let count: Int
    /// The members of a root that is an object, those of the root first.
    package private(set) var members: [Member] = []

    /// Creates it from a whole document; `nil` if that isn't JSON.
    package init?(of body: Data) {
        guard let shape = body.withBytes({ Self($0) }) else { return nil }
        self = shape
    }

    private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let index = try? IndexBuilder.index(bytes, from: nil, depthMax: PathSearch.depthMax) else { return nil }
        kind = Kind(index[0].kind)
        count = index[0].isContainer ? index.members(of: 0) : 0
        guard kind == .object else { return }
        var inner: [Member] = []
        for (key, value) in Self.members(of: 0, index, bytes) {
            members.append(Member(path: [key], kind: Kind(index[value].kind)))
            guard index[value].kind == .object, inner.count < Self.membersMax else { continue }
            inner += Self.members(of: value, index, bytes).map { Member(path: [key, $0], kind: Kind(index[$1].kind)) }
        }
        members += inner
    }

    /// The first members of an object whose keys are names, with the index of each value.
    private static func members(
        of object: Int,
        _ index: borrowing JSONIndex,
        _ bytes: UnsafeBufferPointer<UInt8>,
    ) -> [(key: String, value: Int)] {
        var members: [(String, Int)] = []
        var place = object + 2
        let end = index.end(of: object)
        for _ in 0..<membersMax where place < end {
            if let key = TextToken(bytes, at: index[place].start).whole(bytesMax: keyBytesMax), isName(key) {
                members.append((key, place + 1))
            }
            place = index.next(after: place + 1)
        }
        return members
    }

    private static func isName(_ key: String) -> Bool {
        guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else { return false }
        return key.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }
}

extension RootShape.Kind {
    fileprivate init(_ kind: JSONEntry.Kind) {
        self =
            switch kind {
            case .array: .array
            case .object: .object
            default: .other
            }
    }
}
