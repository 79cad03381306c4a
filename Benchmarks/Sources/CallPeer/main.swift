// Calls a service that answers at once, over MockTransport.
//
//   CallPeer send|call|combined|byhand DISHES CALLS
//   CallPeer limited|unlimited WAITING CALLS
//   CallPeer events|pieces BYTES ROUNDS
//   CallPeer default|never|bare DISHES CALLS
//   CallPeer numbers|numbersbyhand|links|linksbyhand|remembered DISHES PAGES
//
// send: the model, decoded by hand-written types. call: the same through an APICall. combined: the two parts of the
// same document by CombinedResponse; byhand: by one Decodable struct. limited: calls of which one is in flight and the
// others wait for the limit. unlimited: the same without a limit. default: one client with the default options. never:
// one without retries. bare: one without retries and deadline. events: an event stream of one mebibyte, whose events
// have that many bytes of data, is parsed from memory. pieces: the same in pieces of 16 KiB; both print how many events
// and bytes they read. numbers, links: a list walked by pages(), beside a loop by hand. remembered: the same without
// the items that come twice. Two runs with different numbers of calls, subtracted, give the instructions a call, or its
// CPU time.

import Foundation
import Hikyaku
import HikyakuTesting
import PeerSupport
import Synchronization

struct Info: Codable, Sendable, KeyedModel {
    let name: String
    let isOpen: Bool
}

struct Dish: Codable, Sendable, KeyedModel {
    let id: Int
    let name: String
    let price: Double
    let isVegan: Bool
}

/// What both ways of reading have to give.
struct Menu: Decodable, Sendable {
    let info: Info
    let dishes: [Dish]
}

protocol MenuRequest: APIRequest {}

extension APIEnvironment {
    static let menu: Self = "https://menu.example"
}

extension MenuRequest {
    var environment: APIEnvironment { .menu }
    var path: RequestPath { "/menu" }
}

struct ByHand: MenuRequest {
    typealias Response = Menu
}

struct Combined: MenuRequest {
    typealias Definition = CombinedResponse<SingleResponse<Info>, ArrayResponse<Dish>>
}

func document(dishCount: Int) -> String {
    let dishes = (0..<dishCount).map { number in
        #"{"id": \#(number), "name": "dish number \#(number)", "price": \#(number).5, "isVegan": \#(number % 2 == 0)}"#
    }
    return #"{"info": {"name": "The Courier", "isOpen": true}, "dishes": [\#(dishes.joined(separator: ", "))]}"#
}

/// - Returns: How many dishes were read in all.
func run(_ words: [String]) async throws -> Int {
    guard words.count == 4, let dishCount = Int(words[2]), let callCount = Int(words[3]) else {
        throw POSIXError(.EINVAL)
    }
    switch words[1] {
    case "limited", "unlimited":
        return try await runMany(dishCount, isLimited: words[1] == "limited", callCount: callCount)
    case "events", "pieces": return try parse(dishCount, isInPieces: words[1] == "pieces", rounds: callCount)
    case "default": return try await runOne(ClientOptions(), dishCount, callCount)
    case "never": return try await runOne(ClientOptions(retryPolicy: .never), dishCount, callCount)
    case "bare": return try await runOne(ClientOptions(timeout: nil, retryPolicy: .never), dishCount, callCount)
    case "numbers", "numbersbyhand", "links", "linksbyhand", "remembered":
        return try await walk(words[1], dishCount, pageCount: callCount)
    default: break
    }
    let response = HTTPResponse.json(document(dishCount: dishCount))
    var sum = 0
    for _ in 0..<callCount {
        // One for each call: it remembers every request.
        let client = APIClient(transport: MockTransport { _ in response })
        switch words[1] {
        case "send", "byhand": sum += try await client.send(ByHand()).dishes.count
        case "call": sum += try await client.call(ByHand()).value.dishes.count
        case "combined": sum += try await client.send(Combined()).1.count
        default: throw POSIXError(.EINVAL)
        }
    }
    return sum
}

/// Answers at once, and remembers nothing.
struct Echo: HTTPTransport {
    let response: HTTPResponse
    var endsOnCancellation: Bool { true }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse { response }
}

