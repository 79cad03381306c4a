import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How values of a type are decoded.
///
/// It is determined once for each type, since dynamic casts are slow.
///
/// `@unchecked`, as are its subclasses: the compiler can't prove that all are constant, since the class is not final.
/// Plans have no state but other plans and functions, in constants. It can go when subclasses are checked.
class Plan<Value: Decodable>: @unchecked Sendable {
    init() {}

    /// The plan of the type, created on first use.
    static var shared: Plan<Value> { PlanTable.plan(for: Value.self) }

    /// Decodes a value of a document.
    func decode(_ session: DecodingSession, at place: Int) throws -> Value {
        try Value(from: ValueDecoder(session: session, place: place))
    }

    /// Decodes a whole document.
    func document(
        _ bytes: UnsafeBufferPointer<UInt8>,
        settings: HikyakuJSONDecoder,
        tools: DecodingTools,
    ) throws -> Value {
        guard bytes.count > 0 else { throw JSONSyntaxError(.empty, at: 0) }
        return try DecodingSession.decode(bytes, settings: settings, tools: tools) { try decode($0, at: 0) }.value
    }
}

/// The plan of a `JSONReadable` type, with a function that is specialized for it.
///
/// `@unchecked` for the reason of ``Plan``, and for as long: all of it is constant.
final class ReadablePlan<Value: Decodable>: Plan<Value>, @unchecked Sendable {
    private let body: (inout JSONReader) throws -> Value

    init(_ body: @escaping (inout JSONReader) throws -> Value) {
        self.body = body
    }

    override func decode(_ session: DecodingSession, at place: Int) throws -> Value {
        try session.checkStack(at: place)
        return try session.read(at: place, body)
    }

    override func document(
        _ bytes: UnsafeBufferPointer<UInt8>,
        settings: HikyakuJSONDecoder,
        tools: DecodingTools,
    ) throws -> Value {
        // A part that is decoded by containers takes tools again.
        tools.giveBack()
        return try JSONReader.document(bytes, settings: settings, body)
    }
}

/// The plan of a type for which the decoder has a strategy.
///
/// `@unchecked` for the reason of ``Plan``: all of it is constant.
final class StrategyPlan<Value: Decodable>: Plan<Value>, @unchecked Sendable {
    private let body: @Sendable (DecodingSession, Int) throws -> Value

    init(_ body: @escaping @Sendable (DecodingSession, Int) throws -> Value) {
        self.body = body
    }

    override func decode(_ session: DecodingSession, at place: Int) throws -> Value {
        try body(session, place)
    }
}

/// The plan of an array whose elements are not `JSONReadable`.
///
/// `@unchecked` for the reason of ``Plan``: all of it is constant.
final class ArrayPlan<Element: Decodable>: Plan<[Element]>, @unchecked Sendable {
    private let element = Plan<Element>.shared

    override init() {}

    override func decode(_ session: DecodingSession, at place: Int) throws -> [Element] {
        guard session.index[place].kind == .array else {
            throw session.mismatch([Any].self, "an array", at: place)
        }
        try session.checkStack(at: place)
        if session.settings.collectsFailures { return try decodeCollecting(session, at: place) }
        var next = place + 2
        return try ArrayFilling.array(upTo: session.index.members(of: place)) { elements, initialized in
            guard let start = elements.baseAddress else { return }
            while initialized < elements.count {
                (start + initialized).initialize(to: try element.decode(session, at: next))
                initialized += 1
                next = session.index.next(after: next)
            }
        }
    }

    /// Decodes an array to its end, even if elements fail.
    @inline(never)
    private func decodeCollecting(_ session: DecodingSession, at place: Int) throws -> [Element] {
        var elements: [Element] = []
        var failures = FailureCollector()
        let end = session.index.end(of: place)
        var next = place + 2
        while next < end {
            do {
                let value = try element.decode(session, at: next)
                if failures.isEmpty { elements.append(value) }
            } catch {
                try failures.add(error, ofElementAt: session.offset(of: next))
            }
            next = session.index.next(after: next)
        }
        try failures.finish()
        return elements
    }
}

/// The plan of a dictionary with string keys, which are not converted.
///
/// `@unchecked` for the reason of ``Plan``: all of it is constant.
final class DictionaryPlan<Element: Decodable>: Plan<[String: Element]>, @unchecked Sendable {
    private let element = Plan<Element>.shared

    override init() {}

