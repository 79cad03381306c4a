// Two sets of rows, all against one nginx on loopback. Each round runs every contestant at every load, so that what
// else the machine does meets all of them.
//
//   HTTPBenchmark transport  WireTransport beside a C program on libcurl, wrk and FoundationNetworking's URLSession;
//                            small requests beside silent ones, and the memory of requests that wait
//   HTTPBenchmark client     APIClient with typed bodies beside WireTransport, the same C program, and URLSession with
//                            JSONDecoder; and the memory of calls that wait

import BenchmarkSupport
import Foundation

let words = CommandLine.arguments.dropFirst()
let isClient = words.first == "client"
let allRows = isClient ? Row.client : Row.transport
let names =
    allRows.map(\.name).reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
    + (isClient ? [WaitingRow.name] : [SilentRow.name])
guard let options = Options(words.dropFirst(), rows: names, seconds: isClient ? 1 : 2) else {
    print(Options.usage(isClient ? "bench client" : "bench", rows: names))
    exit(2)
}
let rows = allRows.filter { options.includes($0.name) }

func measure(_ rows: [Row], _ servers: Servers) throws -> [Report] {
    var reports = rows.map { Report(row: $0) }
    for round in 0..<options.rounds {
        FileHandle.standardError.write(Data("round \(round + 1) of \(options.rounds)\n".utf8))
        for index in reports.indices {
            let row = reports[index].row
            var measurements: [Contestant: Measurement] = [:]
            // Each round starts with another one: a program that runs after a busy one finds the processor warm.
            for place in row.contestants.indices {
                let contestant = row.contestants[(place + round) % row.contestants.count]
                measurements[contestant] = try Measurement.run(contestant, row, servers, options)
            }
            reports[index].add(measurements)
        }
    }
    return reports
}

/// Prints everything that is chosen, and gives the figures that aren't reached.
func misses(_ servers: Servers) throws -> [String] {
    // Typed calls are counted one at a time: the width changes little.
    let counted = rows.filter { !$0.isTyped || $0.width == 1 }
    if options.countsInstructions { return try Instructions.report(counted, servers) }
    print("\(Servers.item.bytes.count)-byte body; medians of \(options.rounds) rounds of \(options.seconds) s")
    let reports = try measure(rows, servers)
    for line in reports.flatMap(\.lines) { print(line) }
    var misses = reports.flatMap(\.misses)
    if isClient, options.includes(WaitingRow.name) { misses += try WaitingRow.report() }
    if !isClient, options.includes(SilentRow.name) { misses += try SilentRow.report(servers, options) }
    let decisive = counted.filter(\.limitsInstructions)
    if !decisive.isEmpty { misses += try Instructions.report(decisive, servers) }
    return misses
}

for line in Machine.words { print(line) }
let servers = try Servers.start(for: rows)
do {
    let misses = try misses(servers)
    print("")
    for miss in misses { print("not reached: \(miss)") }
    let isLimited = !options.countsInstructions || rows.contains(where: \.limitsInstructions)
    if misses.isEmpty, isLimited { print("all figures are reached") }
    servers.stop()
    exit(options.isCheck && !misses.isEmpty ? 1 : 0)
} catch {
    servers.stop()
    print("bench: \(error)")
    exit(1)
}