/// Makes calls one after the other by one client.
///
/// - Returns: How many dishes were read in all.
func runOne(_ options: ClientOptions, _ dishCount: Int, _ callCount: Int) async throws -> Int {
    let client = APIClient(transport: Echo(response: .json(document(dishCount: dishCount))), options: options)
    var sum = 0
    for _ in 0..<callCount { sum += try await client.send(ByHand()).dishes.count }
    return sum
}

/// A page of a list, by its number or by a link.
struct ListedDishes: MenuRequest, PagedRequest {
    typealias Response = [ListedDish]
    var page = 1
    var isLinked = false
    var query: RequestQuery { ["page": page] }
    var paging: Paging<Self> { isLinked ? .link : .number(\.page) }
}

struct ListedDish: Codable, Sendable, Identifiable {
    let id: Int
    let name: String
    let price: Double
    let isVegan: Bool
}

/// Answers with page after page, each of which has a link to the next one, and remembers nothing.
final class List: HTTPTransport {
    let dishCount: Int
    let pageCount: Int
    private let page = Atomic(0)
    var endsOnCancellation: Bool { true }

    init(dishCount: Int, pageCount: Int) {
        (self.dishCount, self.pageCount) = (dishCount, pageCount)
    }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        let page = page.add(1, ordering: .relaxed).newValue
        guard page <= pageCount else { return .json("[]") }
        let first = (page - 1) * dishCount
        let dishes = (first..<first + dishCount).map { number in
            #"{"id":\#(number),"name":"dish number \#(number)","price":1.5,"isVegan":true}"#
        }
        let next = #"<https://menu.example/menu?page=\#(page + 1)>; rel="next", "#
        let link = (page < pageCount ? next : "") + #"<https://menu.example/menu>; rel="first""#
        return .json("[\(dishes.joined(separator: ","))]", headers: [.link: link])
    }
}

/// Walks through a list.
///
/// - Returns: How many dishes were read in all.
func walk(_ way: String, _ dishCount: Int, pageCount: Int) async throws -> Int {
    let client = APIClient(transport: List(dishCount: dishCount, pageCount: pageCount))
    var sum = 0
    switch way {
    case "numbersbyhand":
        var request = ListedDishes()
        while case let dishes = try await client.send(request), !dishes.isEmpty {
            sum += dishes.count
            request.page += 1
        }
    case "linksbyhand":
        var response = try await client.bind(ListedDishes()).response()
        sum += response.value.count
        while let next = response.links["next"] {
            response = try await client.bind(ListedDishes().at(next)).response()
            sum += response.value.count
        }
    case "remembered":
        for try await page in client.bind(ListedDishes()).pages().droppingRepeats() { sum += page.items.count }
    default:
        for try await page in client.bind(ListedDishes(isLinked: way == "links")).pages() { sum += page.items.count }
    }
    return sum
}

/// Makes calls of which one is in flight and as many wait as there are, until the last ones; or without a limit, all at
/// once.
///
/// - Returns: How many dishes were read in all.
func runMany(_ waitingCount: Int, isLimited: Bool, callCount: Int) async throws -> Int {
    var options = ClientOptions(timeout: nil)
    if isLimited { options.limits = [.origin: CallLimit(inFlightMax: 1, queueMax: waitingCount)] }
    let client = APIClient(transport: Echo(response: .json(document(dishCount: 1))), options: options)
    return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<waitingCount { group.addTask { try await client.send(ByHand()).dishes.count } }
        var (sum, begun) = (0, 0)
        while let count = try await group.next() {
            sum += count
            guard begun < callCount else { continue }
            begun += 1
            group.addTask { try await client.send(ByHand()).dishes.count }
        }
        return sum
    }
}

/// What the process has used of all processors, in nanoseconds.
func cpuNanoseconds() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
}

// The thread that began waits: an asynchronous main would end it, which valgrind doesn't survive.
Task.detached {
    do {
        let sum = try await run(CommandLine.arguments)
        print("sum=\(sum) cpu=\(cpuNanoseconds()) peak=\(ProcessMemory.peakBytes())")
        exit(0)
    } catch {
        FileHandle.standardError.write(Data("\(CommandLine.arguments[0]): \(error)\n".utf8))
        exit(1)
    }
}
while true { pause() }
