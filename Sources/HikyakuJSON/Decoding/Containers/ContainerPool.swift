/// The object that a container stands for.
class ObjectPlace {
    /// Lives as long as the call to `decode`, and afterwards if it is ``kept``.
    private final var current: Unmanaged<DecodingSession>
    /// The object's place in the index.
    private(set) final var object: Int
    /// The session for a container that may outlive the call.
    final var kept: DecodingSession?

    init(_ session: DecodingSession, object: Int) {
        current = .passUnretained(session)
        self.object = object
    }

    /// Hands the session over, which is there for as long as that takes.
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

/// A ``ContainerPool`` of whichever type.
class AnyContainerPool {
    final let place: ObjectPlace

    init(_ place: ObjectPlace) {
        self.place = place
    }

    /// Whether nobody else holds the container.
    var isFree: Bool { false }
}

/// The container of one type of keys that was made last, which is handed out again when nobody holds it any more.
///
/// The standard library wraps a container in a box, which has to be allocated, and whose type has to be looked up in
/// the tables of the runtime. Without the pool, documents of Benchmarks took 12 to 16 % more instructions. For the same
/// reason the pool is generic over the container and not over its keys: nothing is looked up then.
final class ContainerPool<Container>: AnyContainerPool {
    private let boxed: UnsafeMutablePointer<Container>
    private let isReference: Bool

    /// The container wraps what stands at the place.
    init(_ place: ObjectPlace, _ container: Container) {
        boxed = .allocate(capacity: 1)
        boxed.initialize(to: container)
        // A `KeyedDecodingContainer` is a reference to its box and nothing else; were it more in some version of the
        // standard library, no container would be used again.
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

    /// Hands the container out for another object.
    ///
    /// Not inlined, since the caller would have to look up what the pool knows.
    @inline(never)
    func take(for session: DecodingSession, _ object: Int) -> Container {
        place.stand(in: session, for: object)
        return boxed.pointee
    }
}
