// Does one piece of work again and again, and prints what it cost; a process of its own for each, so that no other has
// warmed its heap.

import Foundation

func run() throws {
    let arguments = try Arguments(CommandLine.arguments.dropFirst())
    switch arguments.mode {
    case .speed:
        let work = try Work.make(arguments)
        let cost = try work.measure(arguments)
        print("documents=\(cost.documents) bytes=\(work.bytes) cpu=\(cost.nanoseconds)")
    case .memory:
        let growth = try Growth.measure(arguments)
        print("bytes=\(growth.document) peak=\(growth.peak) stays=\(growth.stays)")
    case .shape:
        let shape = try Shape.make(arguments)
        let cost = try shape.measure(arguments)
        print("documents=\(cost.documents) bytes=\(shape.bytes) cpu=\(cost.nanoseconds)")
    }
}

do {
    try run()
} catch {
    FileHandle.standardError.write(Data("\(CommandLine.arguments[0]): \(error)\n".utf8))
    exit(1)
}
