import Foundation
import HikyakuTesting

@testable import Hikyaku
@testable import HikyakuEngine

/// What a machine did that it must not.
struct BrokenInvariant: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

private func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw BrokenInvariant(what()) }
}

extension RefreshWorld {
    /// The world after a step.
    ///
    /// - Throws: ``BrokenInvariant``.
    func after(_ step: Step) throws -> RefreshWorld {
        var world = self
        world.justWritten = nil
        world.justCancelled = nil
        world.mayCancelRefresh = false
        world.isStoreFailing = step == .loadFails || step == .writeFails
        if let event = try world.take(step) {
            for action in world.machine.handle(event, at: world.date) { try world.take(action) }
        }
        // Unlike a refresh, reading the store is tried again after a failure.
        if case .store = world.fault { world.fault = nil }
        try world.check(after: step, in: self)
        if world.isAtRest { try world.checkRest() }
        return world
    }

    private func check(after step: Step, in before: RefreshWorld) throws {
        switch step {
        case .cancel(let caller):
            try require(callers[caller] == .done, "a cancelled caller waits on")
        case .request(let caller), .refuse(let caller):
            if let newest, newest != before.callers[caller].token, isUsable(newest) {
                let isServed = callers[caller] == .got(newest) || callers[caller] == .done
                try require(isServed, "a caller waits, and there is a token to use")
            }
        case .pauseEnds(let number):
            let isItsOwn = before.machine.lastFailure?.number == number
            try require(
                isItsOwn || machine.lastFailure == before.machine.lastFailure,
                "a pause ends another failure than its own",
            )
            try require(machine.lastFailure?.number != number, "a pause ends, and its failure doesn't")
        default:
            break
        }
        for (number, caller) in callers.enumerated() {
            if case .waiting = caller { try require(machine.waiters[number] != nil, "a caller was forgotten") }
        }
    }

    private func checkRest() throws {
        try require(machine.waiters.isEmpty, "a caller waits, and nothing is under way")
        try require(signing.isEmpty, "a sign-in or sign-out waits, and nothing is under way")
        try require(machine.work == .none, "the machine thinks that work is under way")
        if case .passing(let number) = machine.lastFailure?.failure {
            try require(pauses.contains(number), "a failure passes, and nothing ends it")
        }
        switch machine.holding {
        case .unknown: try require(newest == nil, "a token was forgotten")
        case .nothing: try require(newest == nil, "a token was forgotten")
        case .token(let held): try require(held.token == newest, "the token that is held isn't the newest")
        }
        guard knowsStore, !hasNews, !hasStoreFailed else { return }
        try require(stored == newest, "the store has another token than the machine")
    }

    private mutating func take(_ step: Step) throws -> Machine.Event? {
        switch step {
        case .request, .refuse, .refuseForeign, .cancel: try takeOfCaller(step)
        case .load, .loadFails, .write, .writeFails: takeOfStore(step)
        case .refresh, .refreshFails, .refreshFailsForNow: takeOfRefresh(step)
        case .signIn, .signOut: takeOfSigning(step)
        default: takeOther(step)
        }
    }

    private mutating func takeOfCaller(_ step: Step) throws -> Machine.Event? {
        switch step {
        case .request(let caller):
            callers[caller] = .waiting(refused: nil)
            return .requested(caller)
        case .refuse(let caller):
            guard case .got(let token) = callers[caller] else { return nil }
            budget.refusals -= 1
            return refused(caller, token)
        case .refuseForeign(let caller):
            budget.foreignRefusals -= 1
            return stored.map { refused(caller, $0) }
        case .cancel(let caller):
            budget.cancellations -= 1
            justCancelled = caller
            return .cancelled(caller)
        default:
            return nil
        }
    }

    private mutating func refused(_ caller: Int, _ token: IssuedToken) -> Machine.Event {
        // One that can't be replaced stays in use.
        if isTolerated(token) {
            bearing.insert(caller)
        } else if token.refreshToken != nil {
            refused.insert(token)
        }
        callers[caller] = .waiting(refused: token)
        return .rejected(caller, TokenKey(token.accessToken))
    }

    /// Whether a rejection comes so soon that the token stays in use.
    private mutating func isTolerated(_ token: IssuedToken) -> Bool {
        let pause = Int(machine.margins.rejectionPause)
        guard token == newest, pause > 0, !refused.contains(token) else { return false }
        if let end = tolerated[token] { return now < end }
        guard let begin = refreshed[token], now - begin <= pause else { return false }
        tolerated[token] = now + pause
        return true
    }

