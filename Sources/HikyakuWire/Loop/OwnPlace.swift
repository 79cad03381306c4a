#if os(Linux)
/// Gives a property of the loop a place in memory of its own.
///
/// A change of a class's property is checked for another one at the same time. What the loop's driver alone touches has
/// no need of that, and it is felt: it takes a fortieth of a small request's time.
@propertyWrapper
struct OwnPlace<Value> {
    private let pointer: UnsafeMutablePointer<Value>

    init(wrappedValue: Value) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: wrappedValue)
    }

    var wrappedValue: Value {
        _read { yield pointer.pointee }
        nonmutating _modify { yield &pointer.pointee }
    }

    /// Ends the value; called by the `deinit` of the class whose property it is.
    func free() {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}
#endif
