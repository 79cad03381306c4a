import Foundation
import HikyakuTesting

@testable import Hikyaku
@testable import HikyakuEngine

/// A refresh machine with callers, a store and a service around it, which lists its possible next steps.
///
/// All that an event causes happens at once here. The provider lets go of its lock before it acts, so that what two
/// events cause may be mixed. The provider's own tests check that this is harmless: a refresh and a timer that come
/// too late find that their number is no longer the machine's, and every other action is done once for its caller.
struct RefreshWorld: Hashable {
    typealias Machine = RefreshMachine<Fault>

    /// How often something may happen, so that the worlds come to an end.
    struct Budget: Hashable {
        var callers = 4
        var refusals = 2
        /// How often a caller's token from elsewhere was rejected before anything was loaded here.
        var foreignRefusals = 0
        var cancellations = 1
        var finalFailures = 0
        var passingFailures = 0
        var storeFailures = 0
        var signIns = 0
        var signOuts = 0
        /// How often another process refreshes the token that the store has.
        var otherRefreshes = 0
        var otherSignOuts = 0
        /// How often another process signs in while no user is signed in.
        var otherSignIns = 0
        var ticks = 1
        var alarms = 0
    }

    enum Fault: Error, Hashable {
        case final(Int)
        case passing(Int)
        case store(Int)
    }

    enum Caller: Hashable {
        case idle
        case waiting(refused: IssuedToken?)
        case got(IssuedToken)
        case done
    }

    enum Step: Hashable {
        case request(Int), refuse(Int), refuseForeign(Int), cancel(Int)
        case load, loadFails, write, writeFails
        case refresh(Int), refreshFails(Int), refreshFailsForNow(Int)
        case pauseEnds(Int), alarmRings, tick
        case signIn, signOut, otherRefreshes, otherSignsOut, otherSignsIn
    }

    struct Refresh: Hashable {
        let token: IssuedToken?
        let session: Int
        var isCancelled = false
    }

    struct Alarm: Hashable {
        let number: Int
        let date: Date
    }

    static let signingCaller = 100

    var machine: Machine
    var budget: Budget
    var callers: [Caller]
    var now = 0
    var stored: IssuedToken?
    var storeTask: Machine.StoreTask?
    var refreshes: [Int: Refresh] = [:]
    var pauses: Set<Int> = []
    var alarm: Alarm?
    /// How long tokens live that are issued here.
    let life: Int
    var tokenCount = 1
    /// Tokens that the service has rejected.
    var refused: Set<IssuedToken> = []
    /// When a refresh brought a token, and until when one is used that was rejected soon after; only with a pause.
    var refreshed: [IssuedToken: Int] = [:]
    var tolerated: [IssuedToken: Int] = [:]
    /// Callers whose token of that kind was rejected.
    var bearing: Set<Int> = []
    /// Tokens that may be given: they were loaded, signed in, or the store has had its chance to keep them.
    var written: Set<IssuedToken> = []
    /// Who was signed in when a token was issued.
    var sessions: [IssuedToken: Int] = [:]
    var session = 0
    var isSignedOut = false
    /// Why the token that is held wasn't refreshed.
    var fault: Fault?
    /// Callers that have waited for a failed refresh, and haven't received its error yet.
    var owed: [Int: Fault] = [:]
    /// What was loaded, signed in or issued last: the token that the machine must go by.
    var newest: IssuedToken?
    /// Tokens that a caller was given to use.
    var used: Set<IssuedToken> = []
    /// Whether the machine knows the store's earlier content, so that it can detect changes by another process.
    var knowsStore = false
    /// Whether another process has written what the machine hasn't seen.
    var hasNews = false
    var hasStoreFailed = false
    var signing: Set<Int> = []
    /// What this step has brought, and only it.
    var justWritten: IssuedToken?
    var justCancelled: Int?
    var mayCancelRefresh = false
    var isStoreFailing = false

    init(
        _ means: Machine.Means,
        _ budget: Budget,
        stored: IssuedToken?,
        ahead: TimeInterval? = nil,
        life: Int = 1,
        rejectionPause: TimeInterval = 0,
    ) {
        self.life = life
        let margins = HeldToken.Margins(leeway: 0, ahead: ahead, rejectionPause: rejectionPause)
        machine = Machine(means: means, margins: margins)
        self.budget = budget
        callers = Array(repeating: .idle, count: budget.callers)
        self.stored = stored
    }

    static func token(_ number: Int, endsAt end: Int?, refreshable: Bool = true) -> IssuedToken {
        IssuedToken(
            token: Secret("t\(number)"),
            refreshToken: refreshable ? Secret("r\(number)") : nil,
            expiresAt: end.map { Date(timeIntervalSince1970: Double($0)) },
            scopes: ["s"],
        )
    }

    var date: Date { Date(timeIntervalSince1970: Double(now)) }

    /// Nothing is under way that could end by itself.
    var isAtRest: Bool { storeTask == nil && refreshes.isEmpty }

    mutating func makeToken() -> IssuedToken {
        defer { tokenCount += 1 }
        return Self.token(tokenCount, endsAt: now + life)
    }
}

// MARK: - What can happen next

extension RefreshWorld {
    var steps: [Step] {
        callerSteps + storeSteps + refreshSteps + otherSteps
    }

    private var callerSteps: [Step] {
        var steps: [Step] = []
        for (index, caller) in callers.enumerated() {
            switch caller {
            // Callers are equal, so it is enough if the first caller is the first of them.
            case .idle:
                guard index == 0 || callers[index - 1] != .idle else { break }
                steps.append(.request(index))
                if budget.foreignRefusals > 0, stored != nil, case .unknown = machine.holding {
                    steps.append(.refuseForeign(index))
                }
            case .waiting: if budget.cancellations > 0 { steps.append(.cancel(index)) }
            case .got: if budget.refusals > 0 { steps.append(.refuse(index)) }
            case .done: break
            }
        }
        return steps
    }

    private var storeSteps: [Step] {
        guard let storeTask else { return [] }
        let canFail = budget.storeFailures > 0
        if case .load = storeTask { return canFail ? [.load, .loadFails] : [.load] }
        return canFail ? [.write, .writeFails] : [.write]
    }

    private var refreshSteps: [Step] {
        var steps: [Step] = []
        for number in refreshes.keys.sorted() {
            steps.append(.refresh(number))
            if budget.finalFailures > 0 { steps.append(.refreshFails(number)) }
            if budget.passingFailures > 0 { steps.append(.refreshFailsForNow(number)) }
        }
        return steps
    }

    private var otherSteps: [Step] {
        var steps: [Step] = pauses.sorted().map { .pauseEnds($0) }
        if let alarm, date >= alarm.date, budget.alarms > 0 { steps.append(.alarmRings) }
        if budget.ticks > 0 { steps.append(.tick) }
        if budget.signIns > 0 { steps.append(.signIn) }
        if budget.signOuts > 0 { steps.append(.signOut) }
        if budget.otherRefreshes > 0, stored != nil { steps.append(.otherRefreshes) }
        if budget.otherSignOuts > 0, stored != nil { steps.append(.otherSignsOut) }
        if budget.otherSignIns > 0, stored == nil { steps.append(.otherSignsIn) }
        return steps
    }
}

extension RefreshWorld.Caller {
    /// The token that the caller was given.
    var token: IssuedToken? { if case .got(let token) = self { token } else { nil } }
}
