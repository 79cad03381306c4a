import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The plans of all types that were decoded so far; there are as many as the program has such types.
enum PlanTable {
    // The compiler can't see that plans are constant, since classes with subclasses can't say so.
    private struct Known: @unchecked Sendable {
        var plans: [ObjectIdentifier: AnyObject] = [:]
    }

    private static let known = Lock(Known())

    static func plan<Value: Decodable>(for type: Value.Type) -> Plan<Value> {
        let key = ObjectIdentifier(type)
        if let plan = known.withLock({ $0.plans[key] }) { return unsafeDowncast(plan, to: Plan<Value>.self) }
        // Made outside of the lock, since plans ask for those of their parts; of two that are made at once, one stays.
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

    /// What arrays are mostly made of, with code that was compiled for them.
    private static func makeReadablePlan<Value: Decodable>(for type: Value.Type) -> AnyObject? {
        if type == [String].self { return ReadablePlan<[String]> { try [String](from: &$0) } }
        if type == [Int].self { return ReadablePlan<[Int]> { try [Int](from: &$0) } }
        if type == [Double].self { return ReadablePlan<[Double]> { try [Double](from: &$0) } }
        return nil
    }

    private static func makeReadablePlan<Value: JSONReadable & Decodable>(_ type: Value.Type) -> AnyObject {
        ReadablePlan<Value> { try Value(from: &$0) }
    }

    // A function that a user gives wants a decoder; all else is read from the bytes.
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