    private mutating func takeOfStore(_ step: Step) -> Machine.Event? {
        let task = storeTask
        storeTask = nil
        if isStoreFailing { hasStoreFailed = true }
        if case .loadFails = step {
            budget.storeFailures -= 1
            let failure = Fault.store(budget.storeFailures)
            if case .unknown = machine.holding { fault = failure }
            return .storeEnded(.failure(failure))
        }
        let isDone = step != .writeFails
        if step == .writeFails { budget.storeFailures -= 1 }
        switch task {
        case .load:
            noteLoad()
            return .storeEnded(.success(stored))
        case .save(let token, _):
            justWritten = token
            written.insert(token)
            if sessions[token] == session {
                newest = token
                if machine.margins.rejectionPause > 0 { refreshed[token] = now }
            }
            if isDone { noteWrite(token) }
        case .signIn(let token, let caller):
            if isDone { noteWrite(token) } else { noteFailure(of: caller) }
        case .signOut(let caller):
            if isDone { noteWrite(nil) } else { noteFailure(of: caller) }
        case nil: break
        }
        return .storeEnded(isDone ? .success(nil) : .failure(.store(budget.storeFailures)))
    }

    /// What the store holds counts when it is read first, and when another process has written it.
    private mutating func noteLoad() {
        var isTaken = hasNews
        if case .unknown = machine.holding { isTaken = true }
        if case .token = machine.holding, hasNews, signing.isEmpty, let stored, machine.margins.rejectionPause > 0 {
            refreshed[stored] = now
        }
        (knowsStore, hasNews) = (true, false)
        // Who signs in or out meanwhile is about to write the store.
        guard isTaken, signing.isEmpty else { return }
        newest = stored
        fault = nil
        owed = [:]
        guard let stored else { return }
        written.insert(stored)
        if sessions[stored] == nil { sessions[stored] = session }
    }

    private mutating func noteWrite(_ token: IssuedToken?) {
        stored = token
        (knowsStore, hasNews) = (true, false)
    }

    /// What signing in or out has left in the store is older than it.
    private mutating func noteFailure(of caller: Int) {
        (knowsStore, hasNews) = (false, false)
    }

    private mutating func takeOfRefresh(_ step: Step) -> Machine.Event? {
        switch step {
        case .refresh(let number):
            guard let refresh = refreshes.removeValue(forKey: number) else { return nil }
            let token = makeToken()
            sessions[token] = refresh.session
            if !refresh.isCancelled {
                fault = nil
                owed = [:]
            }
            return .refreshed(number, token)
        case .refreshFails(let number):
            budget.finalFailures -= 1
            return failed(number, .final(number))
        case .refreshFailsForNow(let number):
            budget.passingFailures -= 1
            return failed(number, .passing(number))
        default:
            return nil
        }
    }

    private mutating func failed(_ number: Int, _ failure: Fault) -> Machine.Event? {
        if refreshes.removeValue(forKey: number)?.isCancelled == false {
            fault = failure
            for caller in machine.waiters.keys { owed[caller] = failure }
        }
        return .refreshFailed(number, failure, isTransient: failure == .passing(number))
    }

    private mutating func takeOfSigning(_ step: Step) -> Machine.Event? {
        mayCancelRefresh = true
        session += 1
        fault = nil
        owed = [:]
        newest = nil
        let caller = Self.signingCaller + session
        signing.insert(caller)
        guard step == .signIn else {
            budget.signOuts -= 1
            isSignedOut = true
            return .signedOut(caller)
        }
        budget.signIns -= 1
        isSignedOut = false
        let token = makeToken()
        sessions[token] = session
        written.insert(token)
        newest = token
        return .signedIn(caller, token)
    }

    private mutating func takeOther(_ step: Step) -> Machine.Event? {
        switch step {
        case .tick:
            budget.ticks -= 1
            now += 1
        case .pauseEnds(let number):
            pauses.remove(number)
            if fault == .passing(number) { fault = nil }
            return .pauseEnded(number)
        case .alarmRings:
            budget.alarms -= 1
            defer { alarm = nil }
            return alarm.map { .alarmFired($0.number) }
        case .otherRefreshes:
            budget.otherRefreshes -= 1
            othersWrite(makeToken())
        case .otherSignsIn:
            budget.otherSignIns -= 1
            othersWrite(makeToken())
        case .otherSignsOut:
            budget.otherSignOuts -= 1
            othersWrite(nil)
        default: break
        }
        return nil
    }

