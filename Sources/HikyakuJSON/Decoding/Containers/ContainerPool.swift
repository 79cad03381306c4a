/// The object that a container stands for.
class ObjectPlace {
    final let session: DecodingSession
    /// The object's place in the index.
    fileprivate(set) final var object: Int

    init(_ session: DecodingSession, object: Int) {
        self.session = session
        self.object = object
    }
}

/// The container of one type of keys that was made last, which is handed out again when nobody holds it any more.
///
/// The standard library wraps a container in a box, which has to be allocated, and whose type has to be looked up in the
/// tables of the runtime: a third of what an object costs. For the same reason the pool is generic over the container and
/// not over its keys: nothing is looked up then.
final class ContainerPool<Container> {
    private let place: ObjectPlace
    private let boxed: UnsafeMutablePointer<Container>
    private let isReference: Bool

    /// The container wraps what stands at the place.
    init(_ place: ObjectPlace, _ container: Container) {
        self.place = place
        boxed = .allocate(capacity: 1)
        boxed.initialize(to: container)
        // A `KeyedDecodingContainer` is a reference to its box and nothing else; were it more in some version of the
        // standard library, no container would be used again.
        isReference = MemoryLayout<Container>.size == MemoryLayout<AnyObject>.size
    }

    deinit {
        boxed.deinitialize(count: 1)
        boxed.deallocate()
    }

    /// Whether only the pool refers to the box.
    @inline(__always)
    var isFree: Bool {
        guard isReference else { return false }
        return boxed.withMemoryRebound(to: AnyObject.self, capacity: 1) { isKnownUniquelyReferenced(&$0.pointee) }
    }

    /// Hands the container out for another object.
    ///
    /// Not inlined, since the caller would have to look up what the pool knows.
    @inline(never)
    func take(for object: Int) -> Container {
        place.object = object
        return boxed.pointee
    }
}
