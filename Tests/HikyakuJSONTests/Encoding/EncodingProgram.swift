import Foundation
import HikyakuJSON

/// A value that encodes itself by calls drawn at random: containers that are kept and written to later, keys that come
/// again, super encoders, children that throw and that write to what is around them.
final class EncodingProgram: Encodable {
    struct Stop: Error {}

    /// One container of those that a value and the values around it have got.
    private enum Handle {
        case keyed(KeyedEncodingContainer<AnyKey>)
        case unkeyed(any UnkeyedEncodingContainer)
    }

    private enum Action: CaseIterable {
        case scalar, null, plain, optional, array, dictionary, direct, throwing
        case nestedKeyed, nestedUnkeyed, superEncoder
    }

    private struct Step {
        let action: Action
        let handle: Int
        let key: Int
        let child: EncodingProgram
    }

    private struct Passed: Encodable {
        let program: EncodingProgram
        let handles: [Handle]

        func encode(to encoder: any Encoder) throws {
            try program.run(encoder, handles)
        }
    }

    /// Has no access to its parent containers, which must not be written to while it writes itself.
    private struct Direct: JSONWritable, Encodable {
        let program: EncodingProgram

        func write(to writer: inout JSONWriter) throws {
            try writer.writeArray { writer in try writer.encode(program) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(program)
        }
    }

    private let steps: [Step]
    private let isKeyed: Bool
    private let isSingle: Bool
    private let throwsLast: Bool
    private var runs = 0
    private var throwsToo = false

    init(depth: Int, throwsLast: Bool = false, random: inout some RandomNumberGenerator) {
        isKeyed = Bool.random(using: &random)
        isSingle = depth == 0 && Bool.random(using: &random)
        self.throwsLast = throwsLast
        let count = depth == 0 ? Int.random(in: 0...2, using: &random) : Int.random(in: 0...7, using: &random)
        var steps: [Step] = []
        for _ in 0..<count {
            var action = Action.allCases.randomElement(using: &random) ?? .scalar
            if depth == 0, ![.nestedKeyed, .nestedUnkeyed].contains(action) { action = .scalar }
            let child = EncodingProgram(
                depth: max(depth - 1, 0),
                throwsLast: action == .throwing,
                random: &random,
                action,
            )
            let handle = Int.random(in: 0..<1000, using: &random)
            steps.append(
                Step(action: action, handle: handle, key: Int.random(in: 0..<4, using: &random), child: child)
            )
        }
        self.steps = steps
    }

    private convenience init(
        depth: Int,
        throwsLast: Bool,
        random: inout some RandomNumberGenerator,
        _ action: Action,
    ) {
        switch action {
        case .scalar, .null, .nestedKeyed, .nestedUnkeyed: self.init()
        default: self.init(depth: depth, throwsLast: throwsLast, random: &random)
        }
    }

    private init() {
        (steps, isKeyed, isSingle, throwsLast) = ([], true, true, false)
    }

    /// The most often that one of the values has encoded itself.
    var runsMax: Int {
        steps.reduce(runs) { max($0, $1.child.runsMax) }
    }

    /// Begins to count anew, with or without the children that throw: Foundation ends the process after some of them.
    func prepare(throwsToo: Bool) {
        runs = 0
        self.throwsToo = throwsToo
        for step in steps { step.child.prepare(throwsToo: throwsToo) }
    }

    func encode(to encoder: any Encoder) throws {
        try run(encoder, [])
    }

    private func run(_ encoder: any Encoder, _ outer: [Handle]) throws {
        runs += 1
        if isSingle {
            var container = encoder.singleValueContainer()
            try container.encode("single")
        } else {
            let make = { [isKeyed] in
                isKeyed ? Handle.keyed(encoder.container(keyedBy: AnyKey.self)) : .unkeyed(encoder.unkeyedContainer())
            }
            var handles = outer + [make(), make()]
            for step in steps { try take(step, outer.count, &handles) }
        }
        if throwsLast { throw Stop() }
    }

    private func take(_ step: Step, _ outer: Int, _ handles: inout [Handle]) throws {
        // Mostly its own. Foundation ends the process where those around it are given more than scalars.
        let isOwn = step.handle % 4 > 0 || outer == 0 || ![.scalar, .null].contains(step.action)
        let index = isOwn ? outer + step.handle / 4 % (handles.count - outer) : step.handle / 4 % outer
        switch handles[index] {
        case .keyed(var container): try take(step, &container, &handles)
        case .unkeyed(var container): try take(step, &container, &handles)
        }
    }

    private func take(_ step: Step, _ object: inout KeyedEncodingContainer<AnyKey>, _ handles: inout [Handle]) throws {
        let key = AnyKey("v\"\(step.key)")
        let child = Passed(program: step.child, handles: handles)
        switch step.action {
        case .scalar: try object.encode(step.handle, forKey: key)
        case .null: try object.encodeNil(forKey: key)
        case .plain: try object.encode(child, forKey: key)
        case .optional: try object.encode(Passed?.some(child), forKey: key)
        case .array: try object.encode([child], forKey: key)
        case .dictionary: try object.encode(["x": child, "y": nil], forKey: key)
        case .direct: try object.encode(Direct(program: step.child), forKey: key)
        case .throwing:
            guard throwsToo else { return }
            do { try object.encode(step.child, forKey: key) } catch is Stop {}
        // Foundation ends the process where one key has things of two kinds.
        case .nestedKeyed:
            handles.append(.keyed(object.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("o\(step.key)"))))
        case .nestedUnkeyed: handles.append(.unkeyed(object.nestedUnkeyedContainer(forKey: AnyKey("a\(step.key)"))))
        // Foundation puts it in when it is released, over what had the key meanwhile.
        case .superEncoder: try child.encode(to: object.superEncoder(forKey: AnyKey("s\(step.key)")))
        }
    }

    private func take(_ step: Step, _ array: inout any UnkeyedEncodingContainer, _ handles: inout [Handle]) throws {
        let child = Passed(program: step.child, handles: handles)
        switch step.action {
        case .scalar: try array.encode(step.handle)
        case .null: try array.encodeNil()
        case .plain: try array.encode(child)
        case .optional: try array.encode(Passed?.some(child))
        case .array: try array.encode([child])
        case .dictionary: try array.encode(["x": child, "y": nil])
        case .direct: try array.encode(Direct(program: step.child))
        case .throwing:
            guard throwsToo else { return }
            do { try array.encode(step.child) } catch is Stop {}
        case .nestedKeyed: handles.append(.keyed(array.nestedContainer(keyedBy: AnyKey.self)))
        case .nestedUnkeyed: handles.append(.unkeyed(array.nestedUnkeyedContainer()))
        // Foundation puts it in when it is released, where the array had its end before.
        case .superEncoder: try EncodingProgram().encode(to: array.superEncoder())
        }
    }
}
