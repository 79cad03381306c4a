#if os(Linux)
/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    checkCertificates(FuzzInput(start, count))
    return 0
}
#endif
