/// What a session has for each of some types, found without a lock.
///
/// Each type has one place among 32; of two that meet the later one stays.
struct TypeCache: ~Copyable {
    private typealias Slot = (type: ObjectIdentifier?, object: AnyObject?)
    private static let count = 32
    private let slots: UnsafeMutablePointer<Slot>

    init() {
        slots = .allocate(capacity: Self.count)
        slots.initialize(repeating: (nil, nil), count: Self.count)
    }

    deinit {
        slots.deinitialize(count: Self.count)
        slots.deallocate()
    }

    @inline(__always)
    private func slot(of type: ObjectIdentifier) -> UnsafeMutablePointer<Slot> {
        // Types lie at multiples of 8.
        let bits = Int(bitPattern: type)
        return slots + (bits >> 3 ^ bits >> 8) & (Self.count - 1)
    }

    func removeAll() {
        slots.update(repeating: (nil, nil), count: Self.count)
    }
}

extension TypeCache {
    /// The plan of a type.
    @inline(__always)
    func plan<Value: Decodable>(for type: Value.Type) -> Plan<Value> {
        let key = ObjectIdentifier(type)
        let slot = slot(of: key)
        if slot.pointee.type == key, let plan = slot.pointee.object {
            return unsafeDowncast(plan, to: Plan<Value>.self)
        }
        return addPlan(for: type)
    }

    @inline(never)
    private func addPlan<Value: Decodable>(for type: Value.Type) -> Plan<Value> {
        let plan = PlanTable.plan(for: type)
        slot(of: ObjectIdentifier(type)).pointee = (ObjectIdentifier(type), plan)
        return plan
    }

    /// A container for an object.
    @inline(__always)
    func take<Key: CodingKey>(
        _ type: Key.Type,
        _ session: DecodingSession,
        object: Int,
    ) -> KeyedDecodingContainer<Key> {
        let key = ObjectIdentifier(type)
        let slot = slot(of: key)
        if slot.pointee.type == key, let pool = slot.pointee.object {
            let pool = unsafeDowncast(pool, to: ContainerPool<KeyedDecodingContainer<Key>>.self)
            if pool.isFree { return pool.take(for: object) }
        }
        return make(type, session, object: object)
    }

    /// Makes a container, and keeps it for the next object of its kind.
    @inline(never)
    private func make<Key: CodingKey>(
        _ type: Key.Type,
        _ session: DecodingSession,
        object: Int,
    ) -> KeyedDecodingContainer<Key> {
        let place = KeyedContainer<Key>(session, object: object)
        let container = KeyedDecodingContainer(place)
        let key = ObjectIdentifier(type)
        slot(of: key).pointee = (key, ContainerPool(place, container))
        return container
    }
}
