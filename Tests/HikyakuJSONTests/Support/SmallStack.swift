import Foundation
import Testing

/// Runs work on a thread whose stack has exactly this size, and waits for its end.
///
/// The stack is made here, with a page below it that ends the process when it is touched. The system would hand out a
/// kept stack of an earlier thread instead, which may be up to four times larger.
func onThread<Value: Sendable>(stackKilobytes: Int, _ work: @escaping @Sendable () -> Value) throws -> Value {
    let (guardBytes, bytes) = (sysconf(Int32(_SC_PAGESIZE)), stackKilobytes << 10)
    let memory = mmap(nil, guardBytes + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    let stack = try #require(memory == MAP_FAILED ? nil : memory)
    defer { munmap(stack, guardBytes + bytes) }
    try #require(mprotect(stack, guardBytes, PROT_NONE) == 0)

    var attributes = pthread_attr_t()
    try #require(pthread_attr_init(&attributes) == 0)
    defer { pthread_attr_destroy(&attributes) }
    try #require(pthread_attr_setstack(&attributes, stack + guardBytes, bytes) == 0)

    var value: Value?
    try run({ value = work() }, attributes: &attributes)
    return try #require(value)
}

/// Unchecked, since the compiler can't see that joining the thread orders the two accesses.
private final class ThreadBody: @unchecked Sendable {
    let run: () -> Void

    init(_ run: @escaping () -> Void) {
        self.run = run
    }
}

private func run(_ body: @escaping () -> Void, attributes: inout pthread_attr_t) throws {
    let argument = Unmanaged.passRetained(ThreadBody(body)).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(&thread, &attributes, { runBody($0) }, argument)
    #else
    var thread = pthread_t()
    let status = pthread_create(&thread, &attributes, { $0.flatMap(runBody) }, argument)
    #endif
    try #require(status == 0)
    #if canImport(Darwin)
    try pthread_join(#require(thread), nil)
    #else
    pthread_join(thread, nil)
    #endif
}

private func runBody(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}

/// What one thread hands to another and doesn't touch meanwhile, which the compiler can't see.
struct Handed<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
