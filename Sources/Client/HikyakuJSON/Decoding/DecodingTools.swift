import HikyakuBase

/// Plans and containers for decoding types, which sessions reuse.
///
/// Only one session uses them at a time. Each type has one of two slots; if both are taken, the later type replaces the
/// earlier one.
final class DecodingTools {
    private struct PlanSlot {
        var type: UInt
        // Plans live as long as the process.
        var plan: Unmanaged<AnyObject>?
    }

    private struct PoolSlot {
        var type: UInt
        var pool: AnyContainerPool?
    }

    /// The number of slots for plans, and for pools: one bit each of ``usedPools``.
    private static let slotCount = 64
    private let plans: UnsafeMutablePointer<PlanSlot>
    private let pools: UnsafeMutablePointer<PoolSlot>
    /// Whether containers are never reused.
    private var isRetired = false
    /// A bit for each slot of a pool that was used since the session began.
    private var usedPools: UInt64 = 0

    private init() {
        plans = .allocate(capacity: Self.slotCount)
        plans.initialize(repeating: PlanSlot(type: 0, plan: nil), count: Self.slotCount)
        pools = .allocate(capacity: Self.slotCount)
        pools.initialize(repeating: PoolSlot(type: 0, pool: nil), count: Self.slotCount)
    }

    deinit {
        plans.deallocate()
        pools.deinitialize(count: Self.slotCount)
        pools.deallocate()
    }

    /// The slot of a type, one of two, so that two types whose hashes collide have one each.
    @inline(__always)
    private static func place(of type: UInt, _ typeAt: (_ place: Int) -> UInt) -> Int {
        // Types of one module have nearby addresses at multiples of 8, so all bits are hashed.
        let place = Int(truncatingIfNeeded: (UInt64(type) &* 0x9E37_79B9_7F4A_7C15) >> 58)
        let found = typeAt(place)
        return found == type || found == 0 ? place : place ^ 1
    }

    // The compiler can't see that tools have one owner: this list, or one session. It can go when they aren't copyable.
    private struct Spare: @unchecked Sendable {
        var tools: [DecodingTools] = []
    }

    private static let spare = Lock(Spare())
    private static let spareMax = 16

    /// Tools that no session uses.
    static func take() -> DecodingTools {
        spare.withLock { $0.tools.popLast() } ?? DecodingTools()
    }

    /// Returns the tools after a session to which no references are left.
    func giveBack() {
        Self.spare.withLock { spare in
            if spare.tools.count < Self.spareMax { spare.tools.append(self) }
        }
    }

    /// Releases the containers that are still referenced, which retain the session from now on.
    func release(from session: DecodingSession) {
        while usedPools != 0 {
            let slot = pools + usedPools.trailingZeroBitCount
            usedPools &= usedPools - 1
            guard let pool = slot.pointee.pool, !pool.isFree else { continue }
            pool.place.kept = session
            slot.pointee = PoolSlot(type: 0, pool: nil)
        }
    }

    /// Disables the reuse of containers, for a session that outlives its call.
    func retire() {
        isRetired = true
        pools.update(repeating: PoolSlot(type: 0, pool: nil), count: Self.slotCount)
    }

    /// The plan of a type.
    @inline(__always)
    func plan<Value: Decodable>(for type: Value.Type) -> Plan<Value> {
        let key = UInt(bitPattern: ObjectIdentifier(type))
        let slot = plans + Self.place(of: key) { plans[$0].type }
        if slot.pointee.type == key, let plan = slot.pointee.plan {
            return unsafeDowncast(plan.takeUnretainedValue(), to: Plan<Value>.self)
        }
        return addPlan(for: type)
    }

    @inline(never)
    private func addPlan<Value: Decodable>(for type: Value.Type) -> Plan<Value> {
        let plan = PlanTable.plan(for: type)
        let key = UInt(bitPattern: ObjectIdentifier(type))
        plans[Self.place(of: key) { plans[$0].type }] = PlanSlot(type: key, plan: .passUnretained(plan))
        return plan
    }

