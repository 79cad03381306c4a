/// The last requests, bounded in number and in bytes.
struct RequestRecord {
    private static let bytesMax = 256 * 1024 * 1024

    private let countMax: Int
    private var requests: [MockRequest] = []
    private var start = 0
    private var bytes = 0

    init(countMax: Int) {
        self.countMax = max(1, countMax)
    }

    var all: [MockRequest] { Array(requests[start...]) }

    mutating func append(_ request: MockRequest) {
        requests.append(request)
        bytes += request.recordedBytes
        while requests.count - start > countMax || (bytes > Self.bytesMax && requests.count - start > 1) {
            bytes -= requests[start].recordedBytes
            start += 1
        }
        // Moving the rest only now and then keeps an append cheap.
        if start > countMax || bytes > Self.bytesMax / 2 {
            requests.removeFirst(start)
            start = 0
        }
    }
}

extension MockRequest {
    fileprivate var recordedBytes: Int { body.count + rawHead.count }
}
