extension DecodingSession {
    /// Lets a value be read from its bytes, and adds the coding path to errors, of which a reader knows nothing.
    @inline(__always)
    func read<Value>(at place: Int, _ body: (inout JSONReader) throws -> Value) throws -> Value {
        do {
            var reader = JSONReader(self, at: offset(of: place))
            return try body(&reader)
        } catch {
            throw located(error, or: offset(of: place))
        }
    }
}