    /// A container for an object.
    @inline(__always)
    func container<Key: CodingKey>(
        _ type: Key.Type,
        _ session: DecodingSession,
        object: Int,
    ) -> KeyedDecodingContainer<Key> {
        let key = UInt(bitPattern: ObjectIdentifier(type))
        let place = Self.place(of: key) { pools[$0].type }
        let slot = pools + place
        usedPools |= 1 &<< UInt64(truncatingIfNeeded: place)
        if slot.pointee.type == key, let pool = slot.pointee.pool {
            let pool = unsafeDowncast(pool, to: ContainerPool<KeyedDecodingContainer<Key>>.self)
            if pool.isFree { return pool.take(for: session, object) }
        }
        return makeContainer(type, session, object: object)
    }

    /// Creates a container, and keeps it for reuse if the slot is free.
    @inline(never)
    private func makeContainer<Key: CodingKey>(
        _ type: Key.Type,
        _ session: DecodingSession,
        object: Int,
    ) -> KeyedDecodingContainer<Key> {
        let place = KeyedContainer<Key>(session, object: object)
        let container = KeyedDecodingContainer(place)
        let key = UInt(bitPattern: ObjectIdentifier(type))
        let slot = pools + Self.place(of: key) { pools[$0].type }
        if isRetired || slot.pointee.pool?.isFree == false {
            place.kept = session
        } else {
            slot.pointee = PoolSlot(type: key, pool: ContainerPool(place, container))
        }
        return container
    }
}

/// The object that a container reads.
class ObjectPlace {
    /// Unowned: it lives during the call to `decode`, and longer if it is ``kept``.
    private final var current: Unmanaged<DecodingSession>
    /// The object's place in the index.
    private(set) final var object: Int
    /// Retains the session for a container that may outlive the call.
    final var kept: DecodingSession?

    init(_ session: DecodingSession, object: Int) {
        current = .passUnretained(session)
        self.object = object
    }

    /// Calls a closure with the session, which is alive during the call.
    @inline(__always)
    final func with<Result>(_ body: (DecodingSession) throws -> Result) rethrows -> Result {
        try current._withUnsafeGuaranteedRef(body)
    }

    @inline(__always)
    fileprivate final func stand(in session: DecodingSession, for object: Int) {
        current = .passUnretained(session)
        self.object = object
    }
}

/// A type-erased ``ContainerPool``.
class AnyContainerPool {
    final let place: ObjectPlace

    init(_ place: ObjectPlace) {
        self.place = place
    }

    /// Whether the container has no other references.
    var isFree: Bool { false }
}

/// The last container for one type of keys, which is reused when it has no other references.
///
/// The standard library wraps a container in a box, which needs an allocation and a lookup of its type by the runtime.
/// Without the pool, documents of Benchmarks took 12 to 16 % more instructions. The pool is generic over the container
/// and not over its keys, since that needs no lookup.
final class ContainerPool<Container>: AnyContainerPool {
    private let boxed: UnsafeMutablePointer<Container>
    private let isReference: Bool

    /// Creates a pool; the container wraps the place.
    init(_ place: ObjectPlace, _ container: Container) {
        boxed = .allocate(capacity: 1)
        boxed.initialize(to: container)
        // A `KeyedDecodingContainer` is only a reference to its box. If it were more in some version of the standard
        // library, no container would be reused.
        isReference = MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size
        super.init(place)
    }

    deinit {
        boxed.deinitialize(count: 1)
        boxed.deallocate()
    }

    override var isFree: Bool {
        guard isReference else { return false }
        return boxed.withMemoryRebound(to: AnyObject.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }

    /// Returns the container for another object.
    ///
    /// Not inlined, since the caller would have to look up the pool's type.
    @inline(never)
    func take(for session: DecodingSession, _ object: Int) -> Container {
        place.stand(in: session, for: object)
        return boxed.pointee
    }
}
