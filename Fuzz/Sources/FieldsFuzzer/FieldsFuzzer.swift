/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    checkFields(FuzzInput(start, count))
    return 0
}
