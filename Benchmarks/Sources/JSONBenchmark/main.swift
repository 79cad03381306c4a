// Compares HikyakuJSON with Foundation's JSONDecoder and JSONEncoder by CPU time, with the same types and the same
// documents. Every measurement is a process of its own, and every round runs all of them.

import BenchmarkSupport
import Foundation
import JSONDocuments

let names =
    SpeedRow.all.map(\.name).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    + [MemoryRow.name, LinearRow.name]
guard let options = Options(CommandLine.arguments.dropFirst(), rows: names, seconds: 1) else {
    print(Options.usage("bench json", rows: names))
    exit(2)
}
let rows = SpeedRow.all.filter { options.includes($0.name) }

func measure() throws -> [String] {
    let sizes = [SpeedRow.Size.small, .medium, .large].map { "\($0.bytes)" }.joined(separator: ", ")
    print("documents of \(sizes) bytes; medians of \(options.rounds) rounds of \(options.seconds) s")
    let speed = try SpeedReport(rows, options)
    for line in speed.lines { print(line) }
    var misses = speed.misses
    if options.includes(MemoryRow.name) { misses += try MemoryRow.report(options) }
    if options.includes(LinearRow.name) { misses += LinearRow.report() }
    return misses
}

for line in Machine.words { print(line) }
do {
    if options.countsInstructions {
        try SpeedReport.reportInstructions(rows)
        exit(0)
    }
    let misses = try measure()
    print("")
    for miss in misses { print("not reached: \(miss)") }
    if misses.isEmpty { print("all figures are reached") }
    exit(options.isCheck && !misses.isEmpty ? 1 : 0)
} catch {
    print("bench: \(error)")
    exit(1)
}
