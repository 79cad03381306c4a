#if os(Linux)
/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    checkURLs(FuzzInput(start, count))
    return 0
}
#endif
