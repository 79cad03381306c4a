// The server of the soak, a process of its own, so that its memory, sockets and threads aren't counted as the client's.
// It prints its address, and ends when its standard input does.

import Foundation
import HikyakuMockServer

let server = try MockServer(options: MockServerOptions(connectionsMax: 2048, recordedRequestsMax: 1))
for method: HTTPMethod in [.get, .put, .post] {
    server.route(method, "/:behavior/:number/:count") { Answers.answer(to: $0) }
}
FileHandle.standardOutput.write(Data((server.baseURL + "\n").utf8))
while let bytes = try FileHandle.standardInput.read(upToCount: 1024), !bytes.isEmpty {}
server.stop()