    override func decode(_ session: DecodingSession, at place: Int) throws -> [String: Element] {
        guard session.index[place].kind == .object else {
            throw session.mismatch([String: Any].self, "an object", at: place)
        }
        try session.checkStack(at: place)
        let count = session.index.members(of: place)
        var room = ArrayFilling.room(for: count, after: 0, Element.self)
        var elements = [String: Element](minimumCapacity: room)
        /// The last member of each key, found when a value fails.
        var lastMembers: [String: Int]?
        try session.forEachMember(of: place) { member in
            do {
                let value = try element.decode(session, at: member + 1)
                if elements.count == room {
                    room = ArrayFilling.room(for: count, after: room, Element.self)
                    elements.reserveCapacity(room)
                }
                elements[session.sourceText(ofKeyAt: member)] = value
            } catch {
                // The end of the thread's stack is an error for all members.
                if error is JSONSyntaxError { throw error }
                let found = lastMembers ?? self.lastMembers(of: place, session)
                lastMembers = found
                if found[session.sourceText(ofKeyAt: member)] == member { throw error }
            }
        }
        return elements
    }

    private func lastMembers(of object: Int, _ session: DecodingSession) -> [String: Int] {
        var members: [String: Int] = [:]
        session.forEachMember(of: object) { members[session.sourceText(ofKeyAt: $0)] = $0 }
        return members
    }
}

/// The plan of an Optional.
///
/// `@unchecked` for the reason of ``Plan``: all of it is constant.
final class OptionalPlan<Wrapped: Decodable>: Plan<Wrapped?>, @unchecked Sendable {
    private let wrapped = Plan<Wrapped>.shared

    override init() {}

    override func decode(_ session: DecodingSession, at place: Int) throws -> Wrapped? {
        session.isNull(at: place) ? nil : try wrapped.decode(session, at: place)
    }
}

/// The plans of all types that were decoded so far; their number is limited by the program's types.
enum PlanTable {
    // The compiler can't see that plans are constant, since the class has subclasses.
    private struct Known: @unchecked Sendable {
        var plans: [ObjectIdentifier: AnyObject] = [:]
    }

    private static let known = Lock(Known())

    static func plan<Value: Decodable>(for type: Value.Type) -> Plan<Value> {
        let key = ObjectIdentifier(type)
        if let plan = known.withLock({ $0.plans[key] }) { return unsafeDowncast(plan, to: Plan<Value>.self) }
        // Created outside of the lock, since plans look up the plans of their parts. If two are created at once, one is
        // kept.
        let made = makePlan(for: type)
        let plan = known.withLock { known in
            if let other = known.plans[key] { return other }
            known.plans[key] = made
            return made
        }
        return unsafeDowncast(plan, to: Plan<Value>.self)
    }

    private static func makePlan<Value: Decodable>(for type: Value.Type) -> AnyObject {
        if type == Date.self { return makeDatePlan() }
        if type == Data.self { return makeDataPlan() }
        if let plan = makeReadablePlan(for: type) { return plan }
        if let readable = type as? any (JSONReadable & Decodable).Type { return makeReadablePlan(readable) }
        if let planned = type as? any Planned.Type { return planned.makePlan() }
        return Plan<Value>()
    }

    /// Specialized plans for the most frequent arrays.
    private static func makeReadablePlan<Value: Decodable>(for type: Value.Type) -> AnyObject? {
        if type == [String].self { return ReadablePlan<[String]> { try [String](from: &$0) } }
        if type == [Int].self { return ReadablePlan<[Int]> { try [Int](from: &$0) } }
        if type == [Double].self { return ReadablePlan<[Double]> { try [Double](from: &$0) } }
        return nil
    }

    private static func makeReadablePlan<Value: JSONReadable & Decodable>(_ type: Value.Type) -> AnyObject {
        ReadablePlan<Value> { try Value(from: &$0) }
    }

    // A custom function needs a decoder; the other strategies read the bytes.
    private static func makeDatePlan() -> AnyObject {
        StrategyPlan<Date> { session, place in
            guard case .custom(let function) = session.settings.dateDecodingStrategy else {
                return try session.read(at: place) { try Date(from: &$0) }
            }
            return try function(ValueDecoder(session: session, place: place))
        }
    }

    private static func makeDataPlan() -> AnyObject {
        StrategyPlan<Data> { session, place in
            guard case .custom(let function) = session.settings.dataDecodingStrategy else {
                return try session.read(at: place) { try Data(from: &$0) }
            }
            return try function(ValueDecoder(session: session, place: place))
        }
    }
}

/// A type of the standard library with a plan of its own.
private protocol Planned {
    static func makePlan() -> AnyObject
}

extension Array: Planned where Element: Decodable {
    fileprivate static func makePlan() -> AnyObject { ArrayPlan<Element>() }
}

extension Dictionary: Planned where Key == String, Value: Decodable {
    fileprivate static func makePlan() -> AnyObject { DictionaryPlan<Value>() }
}

extension Optional: Planned where Wrapped: Decodable {
    fileprivate static func makePlan() -> AnyObject { OptionalPlan<Wrapped>() }
}