    private mutating func othersWrite(_ token: IssuedToken?) {
        stored = token
        hasNews = knowsStore
    }
}

// MARK: - What the machine does

extension RefreshWorld {
    private mutating func take(_ action: Machine.Action) throws {
        switch action {
        case .finish(let caller, let outcome):
            try finish(caller, outcome)
        case .store(let task):
            try require(storeTask == nil, "the store is given two tasks at once")
            if case .save = task {
                try require(!hasNews || isStoreFailing, "a refresh undoes what another process has done")
            }
            storeTask = task
        case .refresh(let number, let token):
            try require(refreshes.values.allSatisfy(\.isCancelled), "two refreshes at once")
            try require(fault == nil, "a refresh after one that failed: \(fault as Any)")
            try require(token.map { sessions[$0] == session } ?? true, "a refresh of a token of another session")
            try require(token == newest, "a refresh of another token than the newest")
            try require(owed.isEmpty, "a refresh, and a caller waits who has waited for another")
            try require(isInNeed(token), "a refresh that nobody needs")
            refreshes[number] = Refresh(token: token, session: session)
        case .cancelRefresh(let number):
            try require(mayCancelRefresh, "a refresh is cancelled")
            refreshes[number]?.isCancelled = true
        case .pause(let number):
            try require(fault == .passing(number), "a final failure is to pass")
            pauses.insert(number)
        case .setAlarm(let number, let date):
            alarm = date.map { Alarm(number: number, date: $0) }
        case .reportStoreFailure:
            break
        }
    }

    private mutating func finish(_ caller: Int, _ outcome: Machine.Outcome) throws {
        guard caller < Self.signingCaller else {
            try require(signing.remove(caller) != nil, "who signs in or out gets two outcomes")
            return
        }
        guard case .waiting(let refusedToken) = callers[caller] else {
            throw BrokenInvariant("a caller gets two outcomes, the second \(outcome)")
        }
        callers[caller] = .done
        defer {
            owed[caller] = nil
            bearing.remove(caller)
        }
        switch outcome {
        case .token(let token):
            try checkGiven(token)
            try require(token != refusedToken, "a caller gets the token again that it was refused with")
            used.insert(token)
            if refusedToken == nil { callers[caller] = .got(token) }
        case .cancelled:
            try require(justCancelled == caller, "a caller ends as cancelled, and was not")
        case .failed(let failure):
            let isReported = failure == fault || failure == owed[caller]
            try require(isReported, "a caller gets \(failure), and there is \(fault as Any)")
            try require(!hasNews || isStoreFailing, "a caller gets \(failure), and the store has another token")
        case .missing:
            try require(isSignedOut || newest == nil, "no token for a caller, and a user is signed in")
            let isExcused = !hasNews || isStoreFailing || mayCancelRefresh
            try require(isExcused, "no token for a caller, and the store has one")
        case .expired, .noOther:
            let isExcused = !hasNews || isStoreFailing || mayCancelRefresh
            try require(isExcused, "\(outcome), and the store has another token")
            guard case .token(let held) = machine.holding else { throw BrokenInvariant("\(outcome) of nothing") }
            let isBorne = bearing.contains(caller) && refusedToken == held.token
            try require(isBorne || held.token.refreshToken == nil, "\(outcome), although it can be refreshed")
        case .stored:
            throw BrokenInvariant("a caller gets the outcome of signing in")
        }
    }

    /// Whether a caller waits for another token, or the one at hand is used, and due.
    private func isInNeed(_ token: IssuedToken?) -> Bool {
        if !machine.waiters.isEmpty { return token.map { isUsable($0) } != true }
        guard let token, let ahead = machine.margins.ahead, let end = token.expiresAt else { return false }
        return used.contains(token) && date >= end.addingTimeInterval(-ahead)
    }

    private func isUsable(_ token: IssuedToken) -> Bool {
        !refused.contains(token) && token.expiresAt.map { date < $0 } != false
    }

    private func checkGiven(_ token: IssuedToken) throws {
        try require(!refused.contains(token), "a refused token is given")
        try require(written.contains(token), "a token is given that the store hasn't been given")
        try require(sessions[token] == session, "a token of another session is given")
        try require(!isSignedOut || sessions[token] == session, "a token is given, and nobody is signed in")
        let isUsable = token.expiresAt.map { date < $0 } ?? true
        try require(isUsable || token == justWritten, "a token is given that has ended")
    }
}
