import HikyakuBase

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The arrays and objects near the root of a document, for advice about how to read it.
///
/// It has keys and no values. A key that may be data, since it isn't written like a name, is left out with what is
/// under it.
package struct RootShape {
    /// The kind of a value.
    package enum Kind: Sendable {
        case array
        case object
        case other
    }

    /// A member of the root, or of an object below it.
    package struct Member: Sendable {
        /// The keys, outermost first: at most ``depthMax``.
        package let path: [String]
        package let kind: Kind
    }

    /// How many levels of objects are looked at.
    package static let depthMax = 3
    /// How many members of an object are looked at.
    private static let membersMax = 100
    /// How many members there are in all.
    private static let totalMax = 1000
    /// The length of a key with escapes.
    private static let keyBytesMax = 6 * DocumentKey.nameBytesMax

    /// The kind of the root.
    package let kind: Kind
    /// The number of the root's elements or members.
    package let count: Int
    /// Whether any array is in a root that is an object, however deep, and under whatever key.
    package let hasArray: Bool
    /// The members of a root that is an object, those of outer objects first.
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
        guard kind == .object else {
            hasArray = kind == .array
            return
        }
        hasArray = Self.hasArray(index)
        var level: [(path: [String], place: Int)] = [([], 0)]
        for _ in 0..<Self.depthMax {
            var inner: [(path: [String], place: Int)] = []
            for object in level where members.count < Self.totalMax {
                for (key, value) in Self.members(of: object.place, index, bytes) {
                    let member = Member(path: object.path + [key], kind: Kind(index[value].kind))
                    members.append(member)
                    if member.kind == .object { inner.append((member.path, value)) }
                }
            }
            level = inner
        }
    }

    /// Looks at all values.
    private static func hasArray(_ index: borrowing JSONIndex) -> Bool {
        var place = 0
        while place < index.count {
            if index[place].kind == .array { return true }
            place += index[place].isContainer ? 2 : 1
        }
        return false
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

    /// Whether a key is a name that can be written into a path and, in another case, into the name of a type.
    private static func isName(_ key: String) -> Bool {
        guard let first = key.utf8.first, !ASCII.isDigit(first) else { return false }
        return DocumentKey.isName(key)
            && key.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5F || $0 == 0x2D }
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
